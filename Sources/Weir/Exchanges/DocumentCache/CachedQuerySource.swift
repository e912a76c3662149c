/// One execution of a query that has to go to the network: look once more, send, keep, and send
/// once more if the response was overtaken on its way.
final class CachedQuerySource: ResultSource {
  private enum Phase {
    case beginning
    case receiving(ResultStream.Iterator, requestedAt: LogicalInstant)
    case ended
  }

  private let operation: GraphQLOperation
  private let forward: Forward
  private let cache: DocumentCacheExchange
  /// The hit that `cacheAndNetwork` began with, to be kept beside an error.
  private let shown: ResultPayload?
  private var phase = Phase.beginning
  private var requestsLeft = 2
  private var wasOvertaken = false

  init(
    operation: GraphQLOperation, forward: Forward, cache: DocumentCacheExchange,
    shown: ResultPayload?
  ) {
    self.operation = operation
    self.forward = forward
    self.cache = cache
    self.shown = shown
  }

  deinit {
    if case .receiving(_, let requestedAt) = phase { cache.endRequest(requestedAt) }
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while true {
      switch phase {
      case .beginning:
        // Between the first look and now somebody else may have stored what is wanted.
        if operation.context.requestPolicy == .cacheFirst, let hit = cache.lookUp(operation) {
          phase = .ended
          return hit
        }
        send()
      case .receiving(var iterator, let requestedAt):
        let result = await iterator.next(isolation: isolation)
        phase = .receiving(iterator, requestedAt: requestedAt)
        guard let result else {
          end(requestedAt)
          continue
        }
        return received(result, requestedAt: requestedAt)
      case .ended:
        return nil
      }
    }
  }

  private func send() {
    requestsLeft -= 1
    wasOvertaken = false
    let requestedAt = cache.beginRequest(for: operation)
    phase = .receiving(forward(operation).makeAsyncIterator(), requestedAt: requestedAt)
  }

  private func end(_ requestedAt: LogicalInstant) {
    cache.endRequest(requestedAt)
    phase = wasOvertaken && requestsLeft > 0 && !Task.isCancelled ? .beginning : .ended
  }

  private func received(
    _ result: OperationResult, requestedAt: LogicalInstant
  ) -> OperationResult {
    // Stale from below: somebody else's stop-gap, with more to come.
    guard !result.isStale else { return result }
    let delivered = cache.receive(result, of: operation, requestedAt: requestedAt)
    wasOvertaken = delivered.isStale
    if result.data == nil, result.error != nil { return keepingData(beside: delivered) }
    return delivered
  }

  /// A failed refetch does not take away what was there before.
  private func keepingData(beside failure: OperationResult) -> OperationResult {
    failure.beside(
      operation.context.requestPolicy == .networkFirst ? cache.lastResort(operation) : shown)
  }
}
