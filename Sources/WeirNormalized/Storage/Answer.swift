import Weir

/// A value that one thread gives and a task waits for.
final class Answer<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Calls `ask`, and suspends until the value is given.
  func wait(_ ask: () -> Void) async {
    ask()
    await withCheckedContinuation { continuation in
      let isGiven = state.withLock { state in
        if state.value == nil { state.continuation = continuation }
        return state.value != nil
      }
      if isGiven { continuation.resume() }
    }
  }

  var value: Value? { state.withLock { $0.value } }

  func give(_ value: Value) {
    let waiting = state.withLock { state in
      state.value = value
      defer { state.continuation = nil }
      return state.continuation
    }
    waiting?.resume()
  }
}
