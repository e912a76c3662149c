/// An exchange that caches queries. It defines the steps of an execution; ``CachedExecution``
/// defines their order, which is the same for every cache.
package protocol QueryCache: AnyObject, Sendable {
  /// Whether the cache may have to wait for its storage before it can answer.
  var hasStorage: Bool { get }

  /// Returns the cached result of a query if it may be served, or the failure that answers a
  /// refetch.
  func lookUp(_ operation: GraphQLOperation) -> OperationResult?

  /// Returns the result of a `cacheOnly` query for which nothing is cached.
  func miss(of operation: GraphQLOperation) -> OperationResult

  /// Called before a request is sent.
  func beginRequest(for operation: GraphQLOperation) -> CacheRequest

  /// Called when a request is over, with or without a response.
  func endRequest(_ request: CacheRequest)

  /// Takes in a result that a request has brought.
  ///
  /// - Returns: the result to deliver; stale if it was superseded while the request was in flight.
  func receive(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout CacheRequest
  ) async -> OperationResult

  /// Returns the data to show beside the error of a failed query that began by delivering `shown`.
  func lastResort(for operation: GraphQLOperation, shown: ResultPayload?) -> ResultPayload?
}

/// A request of a cache that is in flight.
package struct CacheRequest: Sendable {
  /// When it was sent.
  package let sentAt: LogicalInstant
  /// The optimistic result that a normalized cache shows until the response is there.
  package var layer: UInt64?

  package init(sentAt: LogicalInstant, layer: UInt64? = nil) {
    self.sentAt = sentAt
    self.layer = layer
  }
}

extension QueryCache {
  /// Answers a query as its request policy says, with what the cache has found if the policy lets
  /// it look.
  package func answer(
    _ operation: GraphQLOperation, with hit: consuming OperationResult?, forward: Forward
  ) -> ResultStream {
    let policy = operation.context.requestPolicy
    guard let hit else {
      return policy == .cacheOnly
        ? .just(miss(of: operation)) : request(operation, forward: forward)
    }
    guard policy == .cacheAndNetwork || hit.isStale, policy != .cacheOnly else { return .just(hit) }
    var stale = hit.withSignal(.fired(at: .next()))
    stale.isStale = true
    return .starting(with: [stale]) { [shown = hit.payload] in
      self.request(operation, forward: forward, shown: shown)
    }
  }

  /// Sends an operation to the network.
  package func request(
    _ operation: GraphQLOperation, forward: Forward, shown: ResultPayload? = nil
  ) -> ResultStream {
    .shareable { tags in
      var operation = operation
      if let tags { operation.context.flightTags = tags }
      operation.context.noteSharing()
      return ResultStream(source: { [operation] in
        CachedExecution(cache: self, operation: operation, forward: forward, shown: shown)
      })
    }
  }
}

/// One execution that goes to the network: it looks into the cache again, sends a request, hands
/// the results to the cache, and sends a second request if the response was superseded in flight.
final class CachedExecution: ResultSource {
  private enum Phase {
    case beginning
    case receiving(ResultStream.Iterator, CacheRequest)
    case ended
  }

  private let cache: any QueryCache
  private let operation: GraphQLOperation
  private let forward: Forward
  /// The hit that `cacheAndNetwork` began with, to be kept beside an error.
  private let shown: ResultPayload?
  private var phase = Phase.beginning
  private var requestsLeft = 2
  private var isSuperseded = false

  init(
    cache: any QueryCache, operation: GraphQLOperation, forward: Forward, shown: ResultPayload?
  ) {
    self.cache = cache
    self.operation = operation
    self.forward = forward
    self.shown = shown
  }

  deinit {
    if case .receiving(_, let request) = phase { cache.endRequest(request) }
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while true {
      switch phase {
      case .beginning:
        if let hit = lookUpAgain() {
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
        let delivered = await received(result, for: &request)
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
    let request = cache.beginRequest(for: operation)
    phase = .receiving(forward(operation).makeAsyncIterator(), request)
  }

  private func end(_ request: CacheRequest) {
    cache.endRequest(request)
    phase = isSuperseded && requestsLeft > 0 && !Task.isCancelled ? .beginning : .ended
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
    _ result: OperationResult, for request: inout CacheRequest
  ) async -> OperationResult {
    let delivered = await cache.receive(result, of: operation, for: &request)
    guard operation.kind == .query, delivered.data == nil, delivered.error != nil else {
      return delivered
    }
    return delivered.beside(cache.lastResort(for: operation, shown: shown))
  }
}
