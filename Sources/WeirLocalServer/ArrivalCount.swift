import Weir

/// A number that others wait for.
package final class ArrivalCount: Sendable {
  private struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var count = 0
    var lastID: UInt64 = 0
    var waiters: [UInt64: Waiter] = [:]
  }

  private let state = Locked(State())

  package init() {}

  /// Counts up, or down.
  package func add(_ number: Int) {
    let arrived = state.withLock { state in
      state.count += number
      let arrived = state.waiters.filter { [count = state.count] in $0.value.count <= count }
      for id in arrived.keys { state.waiters[id] = nil }
      return arrived.values
    }
    for waiter in arrived { waiter.continuation.resume() }
  }

  /// Waits until the number is at least `count`, or the task is cancelled, so that a test that
  /// waits in vain can be ended.
  package func reaches(_ count: Int) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withCancellableContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count >= count || Task.isCancelled { return true }
        state.waiters[id] = Waiter(count: count, continuation: continuation)
        return false
      }
      if isThere { continuation.resume() }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}
