/// A queue between producers and one consumer, each in a task of its own.
///
/// The producer chooses how much the queue holds:
/// - ``append(_:)`` always adds the result: an execution has few of them, and a slow consumer must
///   not delay the others that share its flight.
/// - ``appendOrReplace(_:)`` does so, too, but if many results wait that each contain the one
///   before, it keeps only the last.
/// - ``send(_:)`` waits for the consumer, so that a source of many results pauses.
@usableFromInline
struct ResultBuffer: Sendable {
  /// How many results may wait before ``appendOrReplace(_:)`` and ``send(_:)`` hold back.
  static let capacity = 16

  private struct State {
    var results = FIFOQueue<OperationResult>()
    var isFinished = false
    /// Whether the producer has finished it, not the consumer's cancellation.
    var isComplete = false
    /// Whether the result that was sent last is final.
    var isSettled = false
    var waiting: WaitingTask<Void>?
    /// Fires with the next result, or the end.
    var arrival: RefreshSource?
    /// The producers that wait for room.
    var held: [WaitingTask<Void>] = []

    var hasRoom: Bool { results.count < ResultBuffer.capacity || isFinished }

    /// Returns the producers to resume because there is room again. It resumes none before half of
    /// the queue is free: resuming costs more than a result.
    mutating func release() -> [WaitingTask<Void>] {
      guard !held.isEmpty, results.count <= ResultBuffer.capacity / 2 || isFinished else {
        return []
      }
      defer { held = [] }
      return held
    }
  }

  private let state = Locked(State())

  /// Identifies the buffer among those that exist.
  var id: ObjectIdentifier { state.id }

  /// Adds a result, even if many wait.
  func append(_ result: OperationResult) {
    wake { state in
      if !state.isFinished { state.results.append(result) }
    }
  }

  /// Adds a result. If many wait, it replaces the last one, unless that is final.
  func appendOrReplace(_ result: OperationResult) {
    // Released without the lock: its decoded value may be an object of the app.
    var replaced: OperationResult?
    wake { state in
      guard !state.isFinished else { return }
      if state.results.count >= Self.capacity, state.results.last?.hasNext == true {
        replaced = state.results.last
        state.results.removeLast()
      }
      state.results.append(result)
    }
    withExtendedLifetime(replaced) {}
  }

  /// Adds a result as soon as there is room. Drops it if the calling task is cancelled or the
  /// consumer has left.
  func send(_ result: OperationResult) async {
    while !Task.isCancelled {
      var hasRoom = false
      wake { state in
        hasRoom = state.hasRoom
        if hasRoom, !state.isFinished {
          state.results.append(result)
          state.isSettled = !result.isStale && !result.hasNext
        }
      }
      if hasRoom { return }
      await waitForRoom()
    }
  }

  /// How many producers wait for room, for tests.
  var heldCount: Int { state.withLock { $0.held.count } }

  private func waitForRoom() async {
    await withCancellableContinuation { continuation in
      let hasRoom = state.withLock { state in
        // If the task is cancelled after this check, the handler finds the continuation.
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

  /// Ends the queue, with a last result if there is one: results that were added before are still
  /// delivered, later ones are dropped.
  func finish(with result: OperationResult? = nil) {
    finish { _ in result }
  }

  /// Ends the queue, with a failure unless the result that was sent last is final.
  func finish(unlessSettledWith failure: OperationResult) {
    finish { $0.isSettled ? nil : failure }
  }

  private func finish(_ last: (State) -> OperationResult?) {
    wake { state in
      guard !state.isFinished else { return }
      if let result = last(state) { state.results.append(result) }
      state.isFinished = true
      state.isComplete = true
    }
  }

  /// A result, or nil if the queue has ended or the task is cancelled.
  struct Element {
    let result: OperationResult?
    /// Whether the producer has finished the queue, and nothing is left in it.
    let isLast: Bool
  }

  /// Returns the next result if it is there, otherwise the wait for it.
  func step() -> ResultStream.Iterator.Step {
    if let element = take() { .done(element.result) } else { .waiting(for: .buffer(self)) }
  }

  /// Returns the next result; nil if the consumer has to wait.
  ///
  /// Not inlined, so that nothing of it takes room while the consumer waits.
  @inline(never)
  func take() -> Element? {
    let (element, released) = state.withLock { state in
      let result = state.results.popFirst()
      let isOver = state.isFinished && state.results.isEmpty
      let element =
        result == nil && !state.isFinished
        ? nil : Element(result: result, isLast: isOver && state.isComplete)
      return (element, state.release())
    }
    for producer in released { producer.resume() }
    return element
  }

  /// Waits until there is a result, or the end. The consumer then takes the result under the lock, so
  /// that the thread sanitizer sees how it passes from one task to the other.
  @inline(__always)
  func waitForResult() async {
    await withCancellableContinuation { continuation in
      let hasChanged = state.withLock { state in
        if !state.results.isEmpty || state.isFinished { return true }
        state.waiting = continuation
        return false
      }
      if hasChanged { continuation.resume() }
    } onCancel: {
      wake { $0.isFinished = true }
    }
  }

  /// Returns a signal that fires with the next result, or the end; nil if one of them is there already. It
  /// is for a consumer that waits for something else, too.
  func arrivalSignal() -> RefreshSignal? {
    let arrival = RefreshSource()
    let hasChanged = state.withLock { state in
      if !state.results.isEmpty || state.isFinished { return true }
      state.arrival = arrival
      return false
    }
    return hasChanged ? nil : RefreshSignal(source: arrival, since: .distantPast)
  }

  private func wake(_ change: (inout State) -> Void) {
    let (waiting, arrival, released) = state.withLock { state in
      change(&state)
      defer { (state.waiting, state.arrival) = (nil, nil) }
      return (state.waiting, state.arrival, state.release())
    }
    waiting?.resume()
    arrival?.fire()
    for producer in released { producer.resume() }
  }
}
