/// An exchange, or a transport, that refuses operations of earlier sessions than its own.
package protocol SessionHolder: Sendable {
  /// The latest session that it knows. Another client may have begun it.
  var session: Session { get }
}

/// An exchange that caches queries. It defines the steps of an execution; ``CachedExecution``
/// defines their order, which is the same for every cache.
package protocol QueryCache: AnyObject, SessionHolder {
  /// Whether the cache may have to wait for its storage before it can answer.
  var hasStorage: Bool { get }

  /// Returns the result of a `cacheOnly` query for which nothing is cached.
  func miss(of operation: GraphQLOperation) -> OperationResult

  /// Begins a request, unless `looksAgain` and the query has been answered since the first look.
  func beginRequest(for operation: GraphQLOperation, looksAgain: Bool) -> CacheBeginning

  /// Called when a request is over, with or without a response.
  func endRequest(_ request: CacheRequest)

  /// Takes in a result that a request has brought.
  ///
  /// - Returns: the result to deliver; stale if it was superseded while the request was in flight.
  func receive(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout CacheRequest
  ) async -> OperationResult

  /// The synchronous form of `receive`. Returns nil if the cache may have to wait.
  func receiveAtOnce(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout CacheRequest
  ) -> OperationResult?

  /// Returns the data to show beside the error of a failed query that began by delivering `shown`.
  func lastResort(for operation: GraphQLOperation, shown: ResultPayload?) -> ResultPayload?
}

/// The outcome of `beginRequest`: another execution's result, or a request to send.
package enum CacheBeginning {
  /// Another execution has stored the result since the first look.
  case hit(OperationResult)
  case request(CacheRequest)
}

/// A request of a cache that is in flight.
package struct CacheRequest: Sendable {
  /// When it was sent.
  package let sentAt: LogicalInstant
  /// The optimistic result that a normalized cache shows until the response is there.
  package var layer: UInt64?
  /// The result that the cache has already, whether it may be served or not.
  package let former: ResultPayload?
  /// When its last result was stored, if that is later than the request because it has replaced another
  /// one of this request.
  var storedAt: LogicalInstant?
  /// Whether a result of the request has announced more.
  package var hasParts = false
  /// Whether the result that the cache receives is the last one.
  var isLast = false
  /// Whether the cache has ended the request with its last result.
  var hasEnded = false

  package init(sentAt: LogicalInstant, former: ResultPayload? = nil) {
    self.sentAt = sentAt
    self.former = former
  }
}

extension QueryCache {
  /// Answers a query as its request policy says, with what the cache has found if the policy lets
  /// it look.
  @inline(__always)
  package func answer(
    _ operation: GraphQLOperation, with hit: consuming OperationResult?, forward: Forward
  ) -> ResultStream {
    let policy = operation.context.requestPolicy
    switch consume hit {
    case .some(let hit) where policy == .cacheOnly || policy != .cacheAndNetwork && !hit.isStale:
      return .just(hit)
    case .some(let hit):
      return refreshing(hit, of: operation, forward: forward)
    case nil:
      return policy == .cacheOnly
        ? .just(unanswered(operation)) : request(operation, forward: forward)
    }
  }

  /// Returns the result of a `cacheOnly` query for which nothing is cached, or nothing but what may
  /// stand beside an error.
  private func unanswered(_ operation: GraphQLOperation) -> OperationResult {
    var miss = miss(of: operation)
    miss.isMiss = true
    return operation.context.lookPolicy == nil || miss.payload.hasData
      ? miss : miss.withFallback(lastResort(for: operation, shown: nil))
  }

  /// Delivers a hit as stale, then sends the operation. Not a part of `answer`, where it would cost
  /// every hit a copy.
  @inline(never)
  private func refreshing(
    _ hit: OperationResult, of operation: GraphQLOperation, forward: Forward
  ) -> ResultStream {
    // That of a cache whose data changes without requests has fired, and fires again with a change.
    var stale = hit.withSignal(
      hit.refreshSignal?.announcingData == nil ? .fired(at: .next()) : nil)
    stale.isStale = true
    return .starting(with: [stale]) { [shown = hit.payload] in
      self.request(operation, forward: forward, shown: shown)
    }
  }

  /// Sends an operation to the network.
  package func request(
    _ operation: GraphQLOperation, forward: Forward, shown: ResultPayload? = nil
  ) -> ResultStream {
    .shareable { flight in
      CachedExecution(
        cache: self, operation: operation, in: flight, forward: forward, shown: shown)
    }
  }
}

/// One execution that goes to the network: it looks into the cache again, sends a request, hands
/// the results to the cache, and sends a second request if the response was superseded in flight.
///
/// Only its consumer uses it, one call after the other, so the runtime need not look for accesses that
/// overlap.
final class CachedExecution: ResultSource {
  private enum Phase {
    case beginning
    case receiving
    /// The cache has to take in a result, which the source below has delivered.
    case received(OperationResult)
    /// The cache has taken it in.
    case stored(OperationResult)
    case ended
  }

  private let cache: any QueryCache
  @exclusivity(unchecked) private var operation: GraphQLOperation
  private let forward: Forward
  /// The hit that `cacheAndNetwork` began with, to be kept beside an error.
  private let shown: ResultPayload?
  @exclusivity(unchecked) private var phase = Phase.beginning
  // Apart from the phase, which would copy them whenever it changes.
  @exclusivity(unchecked) private var request = CacheRequest(sentAt: .distantPast)
  @exclusivity(unchecked) private var results = ResultStream.Iterator.ended
  private var requestsLeft = 2
  private var isSuperseded = false
  /// Whether a step has returned a wait: from then on, the task of the flight steps, which is cancelled
  /// when nobody wants the result any more.
  private var hasWaited = false

  init(
    cache: any QueryCache, operation: GraphQLOperation, in flight: SharedRequest?, forward: Forward,
    shown: ResultPayload?
  ) {
    self.cache = cache
    self.operation = operation
    if let flight { self.operation.context.sharedRequest = flight }
    // An exchange between dedup and here may have added some.
    _ = self.operation.context.sharedRequest?.add(operation.context.additionalTypenames)
    // The rest of the chain may contain another cache.
    self.operation.context.hasMissed = false
    self.operation.context.noteSharing()
    self.forward = forward
    self.shown = shown
  }

  deinit {
    switch phase {
    case .receiving, .received, .stored: cache.endRequest(request)
    case .beginning, .ended: break
    }
  }

  override func step() -> ResultStream.Iterator.Step {
    while true {
      switch phase {
      case .beginning:
        if let hit = begin() { return .done(hit) }
      case .receiving:
        let step = results.step()
        guard case .done(let result) = step else {
          hasWaited = true
          return step
        }
        if let delivered = took(result) { return .done(delivered) }
      case .received(let result):
        request.isLast = results.isAtEnd
        guard let delivered = cache.receiveAtOnce(result, of: operation, for: &request) else {
          return .waiting(for: .source(self))
        }
        return .done(deliver(delivered))
      case .stored(let result):
        return .done(deliver(result))
      case .ended:
        return .done(nil)
      }
    }
  }

  /// Waits for the cache's storage, which a result needs.
  override func wait() async {
    guard case .received(let result) = phase else { return }
    phase = .stored(await cache.receive(result, of: operation, for: &request))
  }

  /// Sends a request, unless another execution has stored the result since the first look, which is
  /// then returned.
  private func begin() -> OperationResult? {
    let looksAgain = operation.kind == .query && operation.context.requestPolicy == .cacheFirst
    switch cache.beginRequest(for: operation, looksAgain: looksAgain) {
    case .hit(let hit):
      phase = .ended
      return hit
    case .request(let request):
      requestsLeft -= 1
      isSuperseded = false
      if let data = request.former?.data { operation.context.noteFormer(data) }
      self.request = request
      results = forward(operation).makeAsyncIterator()
      phase = .receiving
      return nil
    }
  }

  /// Handles one step of the stream below.
  ///
  /// - Returns: a stale result, which is delivered without passing the cache; otherwise nil, and `phase`
  ///   says what to do next.
  private func took(_ result: consuming OperationResult?) -> OperationResult? {
    guard let result else {
      cache.endRequest(request)
      results = .ended
      // Nobody waits for a second request of a cancelled flight.
      let isWanted = isSuperseded && requestsLeft > 0 && !(hasWaited && Task.isCancelled)
      phase = isWanted ? .beginning : .ended
      return nil
    }
    // A stale result is not the response: the exchange that made it will deliver more.
    if result.isStale { return result }
    if result.hasNext { request.hasParts = true }
    phase = .received(result)
    return nil
  }

  /// Delivers what the cache has taken in. A failed refetch does not take away the data that was
  /// there.
  private func deliver(_ delivered: OperationResult) -> OperationResult {
    phase = .receiving
    let isFailure = operation.kind == .query && delivered.data == nil && delivered.error != nil
    isSuperseded = delivered.isStale
    return isFailure
      ? delivered.withFallback(cache.lastResort(for: operation, shown: shown)) : delivered
  }
}
