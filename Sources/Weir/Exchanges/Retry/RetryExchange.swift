public import Foundation

/// Sends an operation again when it failed for a reason that may go away.
///
/// ```swift
/// var retry = RetryConfiguration()
/// retry.maximumAttempts = 5
/// let client = GraphQLClient([.dedup, .documentCache, .retry(retry), .fetch(url)])
///
/// let like = likePost.with { $0.isIdempotent = true }   // a mutation that may be sent twice
/// ```
///
/// It stands below the cache and auth, above a concurrency limit and fetch.
///
/// - It waits a random part of a bound that doubles with each attempt, and at least as long as the
///   server asks for by `Retry-After`, in seconds or as a date.
/// - Queries are retried, mutations only if their context says ``OperationContext/isIdempotent``.
///   Subscriptions pass: who reads events decides what a new beginning means.
/// - Only a failure without data, before anything was delivered, is retried; those before the last
///   are not seen. ``OperationContext/attempt`` tells the exchanges below which attempt it is.
/// - Leaving ends the waiting.
///
/// It runs in the consumer's task; an operation that succeeds costs one small object.
public struct RetryExchange: Exchange {
  fileprivate let configuration: RetryConfiguration
  fileprivate let sleep: @Sendable (Duration) async throws -> Void
  fileprivate let random: @Sendable () -> Double
  fileprivate let now: @Sendable () -> Date

  /// An exchange that retries.
  ///
  /// - Parameters:
  ///   - configuration: what is retried, how often, and after how long.
  ///   - clock: what it waits by.
  ///   - random: a number of at least 0 and less than 1, for the jitter.
  ///   - now: the date, for a `Retry-After` that is a date in a response without one.
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

  /// Sends an operation until it succeeds, fails for good, or was sent often enough.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    guard operation.context.isIdempotent ?? (operation.kind == .query),
      operation.kind != .subscription, configuration.maximumAttempts > 1
    else { return forward(operation) }
    return ResultStream(source: { RetrySource(self, operation, forward) })
  }

  /// How long to wait before the next attempt; nil if there is none.
  fileprivate func delay(
    after result: OperationResult, of operation: GraphQLOperation, attempt: Int
  ) -> Duration? {
    guard let error = result.error, result.data == nil, attempt < configuration.maximumAttempts,
      configuration.shouldRetry(error, operation)
    else { return nil }
    let jitter = configuration.delay(after: attempt, fraction: random())
    guard let asked = error.retryAfter(now: now()) else { return jitter }
    // On top of what everybody was told to wait, or they would all come back at once.
    return asked <= configuration.maximumRetryAfter ? asked + jitter : nil
  }
}

extension Exchange where Self == RetryExchange {
  /// Sends again what failed for a while; see ``RetryExchange``. Place it below the cache.
  public static var retry: RetryExchange { RetryExchange() }

  /// Sends again what failed for a while; see ``RetryExchange``. Place it below the cache.
  public static func retry(_ configuration: RetryConfiguration) -> RetryExchange {
    RetryExchange(configuration)
  }
}

/// One execution with all its attempts, in the consumer's task.
private final class RetrySource: ResultSource {
  private let exchange: RetryExchange
  private let operation: GraphQLOperation
  private let forward: Forward
  private var iterator: ResultStream.Iterator?
  private var attempt = 0
  private var hasDelivered = false

  init(_ exchange: RetryExchange, _ operation: GraphQLOperation, _ forward: Forward) {
    self.exchange = exchange
    self.operation = operation
    self.forward = forward
  }

  override func next(isolation: isolated (any Actor)?) async -> OperationResult? {
    while !Task.isCancelled {
      guard var running = iterator else {
        send()
        continue
      }
      let result = await running.next(isolation: isolation)
      iterator = running
      if !hasDelivered, let result,
        let delay = exchange.delay(after: result, of: operation, attempt: attempt)
      {
        iterator = nil
        guard await pause(delay) else { break }
        continue
      }
      hasDelivered = true
      return result
    }
    return nil
  }

  private func send() {
    attempt += 1
    let numbered = attempt == 1 ? operation : operation.with { $0.attempt = attempt }
    iterator = forward(numbered).makeAsyncIterator()
  }

  /// False if the consumer was cancelled.
  private func pause(_ delay: Duration) async -> Bool {
    do {
      try await exchange.sleep(delay)
      return true
    } catch {
      return false
    }
  }
}
