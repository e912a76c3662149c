/// One answer that one task waits for.
///
/// It may be given before anybody waits, and is given at most once. Who gives it learns whether
/// it was in time, so that nothing is handed to a task that has left.
final class Reply<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value?, Never>)
    case given(Value)
    case left
  }

  private let state = Locked(State.open)

  /// Gives the answer.
  ///
  /// - Returns: whether the one who waits gets it; not if its task was cancelled before.
  @discardableResult
  func give(_ value: Value) -> Bool {
    let waiting = state.withLock { state -> (isInTime: Bool, CheckedContinuation<Value?, Never>?) in
      switch state {
      case .open:
        state = .given(value)
        return (true, nil)
      case .waiting(let continuation):
        state = .given(value)
        return (true, continuation)
      case .given, .left:
        return (false, nil)
      }
    }
    waiting.1?.resume(returning: value)
    return waiting.isInTime
  }

  /// Waits for the answer; nil if the task was cancelled before it was given. To be called once.
  func wait() async -> Value? {
    await withCancellableContinuation { continuation in
      let answer: Value?? = state.withLock { state in
        switch state {
        case .given(let value):
          return .some(value)
        case .left:
          return .some(nil)
        case .open, .waiting:
          state = .waiting(continuation)
          return .none
        }
      }
      if let answer { continuation.resume(returning: answer) }
    } onCancel: {
      let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
        switch state {
        case .open:
          state = .left
          return nil
        case .waiting(let continuation):
          state = .left
          return continuation
        case .given, .left:
          return nil
        }
      }
      waiting?.resume(returning: nil)
    }
  }
}
