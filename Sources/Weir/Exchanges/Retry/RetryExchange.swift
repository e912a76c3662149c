public import Foundation

/// Sends an operation again if it failed for a temporary reason.
///
/// ```swift
/// var retry = RetryConfiguration()
/// retry.maximumAttempts = 5
/// let client = GraphQLClient([.dedup, .documentCache, .retry(retry), .fetch(url)])
///
/// let like = likePost.with { $0.isIdempotent = true }   // this mutation may be sent twice
/// ```
///
/// Place it below the cache and auth, and above a concurrency limit and fetch.
///
/// - The delay is a random part of a bound that doubles with each attempt, and at least as long as
///   the server's `Retry-After`, which may be in seconds or a date.
/// - Queries are retried, mutations only if ``OperationContext/isIdempotent`` is true.
///   Subscriptions are never retried; only their consumer knows what a restart means.
/// - A failure is retried only if it has no data, or null for each field of the root, and no result was
///   delivered before. The consumer gets the last failure. ``OperationContext/attempt`` has the number
///   of the attempt, for the exchanges below.
/// - The wait ends when the consumer leaves.
///
/// It runs in the consumer's task; an operation that succeeds costs one small object.
public struct RetryExchange: Exchange {
  fileprivate let configuration: RetryConfiguration
  fileprivate let sleep: @Sendable (Duration) async throws -> Void
  fileprivate let random: @Sendable () -> Double
  fileprivate let now: @Sendable () -> Date

  /// Makes an exchange that retries.
  ///
  /// - Parameters:
  ///   - configuration: Which failures are retried, how often, and after how long.
  ///   - clock: The clock that measures delays.
  ///   - random: Returns a number of at least 0 and less than 1, for the jitter.
  ///   - now: Returns the date, for a `Retry-After` with a date in a response without `Date`.
  public init(
    _ configuration: RetryConfiguration = RetryConfiguration(),
    clock: some Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.configuration = configuration
    sleep = { try await clock.wait(for: $0) }
    self.random = random
    self.now = now
  }

  /// Sends an operation until it succeeds, fails permanently, or has no more attempts.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.mayBeSentTwice, operation.kind != .subscription,
      configuration.maximumAttempts > 1
    else { return forward(operation) }
    return ResultStream(source: { RetrySource(self, operation, forward) })
  }

  /// Returns the delay before the next attempt; nil if there is none.
  fileprivate func delay(
    after result: OperationResult, of operation: GraphQLOperation, attempt: Int
  ) -> Duration? {
    guard let error = result.error, !result.hasRootData, attempt < configuration.maximumAttempts,
      configuration.shouldRetry(error, operation)
    else { return nil }
    let jitter = configuration.backoff.delay(after: attempt, fraction: random())
    guard let retryAfter = error.retryAfter(now: now()) else { return jitter }
    // The jitter is added, because otherwise all clients would return at once.
    return retryAfter <= configuration.maximumRetryAfter ? retryAfter + jitter : nil
  }
}

extension OperationResult {
  /// Whether any field of the root has a value.
  fileprivate var hasRootData: Bool { data?.members.contains { !$0.value.isNull } ?? false }
}

extension Exchange where Self == RetryExchange {
  /// Retries operations that failed temporarily; see ``RetryExchange``. Place it below the cache.
  public static var retry: RetryExchange { RetryExchange() }

  /// Retries operations that failed temporarily; see ``RetryExchange``. Place it below the cache.
  public static func retry(_ configuration: RetryConfiguration) -> RetryExchange {
    RetryExchange(configuration)
  }
}

/// One execution with all its attempts, in the consumer's task.
private final class RetrySource: ExecutionSource<RetryExchange> {
  private enum Phase {
    case sending
    case sent(ResultStream.Iterator)
    /// A result was delivered, after which nothing is retried.
    case delivering(ResultStream.Iterator)
  }

  private var phase = Phase.sending
  private var attempt = 0

  override func next() async -> OperationResult? {
    while !Task.isCancelled {
      switch phase {
      case .sending:
        attempt += 1
        let numbered = attempt == 1 ? operation : operation.with { $0.attempt = attempt }
        phase = .sent(forward(numbered).makeAsyncIterator())
      case .sent(var iterator):
        let result = await iterator.next()
        guard let result,
          let delay = exchange.delay(after: result, of: operation, attempt: attempt)
        else {
          phase = .delivering(iterator)
          return result
        }
        phase = .sending
        do { try await exchange.sleep(delay) } catch { return nil }
      case .delivering(var iterator):
        let result = await iterator.next()
        phase = .delivering(iterator)
        return result
      }
    }
    return nil
  }
}
