/// A queue between one producer and one consumer, each in a task of its own.
///
/// Unbounded on purpose: an execution has few results, none may be lost, and a consumer that
/// stalls must not hold up who shares its flight. Who produces without end hands over one by one.
final class ResultBuffer: Sendable {
  private struct State {
    var results: [OperationResult] = []
    /// How many of `results` were taken already; they are dropped when half of them are.
    var taken = 0
    var isFinished = false
    var waiting: CheckedContinuation<Void, Never>?
    /// The producer, while it waits until everything is taken.
    var producer: CheckedContinuation<Void, Never>?

    var isTaken: Bool { taken == results.count }

    mutating func take() -> OperationResult? {
      guard taken < results.count else { return nil }
      let result = results[taken]
      taken += 1
      if taken * 2 >= results.count {
        results.removeFirst(taken)
        taken = 0
      }
      return result
    }

    /// Whom to wake if nobody has to wait for the consumer any more.
    mutating func freeProducer() -> CheckedContinuation<Void, Never>? {
      guard isTaken || isFinished else { return nil }
      defer { producer = nil }
      return producer
    }
  }

  private let state = Locked(State())

  func append(_ result: OperationResult) {
    wake { state in
      if !state.isFinished { state.results.append(result) }
    }
  }

  /// Appends a result and waits until it was taken, the buffer is finished, or the calling task is
  /// cancelled.
  func handOver(_ result: OperationResult) async {
    append(result)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isTaken || state.isFinished || Task.isCancelled { return true }
          state.producer = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let producer = state.withLock { state in
        defer { state.producer = nil }
        return state.producer
      }
      producer?.resume()
    }
  }

  /// What was appended before is still delivered; what comes after is dropped.
  func finish() {
    wake { $0.isFinished = true }
  }

  /// The next result; nil when the buffer is finished and empty, or the calling task cancelled.
  func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while true {
      let (result, isFinished, producer) = state.withLock { state in
        (state.take(), state.isFinished, state.freeProducer())
      }
      producer?.resume()
      if result != nil || isFinished { return result }
      await change(isolation: isolation)
    }
  }

  /// Waits until there is a result, or the end. The result itself is taken under the lock
  /// afterwards, so that its way from one task to the other is in sight of the thread sanitizer.
  private func change(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasChanged = state.withLock { state in
          if state.taken < state.results.count || state.isFinished { return true }
          state.waiting = continuation
          return false
        }
        if hasChanged { continuation.resume() }
      }
    } onCancel: {
      finish()
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let (waiting, producer) = state.withLock { state in
      change(&state)
      defer { state.waiting = nil }
      return (state.waiting, state.freeProducer())
    }
    waiting?.resume()
    producer?.resume()
  }
}
