/// One execution that takes part in a flight, or in several one after the other if it must not
/// accept the results of the first one.
final class SharedExecution: ResultSource {
  private enum Phase {
    /// Carries the answer to the first look at the chain, unless it is out of date.
    case beginning(look: DedupExchange.Look?)
    /// The flight needed no waiting.
    case answered(OperationResult)
    case sharing(Flight.Share)
    case ended
  }

  private let operation: GraphQLOperation
  private let forward: Forward
  private let dedup: DedupExchange
  private var phase: Phase
  private var hasAccepted = false
  /// Whether the last accepted result is neither stale nor incomplete.
  private var isSettled = false

  init(
    operation: GraphQLOperation, forward: Forward, dedup: DedupExchange, look: DedupExchange.Look?
  ) {
    self.operation = operation
    self.forward = forward
    self.dedup = dedup
    phase = .beginning(look: look)
  }

  deinit {
    if case .sharing(let share) = phase { dedup.leave(share, forward: forward) }
  }

  override var startsByItself: Bool { true }

  override func start() {
    guard case .beginning(let look) = phase else { return }
    switch dedup.join(operation, forward: forward, look: look) {
    case .result(let result): phase = .answered(result)
    case .share(let share): phase = .sharing(share)
    // The operation belongs to a session that is over.
    case nil: phase = hasAccepted ? .ended : .answered(.cancelled)
    }
  }

  override func step() -> ResultStream.Iterator.Step {
    start()
    switch phase {
    case .answered(let result):
      phase = .ended
      return .done(result)
    case .ended:
      return .done(nil)
    case .beginning, .sharing:
      return .waiting(for: self)
    }
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while true {
      if case .done(let result) = step() { return result }
      guard case .sharing(let share) = phase else { continue }
      let result = await share.buffer.next(isolation: isolation)
      if let result, share.isFirst || result.answers(operation, fromFlightOf: share.notBefore) {
        hasAccepted = true
        isSettled = !result.isStale && !result.hasNext
        return result
      }
      // A flight of another execution brought a result that does not answer this one, which so
      // executes again. A flight that has ended is not repeated, whatever it brought.
      let isOver = result == nil || isSettled || Task.isCancelled
      phase = isOver ? .ended : .beginning(look: nil)
      dedup.leave(share, forward: forward)
    }
  }
}
