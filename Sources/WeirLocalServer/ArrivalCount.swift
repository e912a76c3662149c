import Weir

/// A counter that tasks can wait for.
package final class ArrivalCount: Sendable {
  private struct Waiter {
    let count: Int
    let continuation: WaitingTask<Void>
  }

  private struct State {
    var count = 0
    var lastID: UInt64 = 0
    var waiters: [UInt64: Waiter] = [:]
  }

  private let state = Locked(State())

  package init() {}

  /// Adds to the count; a negative number subtracts.
  package func add(_ number: Int) { update { $0 += number } }

  package func set(_ number: Int) { update { $0 = number } }

  private func update(_ change: (inout Int) -> Void) {
    let arrived = state.withLock { state in
      change(&state.count)
      let arrived = state.waiters.filter { [count = state.count] in $0.value.count <= count }
      for id in arrived.keys { state.waiters[id] = nil }
      return arrived.values
    }
    for waiter in arrived { waiter.continuation.resume() }
  }

  /// Waits until the count is at least `count`, or the task is cancelled.
  package func reaches(_ count: Int) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withCancellableContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count >= count || Task.isCancelled { return true }
        state.waiters[id] = Waiter(count: count, continuation: continuation)
        return false
      }
      if isReached { continuation.resume() }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}
