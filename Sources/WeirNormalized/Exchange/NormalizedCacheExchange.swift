public import Weir

/// A cache of the entities of all results: what one operation brings, every other operation shows.
///
/// It takes the document cache's place: `[.dedup, .normalizedCache, .fetch(url)]`. The cache splits
/// each response into records by type and key, and puts queries together from them. So
/// - a query needs no request if other operations have brought its data;
/// - a mutation that returns an entity changes the entity wherever it is shown, without a refetch;
/// - a watch wakes when a field that it shows changes, whatever has changed it, and only then.
///
/// A hit whose data has not changed costs a look-up and a comparison; nothing is parsed.
public final class NormalizedCacheExchange: StatefulExchange {
  /// The store that the exchange reads and writes. Your app may do so, too.
  public let store: NormalizedStore

  /// Creates an exchange over a store, which may be used elsewhere, too.
  public init(store: NormalizedStore) {
    self.store = store
  }

  /// Creates an exchange over an empty store in memory.
  public convenience init(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration()
  ) {
    self.init(store: NormalizedStore(configuration))
  }

  /// Answers a query from the store as its request policy says; writes what comes back.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if let scope = operation.context.scope, scope.text != store.state.scope {
      // The execution holds the partition's exchange, and so the partition, until it ends.
      let partition = store.partition(of: operation.context)
      return NormalizedCacheExchange(store: partition).execute(operation, forward: forward)
    }
    guard operation.kind == .query else {
      return request(notingMissedEvents(operation), forward: forward)
    }
    if operation.isLookWithOtherPolicy {
      return execute(operation.with { $0.requestPolicy = .cacheOnly }, forward: forward)
    }
    // Fields are stored by their arguments, in which every file is null.
    guard operation.uploads.isEmpty else { return unstored(operation, forward: forward) }
    if operation.isRefetchFromNetwork {
      return execute(operation.with { $0.requestPolicy = .cacheFirst }, forward: forward)
    }
    let policy = operation.context.requestPolicy
    guard policy.readsCacheFirst else { return answer(operation, with: nil, forward: forward) }
    if policy != .cacheAndNetwork, let hit = store.unchangedHit(for: operation) {
      return .just(hit)
    }
    let hit = store.lacksStored(operation) ? nil : hit(for: operation)
    // A look must not wait.
    guard hit == nil, store.link != nil, operation.context.lookPolicy == nil else {
      return answer(operation, with: hit, forward: forward)
    }
    return .awaiting { [self] in
      // Until it has been read, the store must not evict what is loaded.
      let pin = store.hold(operation)
      await store.link?.load(ReadTarget(executing: operation))
      return withExtendedLifetime(pin) {
        answer(operation, with: self.hit(for: operation), forward: forward)
      }
    }
  }

  private func unstored(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if operation.context.requestPolicy == .cacheOnly {
      return answer(operation, with: nil, forward: forward)
    }
    let unstored = operation.with {
      $0.requestPolicy = .networkOnly
      $0.storesResult = false
    }
    return answer(unstored, with: nil, forward: forward)
  }

  private func notingMissedEvents(_ operation: GraphQLOperation) -> GraphQLOperation {
    guard operation.kind == .subscription else { return operation }
    return operation.with { [session = operation.context.session] in
      $0.onMissedEvents { [weak store] in store?.eventsWereMissed(in: session) }
    }
  }

  private func hit(for operation: GraphQLOperation) -> OperationResult? {
    store.hit(for: operation) ?? store.revalidated(operation)
  }

  /// Marks what `invalidation` names as stale, and keeps the data; with `.all`, removes everything. The
  /// watches that show it refetch.
  public func invalidate(_ invalidation: Invalidation) {
    store.invalidate(invalidation)
  }

  /// Removes everything. Executions of older sessions can no longer read or write.
  public func switchSession(to session: Session) {
    store.switchSession(to: session)
  }

  /// Waits until the removal is committed in the storage, as ``NormalizedStore/flush()`` does.
  public func finishSwitch(to session: Session) async throws {
    try await store.flush()
  }
}

extension Exchange where Self == NormalizedCacheExchange {
  /// A cache of entities with the default configuration; see ``NormalizedCacheExchange``. Place it
  /// after dedup.
  public static var normalizedCache: NormalizedCacheExchange { NormalizedCacheExchange() }

  /// A cache of entities; see ``NormalizedCacheExchange``. Place it after dedup.
  public static func normalizedCache(
    _ configuration: NormalizedCacheConfiguration
  ) -> NormalizedCacheExchange {
    NormalizedCacheExchange(configuration)
  }

  /// A cache of entities over a store of yours; see ``NormalizedCacheExchange``. Place it after
  /// dedup.
  public static func normalizedCache(_ store: NormalizedStore) -> NormalizedCacheExchange {
    NormalizedCacheExchange(store: store)
  }
}
