/// A value that is delivered at most once, to one task that waits for it.
///
/// The value may be delivered before the task waits. The sender learns whether the value arrived,
/// so that nothing is handed to a task that has left because it was cancelled.
package final class OneShot<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(WaitingTask<Value?>)
    case delivered(Value)
    case cancelled
  }

  private let state = Locked(State.open)

  package init() {}

  /// Delivers the value.
  ///
  /// - Returns: whether the waiting task receives it: false if its task was cancelled before, or if
  ///   another value was delivered before.
  @discardableResult
  package func deliver(_ value: Value) -> Bool {
    end(with: .delivered(value), resuming: value)
  }

  /// Waits for the value. Call it once.
  ///
  /// - Returns: the value; nil if the task was cancelled before the value was delivered.
  package func wait() async -> Value? {
    await withCancellableContinuation(register) {
      _ = end(with: .cancelled, resuming: nil)
    }
  }

  private func register(_ continuation: WaitingTask<Value?>) {
    let known: Value?? = state.withLock { state in
      switch state {
      case .delivered(let value): return .some(value)
      case .cancelled: return .some(nil)
      case .open, .waiting:
        state = .waiting(continuation)
        return .none
      }
    }
    if let known { continuation.resume(returning: known) }
  }

  /// - Returns: whether it had not ended before.
  private func end(with end: State, resuming value: Value?) -> Bool {
    let continuation: WaitingTask<Value?>??
    continuation = state.withLock { state in
      switch state {
      case .open:
        state = end
        return .some(nil)
      case .waiting(let continuation):
        state = end
        return continuation
      case .delivered, .cancelled:
        return .none
      }
    }
    guard let continuation else { return false }
    continuation?.resume(returning: value)
    return true
  }
}
