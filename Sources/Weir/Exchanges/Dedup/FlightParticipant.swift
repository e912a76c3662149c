/// One execution that takes part in a flight, or in several one after the other if it must not
/// accept the results of the first one.
final class FlightParticipant: ResultSource {
  private enum Phase {
    /// Carries the answer to the first look at the chain, unless it is out of date.
    case beginning(look: ResultStream?)
    /// The flight needed no waiting.
    case answered(OperationResult)
    case sharing(Flight.Share)
    case ended
  }

  private let operation: GraphQLOperation
  private let forward: Forward
  private let dedup: DedupExchange
  /// The hit that `cacheAndNetwork` began with.
  private let shown: ResultPayload?
  private var phase: Phase
  private var hasAccepted = false
  /// Whether the last accepted result is neither stale nor incomplete.
  private var isSettled = false

  init(
    operation: GraphQLOperation, forward: Forward, dedup: DedupExchange, look: ResultStream?,
    shown: ResultPayload? = nil
  ) {
    self.operation = operation
    self.forward = forward
    self.dedup = dedup
    self.shown = shown
    phase = .beginning(look: look)
  }

  deinit {
    if case .sharing(let share) = phase { dedup.leave(share) }
  }

  /// Whether the execution has delivered the results that are there at once, or wants none of them.
  private var hasImmediateResults: Bool {
    shown != nil || !operation.context.requestPolicy.readsCacheFirst
  }

  override var startsByItself: Bool { true }

  /// For the end of a session of which nobody notifies the exchange.
  override var stop: (@Sendable () -> Void)? {
    guard case .sharing(let share) = phase else { return nil }
    return { [buffer = share.buffer] in buffer.finish() }
  }

  override func start() {
    guard case .beginning(let look) = phase else { return }
    switch dedup.join(
      operation, forward: forward, look: look, hasImmediateResults: hasImmediateResults)
    {
    case .result(let result): phase = .answered(withOwnData(result, of: nil))
    case .share(let share): phase = .sharing(share)
    // The operation belongs to a session that is over.
    case nil: phase = hasAccepted ? .ended : .answered(.cancelled)
    }
  }

  override func step() -> ResultStream.Iterator.Step {
    while true {
      switch phase {
      case .beginning:
        start()
      case .answered(let result):
        phase = .ended
        return .done(result)
      case .sharing(let share):
        guard let element = share.buffer.take() else { return .waiting(for: .buffer(share.buffer)) }
        if let result = accept(element) { return .done(result) }
      case .ended:
        return .done(nil)
      }
    }
  }

  /// Returns a result of the flight, if it answers this execution.
  ///
  /// Otherwise a flight of another execution has brought it, and this one executes again. A flight
  /// that has ended is not repeated, whatever it brought.
  private func accept(_ element: consuming ResultBuffer.Element) -> OperationResult? {
    guard case .sharing(let share) = phase else { return nil }
    let result = element.result
    // A flight that is over need not be left.
    if element.isLast { phase = .ended }
    if let result, share.isFirst || result.answers(operation, fromFlightOf: share.notBefore) {
      hasAccepted = true
      isSettled = !result.isStale && !result.hasNext
      return withOwnData(result, of: share.isFirst ? nil : share.flight)
    }
    // The response follows, and answers this execution, too.
    if let result, !element.isLast, result.isStaleHit(for: operation) { return nil }
    let isOver = result == nil || isSettled || Task.isCancelled
    phase = isOver ? .ended : .beginning(look: nil)
    dedup.leave(share)
    return nil
  }

  /// Returns a failure with the cached data that this execution's policy allows beside it. A `flight` of
  /// another execution has the data for that execution's policy; its own has the right data, unless the cache
  /// has lost it since.
  private func withOwnData(
    _ result: consuming OperationResult, of flight: Flight?
  ) -> OperationResult {
    guard result.error != nil else { return result }
    let context = operation.context
    if let other = flight?.operation.context, result.isFallback || !result.payload.hasData,
      other.requestPolicy != context.requestPolicy || other.isRefetch != context.isRefetch
    {
      result = result.withoutFallback()
      if context.requestPolicy.fallback != .nothing {
        let look = forward(operation.look(showing: context.requestPolicy))
        result = result.withFallback(look.immediate?.payload)
      }
    }
    return result.payload.hasData ? result : result.withFallback(shown)
  }
}

extension OperationResult {
  /// Whether a result of a flight answers an execution that did not start the flight.
  ///
  /// An execution that needs the network, or newer data than the flight does, must not receive a
  /// result that the flight found in a cache, and one that limits the age of such a result, or needs
  /// all of it, asks the cache itself. (A failed request with a fallback is no such result; a stale
  /// one is what `cacheAndNetwork` begins with.)
  func answers(_ operation: GraphQLOperation, fromFlightOf notBefore: LogicalInstant) -> Bool {
    if outcome == .miss || isFallback { return true }
    let context = operation.context
    if outcome == .partial || context.maximumAge != nil { return false }
    return context.notBefore <= notBefore
      && (!context.requestPolicy.wantsNetwork
        || isStaleHit(for: operation))
  }

  /// Whether this is a stale cached result, as `cacheAndNetwork` begins with.
  func isStaleHit(for operation: GraphQLOperation) -> Bool {
    isStale && outcome != .miss && operation.context.requestPolicy == .cacheAndNetwork
  }
}
