/// A queue between producers and one consumer, each in a task of its own.
///
/// How much it holds is the producer's choice:
/// - ``append(_:)`` takes everything: an execution has few results, and a consumer that stalls must
///   not hold up who shares its flight.
/// - ``appendOrReplace(_:)`` does so, too, but of results that each contain the one before it keeps
///   only the last when many wait.
/// - ``send(_:)`` waits for the consumer, so that who has many results stops at its source.
final class ResultBuffer: Sendable {
  /// How many results may wait before the two last ones hold back.
  static let capacity = 16

  private struct State {
    /// Nil where a result was taken, so that it is not kept by a consumer that never quite catches up.
    var results: [OperationResult?] = []
    /// How many of `results` were taken already.
    var taken = 0
    var isFinished = false
    var waiting: CheckedContinuation<Void, Never>?
    /// Producers that wait for room.
    var held: [CheckedContinuation<Void, Never>] = []

    var unread: Int { results.count - taken }
    var hasRoom: Bool { unread < ResultBuffer.capacity || isFinished }

    mutating func take() -> OperationResult? {
      guard taken < results.count, let result = results[taken] else { return nil }
      results[taken] = nil
      taken += 1
      if taken == results.count {
        results.removeAll(keepingCapacity: taken <= 64)
        taken = 0
      } else if taken >= 64, taken > results.count / 2 {
        results.removeFirst(taken)
        taken = 0
      }
      return result
    }

    /// Who may go on, since there is room again. Not at the first place that is free: waking costs
    /// more than a result.
    mutating func release() -> [CheckedContinuation<Void, Never>] {
      guard !held.isEmpty, unread <= ResultBuffer.capacity / 2 || isFinished else { return [] }
      defer { held = [] }
      return held
    }
  }

  private let state = Locked(State())

  /// Takes a result, however many wait.
  func append(_ result: OperationResult) {
    wake { state in
      if !state.isFinished { state.results.append(result) }
    }
  }

  /// Takes a result; when many wait, in place of the last one if that says that it is not all.
  func appendOrReplace(_ result: OperationResult) {
    wake { state in
      guard !state.isFinished else { return }
      if state.unread >= Self.capacity, state.results.last??.hasNext == true {
        state.results.removeLast()
      }
      state.results.append(result)
    }
  }

  /// Takes a result as soon as there is room. It is dropped if the calling task is cancelled, or the
  /// consumer has left.
  func send(_ result: OperationResult) async {
    while !Task.isCancelled {
      var hasRoom = false
      wake { state in
        hasRoom = state.hasRoom
        if hasRoom, !state.isFinished { state.results.append(result) }
      }
      if hasRoom { return }
      await room()
    }
  }

  /// How many producers wait for room: for tests.
  var heldCount: Int { state.withLock { $0.held.count } }

  private func room() async {
    await withCancellableContinuation { continuation in
      let hasRoom = state.withLock { state in
        // A task that is cancelled from now on finds this one among those that it wakes.
        if state.hasRoom || Task.isCancelled { return true }
        state.held.append(continuation)
        return false
      }
      if hasRoom { continuation.resume() }
    } onCancel: {
      let held = state.withLock { state in
        defer { state.held = [] }
        return state.held
      }
      for producer in held { producer.resume() }
    }
  }

  /// What was appended before is still delivered; what comes after is dropped.
  func finish() {
    wake { $0.isFinished = true }
  }

  /// The next result; nil when the buffer is finished and empty, or the calling task cancelled.
  func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while true {
      let (result, isFinished, released) = state.withLock {
        ($0.take(), $0.isFinished, $0.release())
      }
      for producer in released { producer.resume() }
      if result != nil || isFinished { return result }
      await change(isolation: isolation)
    }
  }

  /// Waits until there is a result, or the end. The result itself is taken under the lock
  /// afterwards, so that its way from one task to the other is in sight of the thread sanitizer.
  private func change(isolation: isolated (any Actor)?) async {
    await withCancellableContinuation { continuation in
      let hasChanged = state.withLock { state in
        if state.unread > 0 || state.isFinished { return true }
        state.waiting = continuation
        return false
      }
      if hasChanged { continuation.resume() }
    } onCancel: {
      finish()
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let (waiting, released) = state.withLock { state in
      change(&state)
      defer { state.waiting = nil }
      return (state.waiting, state.release())
    }
    waiting?.resume()
    for producer in released { producer.resume() }
  }
}
