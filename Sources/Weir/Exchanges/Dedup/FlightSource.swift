/// One execution's share in a flight, or in several one after the other if it may not accept what
/// the first one brings.
final class FlightSource: ResultSource {
  private let operation: GraphQLOperation
  private let forward: Forward
  private let dedup: DedupExchange
  private var seat: Flight.Seat?
  private var isPilot = false
  private var hasAccepted = false
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
      if let result, accepts(result) {
        hasAccepted = true
        return result
      }
      self.seat = nil
      dedup.leave(seat, forward: forward)
      // A flight made for somebody else brought nothing that will do: execute anew.
      if isPilot || hasAccepted || Task.isCancelled { break }
      start()
    }
    let isLate = isEnded
    isEnded = true
    return isLate && !hasAccepted ? OperationResult(error: .cancelled) : nil
  }

  /// Who asked for the network must not be given what another execution found in a cache. (A hit
  /// with an error beside it is what a failed request fell back to.)
  private func accepts(_ result: OperationResult) -> Bool {
    isPilot || result.outcome != .hit || result.error != nil
      || !operation.context.requestPolicy.wantsNetwork
  }
}
