/// One execution's share in a flight, or in several one after the other if it may not accept what
/// the first one brings.
final class FlightSource: ResultSource {
  private let operation: GraphQLOperation
  private let forward: Forward
  private let dedup: DedupExchange
  private var seat: Flight.Seat?
  private var isPilot = false
  private var hasAccepted = false
  /// Whether what was accepted last is neither stale nor incomplete.
  private var isSettled = false
  private var isEnded = false

  init(operation: GraphQLOperation, forward: Forward, dedup: DedupExchange) {
    self.operation = operation
    self.forward = forward
    self.dedup = dedup
  }

  deinit {
    if let seat { dedup.leave(seat, forward: forward) }
  }

  override var startsByItself: Bool { true }

  override func start() {
    guard seat == nil, !isEnded else { return }
    if let joined = dedup.join(operation, forward: forward) {
      seat = joined.seat
      isPilot = joined.isPilot
    } else {
      isEnded = true
    }
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    guard !isEnded else { return nil }
    start()
    while let seat {
      let result = await seat.buffer.next(isolation: isolation)
      if let result, isPilot || seat.admits(result, for: operation) {
        hasAccepted = true
        isSettled = !result.isStale && !result.hasNext
        return result
      }
      self.seat = nil
      dedup.leave(seat, forward: forward)
      // A flight made for somebody else brought what will not do: execute anew. One that ended is
      // not repeated, whatever it brought.
      if result == nil || isSettled || Task.isCancelled { break }
      start()
    }
    let isLate = isEnded
    isEnded = true
    return isLate && !hasAccepted ? OperationResult(error: .cancelled) : nil
  }
}
