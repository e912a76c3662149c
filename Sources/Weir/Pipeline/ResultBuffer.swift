/// A queue between one producer and one consumer, each in a task of its own.
///
/// Unbounded on purpose: an execution has few results, none may be lost, and a consumer that
/// stalls must not hold up who shares its flight.
final class ResultBuffer: Sendable {
  private struct State {
    var results: [OperationResult] = []
    /// How many of `results` were taken already; they are dropped when all are.
    var taken = 0
    var isFinished = false
    var waiting: CheckedContinuation<OperationResult?, Never>?

    mutating func take() -> OperationResult? {
      guard taken < results.count else { return nil }
      let result = results[taken]
      taken += 1
      if taken == results.count {
        results.removeAll(keepingCapacity: true)
        taken = 0
      }
      return result
    }
  }

  private let state = Locked(State())

  func append(_ result: OperationResult) {
    let waiting = state.withLock { state -> CheckedContinuation<OperationResult?, Never>? in
      guard !state.isFinished else { return nil }
      if let waiting = state.waiting {
        state.waiting = nil
        return waiting
      }
      state.results.append(result)
      return nil
    }
    waiting?.resume(returning: result)
  }

  /// What was appended before is still delivered; what comes after is dropped.
  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: nil)
  }

  /// The next result; nil when the buffer is finished and empty, or the calling task cancelled.
  func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    if let result = state.withLock({ $0.take() }) { return result }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: OperationResult?? = state.withLock { state in
          if let result = state.take() { return .some(result) }
          if state.isFinished { return .some(nil) }
          state.waiting = continuation
          return .none
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      finish()
    }
  }
}
