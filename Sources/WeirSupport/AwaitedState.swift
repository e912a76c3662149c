/// Shared state whose changes one task waits for.
///
/// Use it if the wait may end for different reasons or is repeated, and ``OneShot`` for a single
/// value. The value that ends the wait is taken from the state under the lock, not handed over with
/// the continuation, so that the thread sanitizer sees how it passes from one task to the other.
package final class AwaitedState<State>: Sendable {
  private struct Shared {
    var state: State
    /// Counts the changes, so that none is missed between a look at the state and the wait.
    var changes = 0
    var waiting: WaitingTask<Void>?
  }

  private let shared: Locked<Shared>

  package init(_ state: sending State) {
    shared = Locked(Shared(state: state))
  }

  /// Reads the state.
  package func read<Value>(_ body: (State) -> Value) -> Value {
    shared.withLock { body($0.state) }
  }

  /// Changes the state and wakes the waiting task.
  package func change<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, waiting) = shared.withLock { shared in
      shared.changes += 1
      defer { shared.waiting = nil }
      return (body(&shared.state), shared.waiting)
    }
    waiting?.resume()
    return value
  }

  /// Waits until the state has an answer. Only one task may wait at a time.
  ///
  /// - Parameters:
  ///   - answer: Returns the answer, or nil if the state has none yet. Called again after each
  ///     change.
  ///   - onCancel: Called when the waiting task is cancelled; changes the state so that there is an
  ///     answer.
  /// - Returns: The answer.
  package func wait<Value>(
    for answer: (inout State) -> Value?, onCancel: @Sendable () -> Void
  ) async -> Value {
    while true {
      let (found, changes) = shared.withLock { (answer(&$0.state), $0.changes) }
      if let found { return found }
      await change(after: changes, onCancel: onCancel)
    }
  }

  /// Waits until there was another change.
  private func change(after changes: Int, onCancel: @Sendable () -> Void) async {
    await withCancellableContinuation { continuation in
      let hasChanged = shared.withLock { shared in
        guard shared.changes == changes else { return true }
        shared.waiting = continuation
        return false
      }
      if hasChanged { continuation.resume() }
    } onCancel: {
      onCancel()
    }
  }
}
