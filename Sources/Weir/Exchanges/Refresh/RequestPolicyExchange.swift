public import Foundation

/// Lets a query that the cache can answer go to the network as well, if its result is old.
///
/// ```swift
/// let client = GraphQLClient([
///   .requestPolicy(maximumAge: .seconds(300)), .dedup, .documentCache, .fetch(url),
/// ])
/// for await result in client.results(of: feed) {
///   show(result)   // at once; after five minutes marked stale, and then once more, fresh
/// }
/// ```
///
/// It stands above dedup and the cache. A `cacheFirst` query whose cached result came from the
/// network longer ago than the age becomes `cacheAndNetwork`; so one that shows nothing but the
/// final result (`await client.query`) waits for the network. All other policies say what they mean,
/// and are left alone.
///
/// The age is the time since ``OperationResult/timing``, which travels with cached results, also with
/// restored ones; a cached result without timing counts as old. It keeps no table, and a hit costs a
/// look at the date.
public struct RequestPolicyExchange: Exchange {
  private let maximumAge: Duration
  private let shouldUpgrade: @Sendable (GraphQLOperation) -> Bool
  private let now: @Sendable () -> Date

  /// An exchange with an age.
  ///
  /// - Parameters:
  ///   - maximumAge: how old a cached result may be that is the only answer.
  ///   - shouldUpgrade: which queries this holds for; all by default.
  ///   - now: the date.
  public init(
    maximumAge: Duration,
    shouldUpgrade: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.maximumAge = maximumAge
    self.shouldUpgrade = shouldUpgrade
    self.now = now
  }

  /// Forwards a query, and if its cached result is old, with another policy.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let stream = forward(operation)
    guard operation.kind == .query, operation.context.requestPolicy == .cacheFirst,
      let hit = stream.immediate, hit.outcome != .miss, !hit.isStale, isOld(hit),
      shouldUpgrade(operation)
    else { return stream }
    return forward(operation.with { $0.requestPolicy = .cacheAndNetwork })
  }

  private func isOld(_ hit: OperationResult) -> Bool {
    guard let timing = hit.timing else { return true }
    return now().timeIntervalSince(timing.receivedAt) > maximumAge / .seconds(1)
  }
}

extension Exchange where Self == RequestPolicyExchange {
  /// Refreshes cached results of a certain age; see ``RequestPolicyExchange``. Place it first.
  public static func requestPolicy(maximumAge: Duration) -> RequestPolicyExchange {
    RequestPolicyExchange(maximumAge: maximumAge)
  }
}
