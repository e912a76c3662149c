/// Keeps whole results by operation and variables, and drops them when a mutation returns a type
/// that they contain.
///
/// ```swift
/// var configuration = DocumentCacheConfiguration()
/// configuration.timeToLive = .seconds(3600)
/// let client = GraphQLClient([.dedup, .documentCache(configuration), .fetch(url)])
/// for await result in client.watch(todos) { show(result) }
/// // Elsewhere: it returns a Todo, so the loop above is given the list anew.
/// await client.mutate(addTodo)
/// ```
///
/// It stands below dedup and above everything that suspends. What it promises:
/// - A result is served only if it was requested after the last invalidation of each of its types,
///   also when the mutation ran during the request. A response that was overtaken on its way is
///   delivered as stale, not kept, and asked for once more.
/// - An empty list is invalidated, too, by a mutation that returns its element type: the types of
///   each field are known from the schema or learned from any response. Until those of a field
///   that came back empty are known, every mutation invalidates the result.
/// - Each query result carries a ``RefreshSignal``, so that watches follow whatever happens to the
///   key: invalidation, a newer response, ``invalidate(_:)``.
/// - It is bounded in count and bytes; what a live watch shows is not evicted.
///
/// A hit takes one look-up under a lock that is held for some tens of nanoseconds: no task, no
/// executor hop, no parsing. A miss adds a walk over the response that looks at type names.
public final class DocumentCacheExchange: StatefulExchange {
  let configuration: DocumentCacheConfiguration
  let state: Locked<DocumentCacheState>
  let types: TypeKnowledge
  let now: @Sendable () -> Duration

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - configuration: bounds, time to live, schema.
  ///   - clock: what the time to live is measured with.
  public init(
    _ configuration: DocumentCacheConfiguration = DocumentCacheConfiguration(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    state = Locked(DocumentCacheState(configuration))
    types = TypeKnowledge(schema: configuration.schema)
    now = clock.elapsed()
  }

  /// Answers a query from the cache as its request policy says; lets mutations invalidate.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    switch operation.kind {
    case .query:
      return query(operation, forward: forward)
    case .mutation:
      return forward(operation).map { [self] result in
        invalidate(by: result, of: operation, includingData: true)
        return result
      }
    case .subscription:
      let byType = configuration.subscriptionsInvalidateByType
      let session = operation.context.session
      let operation = operation.with {
        $0.onMissedEvents { [weak self] in self?.eventsWereMissed(in: session) }
      }
      return forward(operation).map { [self] result in
        invalidate(by: result, of: operation, includingData: byType)
        return result
      }
    }
  }

  private func query(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let policy = operation.context.requestPolicy
    if policy.readsCacheFirst, let hit = lookUp(operation) {
      guard policy == .cacheAndNetwork, !hit.isStale else { return .just(hit) }
      var stale = hit.withSignal(.fired(at: .next()))
      stale.isStale = true
      return .starting(with: [stale]) { [self] in
        fromNetwork(operation, forward: forward, shown: hit.payload)
      }
    }
    if policy == .cacheOnly { return .just(miss(operation)) }
    return fromNetwork(operation, forward: forward, shown: nil)
  }

  private func fromNetwork(
    _ operation: GraphQLOperation, forward: Forward, shown: ResultPayload?
  ) -> ResultStream {
    ResultStream(source: { [self] in
      CachedQuerySource(operation: operation, forward: forward, cache: self, shown: shown)
    })
  }
}

// MARK: - Reading

extension DocumentCacheExchange {
  /// The cached result of a query, if it may be served; or the failure that answers a refetch.
  @inline(__always)
  func lookUp(_ operation: GraphQLOperation) -> OperationResult? {
    let needsAge = configuration.timeToLive != nil || operation.context.maximumAge != nil
    let now = needsAge ? self.now() : nil
    return state.withLock { $0.lookUp(operation, now: now) }
  }

  /// What a `cacheOnly` query gets that nothing is cached for.
  private func miss(_ operation: GraphQLOperation) -> OperationResult {
    let (dropped, signal) = state.withLock { state in
      var dropped = state.switchSession(to: operation.context.session)
      let signal = state.signalOfMiss(operation, into: &dropped)
      return (dropped, signal)
    }
    dropped.fire()
    return OperationResult().withSignal(signal)
  }

  /// The cached data of a query, however old: for who has nothing better.
  func lastResort(_ operation: GraphQLOperation) -> ResultPayload? {
    state.withLock { $0.payload(of: operation) }
  }
}

// MARK: - Requests and responses

extension DocumentCacheExchange {
  /// A request leaves. Its instant is what its response is compared with later.
  ///
  /// It may be the first that the cache hears of a new session.
  func beginRequest(for operation: GraphQLOperation) -> LogicalInstant {
    let (dropped, requestedAt) = state.withLock { state in
      (state.switchSession(to: operation.context.session), state.beginRequest())
    }
    dropped.fire()
    return requestedAt
  }

  /// A request is over, with or without a response.
  func endRequest(_ requestedAt: LogicalInstant) {
    state.withLock { $0.endRequest(requestedAt) }
  }

  /// A response has come: keeps it if it may be kept.
  ///
  /// - Returns: the result to deliver, with its signal; stale if it was overtaken on its way.
  func receive(
    _ result: OperationResult, of operation: GraphQLOperation, requestedAt: LogicalInstant
  ) -> OperationResult {
    let found = types.types(in: result.data, plan: operation.prepared.plan)
    let tags = operation.context.flightTags?.take() ?? operation.context.additionalTypenames
    let response = CachedResponse(
      payload: result.payload, requestedAt: requestedAt, receivedAt: now(),
      names: found.names.union(tags), unknownFields: found.unknownFields,
      isStorable: !result.hasNext && result.data != nil
        && (result.error == nil
          || configuration.storesPartialResults && result.error?.code == .graphQL),
      isFinal: !result.hasNext)
    let reception = state.withLock { state in
      state.learn(found.learned)
      return state.receive(response, for: operation)
    }
    reception.fire()
    guard let signal = reception.signal else { return result }
    var delivered = result.withSignal(signal)
    delivered.isStale = reception.isOvertaken
    return delivered
  }
}

// MARK: - Invalidation

extension DocumentCacheExchange {
  private func invalidate(
    by result: OperationResult, of operation: GraphQLOperation, includingData: Bool
  ) {
    guard let data = result.data else { return }
    var names = operation.context.additionalTypenames
    var learned: [LearnedType] = []
    if includingData {
      let found = types.typesInvalidated(
        by: data, of: operation, hasErrors: result.error != nil)
      names.formUnion(found.names)
      learned = found.learned
    }
    let dropped = state.withLock { state -> DocumentCacheState.Dropped in
      guard operation.context.session >= state.session else { return DocumentCacheState.Dropped() }
      state.learn(learned)
      return state.invalidate(
        names, includingUnknown: operation.kind == .mutation, at: .next())
    }
    dropped.fire()
  }

  /// A subscription was lost and runs again: its events would have said what has changed meanwhile,
  /// so anything may have.
  private func eventsWereMissed(in session: Session) {
    state.withLock { state in
      session >= state.session ? state.clear(at: .next()) : DocumentCacheState.Dropped()
    }.fire()
  }

  /// Drops what `invalidation` names; the watches that show it refetch.
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

  /// Drops everything; executions of older sessions neither read nor write any more.
  public func switchSession(to session: Session) {
    state.withLock { $0.switchSession(to: session) }.fire()
  }
}

extension Exchange where Self == DocumentCacheExchange {
  /// Whole results by operation and variables; see ``DocumentCacheExchange``. Place it after dedup.
  public static var documentCache: DocumentCacheExchange { DocumentCacheExchange() }

  /// Whole results by operation and variables; see ``DocumentCacheExchange``. Place it after dedup.
  public static func documentCache(
    _ configuration: DocumentCacheConfiguration
  ) -> DocumentCacheExchange {
    DocumentCacheExchange(configuration)
  }
}
