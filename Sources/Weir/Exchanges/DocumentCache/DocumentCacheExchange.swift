/// A cache of whole results by operation and variables, which drops a result when a mutation
/// returns a type that the result contains.
///
/// ```swift
/// var configuration = DocumentCacheConfiguration()
/// configuration.timeToLive = .seconds(3600)
/// let client = GraphQLClient([.dedup, .documentCache(configuration), .fetch(url)])
/// for await result in client.watch(todos) { show(result) }
/// // Elsewhere: the mutation returns a Todo, so the loop above receives the new list.
/// _ = await client.mutate(addTodo)
/// ```
///
/// Place it below dedup and above every exchange that suspends. The cache guarantees:
/// - It serves a result only if the result was requested after the last invalidation of each of its
///   types, even if the mutation ran during the request. A response that was superseded in flight
///   is delivered as stale, not stored, and requested once more.
/// - A mutation that returns the element type of an empty list invalidates the list, too: the cache
///   knows the types of each field from the schema, or learns them from any response. As long as it
///   does not know the types of a field that came back empty, every mutation invalidates the
///   result. So do events, if ``DocumentCacheConfiguration/subscriptionsInvalidateByType`` is true.
/// - Each query result carries a ``RefreshSignal``, so that watches follow whatever happens to the
///   key: an invalidation, a newer response, or ``invalidate(_:)``.
/// - The number of results and their bytes are limited. A result that a live watch shows is not
///   evicted.
///
/// A hit costs one look-up under a lock that is held for some tens of nanoseconds: no task, no
/// executor hop, no parsing. A miss adds a walk over the response that reads the type names. If a
/// ``FetchExchange`` receives the same text as the time before, it is neither parsed nor decoded again.
public final class DocumentCacheExchange: StatefulExchange {
  let configuration: DocumentCacheConfiguration
  let state: Locked<DocumentCacheState>
  let types: TypeKnowledge
  let now: @Sendable () -> Duration
  private let missedEvents: MissedEventsThrottle
  /// 1 if a result with a time limit of its own was stored. Without one, a hit reads no clock.
  let limitsResults = AtomicWord()

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - configuration: limits, time to live, and schema.
  ///   - clock: the clock that measures the time to live and the time between refetches.
  public init(
    _ configuration: DocumentCacheConfiguration = DocumentCacheConfiguration(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    state = Locked(DocumentCacheState(configuration))
    types = TypeKnowledge(schema: configuration.schema)
    now = clock.elapsed()
    missedEvents = MissedEventsThrottle(interval: configuration.missedEventsInterval, clock: clock)
    // Not the exchange: objects with weak references are retained more slowly, and each hit does that.
    let state = Locked.Weak(state)
    self.state.withLock {
      $0.slots.willObserve = { source in
        state.locked?.withLock { $0.willObserve(source) }.fire()
      }
    }
  }

  /// Answers a query as its request policy says; invalidates results when a mutation succeeds.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    switch operation.kind {
    case .query:
      if operation.isLookWithOtherPolicy {
        return execute(operation.with { $0.requestPolicy = .cacheOnly }, forward: forward)
      }
      if operation.isRefetchFromNetwork {
        return execute(operation.with { $0.requestPolicy = .cacheFirst }, forward: forward)
      }
      let context = operation.context
      let mayHit = context.requestPolicy.readsCacheFirst && !context.hasMissed
      return answer(operation, with: mayHit ? lookUp(operation) : nil, forward: forward)
    case .mutation:
      let results = forward(operation)
      // Each iteration is an execution of its own.
      return .deferred { [self] in invalidating(results, of: operation) }
    case .subscription:
      let session = operation.context.session
      let operation = operation.with {
        $0.onMissedEvents { [weak self] in self?.eventsWereMissed(in: session) }
      }
      return forward(operation).map { [self] result in
        invalidate(byEvent: result, of: operation)
        return result
      }
    }
  }
}

// MARK: - Queries

extension DocumentCacheExchange: QueryCache {
  package var hasStorage: Bool { false }

  @inline(__always)
  private func lookUp(_ operation: GraphQLOperation) -> OperationResult? {
    let now = nowIfNeeded(operation)
    return state.withLock { $0.lookUp(operation, now: now) }
  }

  /// Returns the data of a query that any fresh result answers, as `lookUp` does.
  @inline(__always)
  func hit(_ identity: OperationIdentity, in session: Session) -> ResultPayload? {
    let now = nowIfNeeded(maximumAge: nil)
    return state.withLock { $0.hit(identity, session, now: now) }
  }

  private func nowIfNeeded(_ operation: GraphQLOperation) -> Duration? {
    let context = operation.context
    return nowIfNeeded(maximumAge: context.maximumAge).map { $0 - context.ageAllowance }
  }

  /// The time, if it decides whether a result may be served.
  @inline(__always)
  private func nowIfNeeded(maximumAge: Duration?) -> Duration? {
    configuration.timeToLive != nil || maximumAge != nil || limitsResults.load() > 0 ? now() : nil
  }

  package func miss(of operation: GraphQLOperation) -> OperationResult {
    // A watch that shows what a look has found waits for mutations that return its types.
    let found =
      operation.context.lookPolicy == nil
      ? nil : types.types(in: nil, plan: operation.prepared.plan)
    let (dropped, signal) = state.withLock { state in
      var dropped = state.switchSession(to: operation.context.session)
      let signal = state.signalOfMiss(operation, found, into: &dropped)
      return (dropped, signal)
    }
    dropped.fire()
    return OperationResult().withSignal(signal)
  }

  /// Takes the instant with which the cache compares the response later.
  package func beginRequest(for operation: GraphQLOperation, looksAgain: Bool) -> CacheBeginning {
    let now = looksAgain ? nowIfNeeded(operation) : nil
    let (dropped, beginning) = state.withLock {
      state -> (DocumentCacheState.Dropped, CacheBeginning) in
      let slot = state.slotInUse(of: operation)
      if looksAgain, let hit = state.lookUp(operation, in: slot, now: now) {
        return (DocumentCacheState.Dropped(), .hit(hit))
      }
      // This request may be the first of a new session.
      let dropped = state.switchSession(to: operation.context.session)
      return (dropped, .request(state.beginRequest(in: slot)))
    }
    dropped.fire()
    return beginning
  }

  package func endRequest(_ request: CacheRequest) {
    if !request.hasEnded { state.withLock { $0.endRequest(request.sentAt) } }
  }

  package var session: Session { state.withLock(\.session) }

  package func receiveAtOnce(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout CacheRequest
  ) -> OperationResult? {
    store(result, of: operation, for: &request)
  }

  package func receive(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout CacheRequest
  ) async -> OperationResult {
    store(result, of: operation, for: &request)
  }

  private func store(
    _ result: OperationResult, of operation: GraphQLOperation, for request: inout CacheRequest
  ) -> OperationResult {
    let result = result.reusing(request.former)
    let found = types.types(in: result.data, plan: operation.prepared.plan)
    let tags = operation.context.takeTags()
    noteRetention(of: result.payload)
    let response = CachedResponse(
      payload: result.payload, requestedAt: request.sentAt, receivedAt: now(),
      names: tags.isEmpty ? found.names : found.names.union(tags),
      unknownFields: found.unknownFields.isEmpty
        ? [] : Set(found.unknownFields.map(\.description)),
      isStorable: !result.hasNext && result.data != nil && operation.context.stores(result)
        && (result.error == nil
          || configuration.storesPartialResults && result.error?.code == .graphQL),
      isFinal: !result.hasNext, formerlyStoredAt: request.storedAt)
    request.hasEnded = request.isLast
    var reception = Reception()
    state.withLock { [isLast = request.isLast, sentAt = request.sentAt] state in
      if !found.learned.isEmpty { state.learn(found.learned) }
      state.receive(response, for: operation, &reception)
      if isLast { state.endRequest(sentAt) }
    }
    reception.fire()
    request.storedAt = reception.storedAt ?? request.storedAt
    guard let signal = reception.signal else { return result }
    var delivered = result.withSignal(signal)
    delivered.isStale = reception.isSuperseded
    return delivered
  }

  package func lastResort(
    for operation: GraphQLOperation, shown: ResultPayload?
  ) -> ResultPayload? {
    guard operation.context.policyOnFailure.fallback == .anything else { return shown }
    let now = now()
    return state.withLock { $0.payload(of: operation, now: now) }
  }

  /// Before the result is stored, so that no hit misses it.
  func noteRetention(of payload: ResultPayload) {
    if payload.retention != nil { limitsResults.raise(to: 1) }
  }
}

// MARK: - Invalidation

extension DocumentCacheExchange {
  /// A subscription was interrupted and restarted. The missed events could have invalidated
  /// anything.
  private func eventsWereMissed(in session: Session) {
    guard state.withLock({ session >= $0.session }) else { return }
    missedEvents.note { [weak self] in
      self?.state.withLock { state in
        session >= state.session ? state.clear(at: .next()) : DocumentCacheState.Dropped()
      }.fire()
    }
  }

  /// Drops the results that `invalidation` names; the watches that show them refetch.
  public func invalidate(_ invalidation: Invalidation) {
    let dropped = state.withLock { state in
      switch invalidation {
      case .types(let names):
        state.invalidate(names, includingUnknown: true, at: .next())
      case .operation(let operation):
        state.invalidate(operation.identity, at: .next())
      case .all:
        state.clear(at: .next())
      }
    }
    dropped.fire()
  }

  /// Drops everything. Executions of older sessions can no longer read or write.
  public func switchSession(to session: Session) {
    state.withLock { $0.switchSession(to: session) }.fire()
  }
}

extension Exchange where Self == DocumentCacheExchange {
  /// A cache of whole results with the default configuration; see ``DocumentCacheExchange``. Place
  /// it after dedup.
  public static var documentCache: DocumentCacheExchange { DocumentCacheExchange() }

  /// A cache of whole results; see ``DocumentCacheExchange``. Place it after dedup.
  public static func documentCache(
    _ configuration: DocumentCacheConfiguration
  ) -> DocumentCacheExchange {
    DocumentCacheExchange(configuration)
  }
}
