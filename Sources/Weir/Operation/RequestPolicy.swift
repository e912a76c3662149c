/// Whether a query may be answered from the cache, and whether a request is sent. Mutations and
/// subscriptions are always sent.
///
/// | policy | nothing cached | cached |
/// |---|---|---|
/// | ``cacheFirst`` | request | cached result, no request |
/// | ``cacheAndNetwork`` | request | cached result marked stale, then the response |
/// | ``networkOnly`` | request | request |
/// | ``networkFirst`` | request | request; the cached data beside the error if that fails |
/// | ``cacheOnly`` | a result without data, no request | cached result |
///
/// Those of Apollo's clients map to them: `returnCacheDataElseFetch` and `cacheFirst` to
/// ``cacheFirst``; `returnCacheDataAndFetch` and `cacheAndNetwork` to ``cacheAndNetwork``;
/// `fetchIgnoringCacheData` and `networkOnly` to ``networkOnly``; `fetchIgnoringCacheCompletely`
/// to ``networkOnly`` with ``OperationContext/storesResult`` switched off;
/// `returnCacheDataDontFetch` and `cacheOnly` to ``cacheOnly``; `networkFirst` to
/// ``networkFirst``.
public enum RequestPolicy: Hashable, Sendable, CaseIterable {
  /// The cached result if there is one, else a request.
  case cacheFirst
  /// The cached result, marked stale, and a request in any case.
  case cacheAndNetwork
  /// A request in any case; its result is cached.
  case networkOnly
  /// A request in any case; the cached data, with the error beside them, if the request fails
  /// without data.
  case networkFirst
  /// The cached result or none; never a request.
  case cacheOnly

  /// Whether a cached result may be the first answer.
  package var readsCacheFirst: Bool {
    switch self {
    case .cacheFirst, .cacheAndNetwork, .cacheOnly: true
    case .networkOnly, .networkFirst: false
    }
  }

  /// Whether only a response from the network will do: another execution's cache hit is not
  /// what was asked for.
  package var wantsNetwork: Bool {
    switch self {
    case .cacheAndNetwork, .networkOnly, .networkFirst: true
    case .cacheFirst, .cacheOnly: false
    }
  }

  /// The policy with which a watch executes again after a refresh signal.
  package var whenRefetching: RequestPolicy {
    self == .cacheOnly ? .cacheOnly : .cacheFirst
  }
}
