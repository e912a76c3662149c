public import Foundation

/// Refetches a cached query result from the network if it is older than a limit.
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
/// Place it above dedup and the cache. It changes the policy of a `cacheFirst` query to
/// `cacheAndNetwork` if the cached result is older than the maximum age, so a caller that waits for
/// the final result (`await client.query`) waits for the network. Queries with other policies are
/// forwarded unchanged.
///
/// The age is the time since ``OperationResult/timing``, which cached and restored results keep. A
/// normalized cache puts results together from several responses, so they have no timing; there, the
/// age is the time since the query's own response was stored, and the exchange looks into the cache
/// a second time, with ``OperationContext/maximumAge``. Exchanges between them see that as an execution
/// with the policy ``RequestPolicy/cacheOnly``. A result that only other operations have brought counts
/// as old, and so does one that was received later than the date. The exchange stores nothing, and a hit
/// costs one look at the date.
public struct RequestPolicyExchange: Exchange {
  private let maximumAge: Duration
  private let shouldUpgrade: @Sendable (GraphQLOperation) -> Bool
  private let now: @Sendable () -> Date

  /// Makes an exchange with a maximum age.
  ///
  /// - Parameters:
  ///   - maximumAge: The maximum age of a cached result that is not refetched.
  ///   - shouldUpgrade: Returns whether the limit applies to a query; it applies to all by default.
  ///   - now: Returns the date with which a result's timing is compared.
  public init(
    maximumAge: Duration,
    shouldUpgrade: @escaping @Sendable (GraphQLOperation) -> Bool = { _ in true },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.maximumAge = maximumAge
    self.shouldUpgrade = shouldUpgrade
    self.now = now
  }

  /// Forwards a query, and once more with another policy if its cached result is old.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let stream = forward(operation)
    guard operation.kind == .query, operation.context.requestPolicy == .cacheFirst else {
      return stream
    }
    return limited(stream) { result in
      guard result.outcome != .miss, !result.isStale, !result.isFallback,
        shouldUpgrade(operation), isOld(result, operation, forward)
      else { return nil }
      return forward(
        operation.with {
          $0.requestPolicy = .cacheAndNetwork
          $0.keepsPolicy = true
        })
    }
  }

  /// Returns a stream that goes on with another one, if there is one to replace its first result. A
  /// cache with a storage has to be awaited before it answers.
  private func limited(
    _ stream: ResultStream,
    _ replacement: @escaping @Sendable (OperationResult) -> ResultStream?
  ) -> ResultStream {
    switch stream.content {
    case .just, .results, .starting: stream.immediate.flatMap(replacement) ?? stream
    case .deferred(let make): .deferred { limited(make(), replacement) }
    case .awaiting(let make): .awaiting { limited(await make(), replacement) }
    case .source(let make): ResultStream(source: { ReplaceableSource(make(), nil, replacement) })
    case .shareable(let make): .shareable { ReplaceableSource(make($0), $0, replacement) }
    }
  }

  private func isOld(
    _ hit: OperationResult, _ operation: GraphQLOperation, _ forward: Forward
  ) -> Bool {
    let maximumAge = max(maximumAge, operation.context.ageAllowance)
    if let timing = hit.timing {
      let age = now().timeIntervalSince(timing.receivedAt)
      // A negative age says that the system's clock was set back. Nobody knows the real one.
      return age > maximumAge / .seconds(1) || age < 0
    }
    // Only the cache knows, unless an exchange above it has to wait.
    let young = forward(
      operation.look(showing: operation.context.requestPolicy).with {
        $0.maximumAge = min($0.maximumAge ?? maximumAge, maximumAge)
      })
    return young.immediate.map { $0.outcome == .miss || $0.isStale || $0.isFallback } ?? false
  }
}

extension Exchange where Self == RequestPolicyExchange {
  /// Refetches cached results of a certain age; see ``RequestPolicyExchange``. Place it above
  /// dedup and the cache.
  public static func requestPolicy(maximumAge: Duration) -> RequestPolicyExchange {
    RequestPolicyExchange(maximumAge: maximumAge)
  }
}

/// Delivers the results of a source, or those of a stream that replaces the first one.
private final class ReplaceableSource: WrappingSource {
  private let flight: SharedRequest?
  private var replacement: (@Sendable (OperationResult) -> ResultStream?)?

  init(
    _ base: ResultSource, _ flight: SharedRequest?,
    _ replacement: @escaping @Sendable (OperationResult) -> ResultStream?
  ) {
    self.flight = flight
    self.replacement = replacement
    super.init(base)
  }

  override func step() -> ResultStream.Iterator.Step {
    let step = base.step()
    guard case .done(let result) = step, isReplaced(result) else { return step }
    return base.step()
  }

  private func isReplaced(_ result: OperationResult?) -> Bool {
    guard let result, let replacement = replacement.take() else { return false }
    guard let stream = replacement(result) else { return false }
    base = StreamSource(stream.makeIterator(in: flight))
    return true
  }
}
