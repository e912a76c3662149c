/// Decides whether the cache may answer a query, and whether a request is sent. Mutations and
/// subscriptions are always sent.
///
/// | policy | nothing cached | cached |
/// |---|---|---|
/// | ``cacheFirst`` | request | cached result, no request |
/// | ``cacheAndNetwork`` | request | cached result marked stale, then the response |
/// | ``networkOnly`` | request | request |
/// | ``networkFirst`` | request | request; if it fails, the error with the cached data |
/// | ``cacheOnly`` | an error (``OperationError/Code/notCached``), no request | cached result |
///
/// ```swift
/// let newest = await client.query(feed, context: .networkOnly)
/// let same = await client.query(feedOperation.with(.networkOnly))
/// ```
///
/// The policies of Apollo's clients correspond to these: `returnCacheDataElseFetch` and
/// `cacheFirst` to ``cacheFirst``; `returnCacheDataAndFetch` and `cacheAndNetwork` to
/// ``cacheAndNetwork``; `fetchIgnoringCacheData` and `networkOnly` to ``networkOnly``;
/// `fetchIgnoringCacheCompletely` to ``networkOnly`` with ``OperationContext/storesResult``
/// switched off; `returnCacheDataDontFetch` and `cacheOnly` to ``cacheOnly``; `networkFirst` to
/// ``networkFirst``.
public enum RequestPolicy: Hashable, Sendable, CaseIterable {
  /// The cached result if there is one, otherwise a request.
  case cacheFirst
  /// The cached result, marked stale, and a request in any case.
  case cacheAndNetwork
  /// A request in any case; its result is cached.
  case networkOnly
  /// A request in any case; if it fails without data, the error with the cached data.
  case networkFirst
  /// The cached result, or an error with the code ``OperationError/Code/notCached``; never a
  /// request. A watch goes on after that error, and delivers what another execution brings.
  case cacheOnly

  /// Whether a cached result may be the first answer.
  package var readsCacheFirst: Bool {
    switch self {
    case .cacheFirst, .cacheAndNetwork, .cacheOnly: true
    case .networkOnly, .networkFirst: false
    }
  }

  /// Whether only a response from the network answers the query, and not another execution's cache
  /// hit.
  var wantsNetwork: Bool {
    switch self {
    case .cacheAndNetwork, .networkOnly, .networkFirst: true
    case .cacheFirst, .cacheOnly: false
    }
  }

  /// The cached data that may stand beside the error of a failed request.
  package enum Fallback {
    case nothing
    /// Data that has expired so recently that the cache's configuration allows it.
    case overdue
    /// The data that the execution has shown before.
    case shown
    /// All that the cache has, however old.
    case anything
  }

  package var fallback: Fallback {
    switch self {
    case .networkOnly: .nothing
    case .cacheFirst: .overdue
    // The latter sends nothing, but can wait too long for a storage.
    case .cacheAndNetwork, .cacheOnly: .shown
    case .networkFirst: .anything
    }
  }

  /// The policy with which a watch executes again after a refresh signal.
  var whenRefetching: RequestPolicy {
    self == .cacheOnly ? .cacheOnly : .cacheFirst
  }
}

extension GraphQLOperation {
  /// The same query as a look into the caches: they answer at once, whatever their storages have, with what
  /// an execution with a policy would show beside an error.
  func look(showing policy: RequestPolicy) -> GraphQLOperation {
    with {
      $0.requestPolicy = .cacheOnly
      $0.lookPolicy = policy
    }
  }

  /// Whether it is a query for which nothing must be sent.
  package var isCacheOnly: Bool {
    kind == .query
      && (context.requestPolicy == .cacheOnly || context.lookPolicy != nil)
  }

  /// Whether an exchange has given a look into the caches another policy, as it may give each query. A
  /// cache answers it with `cacheOnly` all the same.
  package var isLookWithOtherPolicy: Bool {
    context.lookPolicy != nil && context.requestPolicy != .cacheOnly
  }

  /// Whether an exchange has given a refetch a policy that wants the network, as it may give each query.
  ///
  /// A watch that refetches asks for data of a certain instant, so a cache follows `cacheFirst`. Otherwise,
  /// the response to one watch of a query would make another one refetch, and so on forever.
  package var isRefetchFromNetwork: Bool {
    context.isRefetch && context.requestPolicy.wantsNetwork && !context.keepsPolicy
  }
}

extension OperationContext {
  /// The policy that decides what is shown beside an error.
  package var policyOnFailure: RequestPolicy { lookPolicy ?? requestPolicy }

  /// The minimum age that any limit tolerates in a refetch, which is answered by the response that has
  /// caused it. Otherwise two watches of one query would refetch because of each other's responses without
  /// end.
  package var ageAllowance: Duration { isRefetch ? .seconds(1) : .zero }

  /// Whether a watch executes the operation because a signal has fired: it asks for data from that instant on.
  package var isRefetch: Bool { notBefore > .distantPast }
}
