/// An exchange that caches queries. It defines the steps of an execution; ``CachedExecution``
/// defines their order, which is the same for every cache.
package protocol QueryCache: Sendable {
  /// The cache's data about a request in flight.
  associatedtype Request: Sendable

  /// Returns the cached result of a query if it may be served, or the failure that answers a
  /// refetch.
  func lookUp(_ operation: GraphQLOperation) -> OperationResult?

  /// Returns the result of a `cacheOnly` query for which nothing is cached.
  func miss(of operation: GraphQLOperation) -> OperationResult

  /// Called before a request is sent.
  func beginRequest(for operation: GraphQLOperation) -> Request

  /// Called when a request is over, with or without a response.
  func endRequest(_ request: Request)

  /// Takes in a result that a request has brought.
  ///
  /// - Returns: the result to deliver; stale if it was superseded while the request was in flight.
  func receive(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout Request
  ) async -> OperationResult

  /// Returns the data to show beside the error of a failed query that began by delivering `shown`.
  func lastResort(for operation: GraphQLOperation, shown: ResultPayload?) -> ResultPayload?
}

extension QueryCache {
  /// Answers a query as its request policy says, with what the cache has found if the policy lets
  /// it look.
  package func answer(
    _ operation: GraphQLOperation, with hit: OperationResult?, forward: Forward
  ) -> ResultStream {
    let policy = operation.context.requestPolicy
    guard let hit else {
      return policy == .cacheOnly
        ? .just(miss(of: operation)) : request(operation, forward: forward)
    }
    guard policy == .cacheAndNetwork || hit.isStale, policy != .cacheOnly else { return .just(hit) }
    var stale = hit.withSignal(.fired(at: .next()))
    stale.isStale = true
    return .starting(with: [stale]) {
      request(operation, forward: forward, shown: hit.payload)
    }
  }

  /// Sends an operation to the network.
  package func request(
    _ operation: GraphQLOperation, forward: Forward, shown: ResultPayload? = nil
  ) -> ResultStream {
    .shareable { tags in
      var operation = operation
      if let tags { operation.context.flightTags = tags }
      return ResultStream(
        CachedExecution(cache: self, operation: operation, forward: forward, shown: shown))
    }
  }
}

/// One execution that goes to the network: it looks into the cache again, sends a request, hands
/// the results to the cache, and sends a second request if the response was superseded in flight.
package struct CachedExecution<Cache: QueryCache>: AsyncSequence, Sendable {
  package typealias Element = OperationResult
  package typealias Failure = Never

  fileprivate let cache: Cache
  fileprivate let operation: GraphQLOperation
  fileprivate let forward: Forward
  /// The hit that `cacheAndNetwork` began with, to be kept beside an error.
  fileprivate let shown: ResultPayload?

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// A class, so that dropping it ends the request.
  package final class Iterator: AsyncIteratorProtocol {
    private enum Phase {
      case beginning
      case receiving(ResultStream.Iterator, Cache.Request)
      case ended
    }

    private let execution: CachedExecution
    private var phase = Phase.beginning
    private var requestsLeft = 2
    private var isSuperseded = false

    fileprivate init(_ execution: CachedExecution) {
      self.execution = execution
    }

    deinit {
      if case .receiving(_, let request) = phase { execution.cache.endRequest(request) }
    }

    package func next(isolation: isolated (any Actor)?) async -> OperationResult? {
      while true {
        switch phase {
        case .beginning:
          if let hit = execution.lookUpAgain() {
            phase = .ended
            return hit
          }
          send()
        case .receiving(var results, var request):
          let result = await results.next(isolation: isolation)
          phase = .receiving(results, request)
          guard let result else {
            end(request)
            continue
          }
          // A stale result is not the response: the exchange that made it will deliver more.
          guard !result.isStale else { return result }
          let delivered = await execution.received(result, for: &request)
          phase = .receiving(results, request)
          isSuperseded = delivered.isStale
          return delivered
        case .ended:
          return nil
        }
      }
    }

    private func send() {
      requestsLeft -= 1
      isSuperseded = false
      let request = execution.cache.beginRequest(for: execution.operation)
      let results = execution.forward(execution.operation).makeAsyncIterator()
      phase = .receiving(results, request)
    }

    private func end(_ request: Cache.Request) {
      execution.cache.endRequest(request)
      phase = isSuperseded && requestsLeft > 0 && !Task.isCancelled ? .beginning : .ended
    }
  }

  /// Another execution may have stored the result since the first look.
  private func lookUpAgain() -> OperationResult? {
    guard operation.kind == .query, operation.context.requestPolicy == .cacheFirst else {
      return nil
    }
    return cache.lookUp(operation)
  }

  /// Hands a result to the cache. A failed refetch does not take away the data that was there.
  private func received(
    _ result: OperationResult, for request: inout Cache.Request
  ) async -> OperationResult {
    let delivered = await cache.receive(result, of: operation, for: &request)
    guard operation.kind == .query, delivered.data == nil, delivered.error != nil else {
      return delivered
    }
    return delivered.beside(cache.lastResort(for: operation, shown: shown))
  }
}
