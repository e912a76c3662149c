public import Weir

/// Keeps the entities of all results, so that what one operation learns every other one shows.
///
/// It takes the document cache's place: `[.dedup, .normalizedCache, .fetch(url)]`. Each response is
/// taken apart into records by type and key; a query is put together from them. So
/// - a query that others have brought the data for needs no request;
/// - a mutation that returns an entity changes it wherever it is shown, without a refetch;
/// - a watch is woken by a change of a field that it shows, whoever has made it, and by no other.
///
/// A warm hit whose data have not changed costs a look-up and a comparison; nothing is parsed.
public final class NormalizedCacheExchange: StatefulExchange {
  /// What the exchange reads and writes; an app may do so, too.
  public let store: NormalizedStore

  /// An exchange over a store, its own or one that is used elsewhere, too.
  public init(store: NormalizedStore) {
    self.store = store
  }

  /// An exchange over an empty store in memory.
  public convenience init(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration()
  ) {
    self.init(store: NormalizedStore(configuration))
  }

  /// Answers a query from the store as its request policy says; writes what comes back.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    switch operation.kind {
    case .query: query(operation, forward: forward)
    case .mutation, .subscription:
      ResultStream(StoredResults(operation: operation, forward: forward, store: store))
    }
  }

  private func query(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let policy = operation.context.requestPolicy
    if policy == .cacheFirst || policy == .cacheOnly,
      let hit = store.unchangedHit(for: operation)
    {
      return .just(hit)
    }
    if let answer = answer(operation, forward: forward) { return answer }
    guard store.link != nil, policy.readsCacheFirst else {
      return request(operation, forward: forward)
    }
    return ResultStream(
      LoadedResults(store: store, operation: operation) { [self] in
        answer(operation, isLoaded: true, forward: forward)
          ?? request(operation, forward: forward)
      })
  }

  private func request(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    operation.context.requestPolicy == .cacheOnly
      ? .just(store.miss(of: operation))
      : ResultStream(StoredResults(operation: operation, forward: forward, store: store))
  }

  /// What memory can answer by itself, or with what was loaded.
  private func answer(
    _ operation: GraphQLOperation, isLoaded: Bool = false, forward: Forward
  ) -> ResultStream? {
    let policy = operation.context.requestPolicy
    if policy.readsCacheFirst, isLoaded || !store.lacksStored(operation),
      let hit = store.hit(for: operation) ?? store.revalidated(operation)
    {
      guard policy == .cacheAndNetwork || hit.isStale else { return .just(hit) }
      if policy == .cacheOnly { return .just(hit) }
      var stale = hit.withSignal(.fired(at: .next()))
      stale.isStale = true
      return .starting(with: [stale]) { [store] in
        ResultStream(
          StoredResults(operation: operation, forward: forward, store: store, shown: hit.payload))
      }
    }
    return nil
  }

  /// Marks what `invalidation` names as stale; the watches that show it refetch.
  public func invalidate(_ invalidation: Invalidation) {
    store.invalidate(invalidation)
  }

  /// Forgets everything; executions of older sessions neither read nor write any more.
  public func switchSession(to session: Session) {
    store.switchSession(to: session)
  }
}

extension Exchange where Self == NormalizedCacheExchange {
  /// Entities by key; see ``NormalizedCacheExchange``. Place it after dedup.
  public static var normalizedCache: NormalizedCacheExchange { NormalizedCacheExchange() }

  /// Entities by key; see ``NormalizedCacheExchange``. Place it after dedup.
  public static func normalizedCache(
    _ configuration: NormalizedCacheConfiguration
  ) -> NormalizedCacheExchange {
    NormalizedCacheExchange(configuration)
  }

  /// Entities by key, in a store of yours; see ``NormalizedCacheExchange``. Place it after dedup.
  public static func normalizedCache(_ store: NormalizedStore) -> NormalizedCacheExchange {
    NormalizedCacheExchange(store: store)
  }
}
