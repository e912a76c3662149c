/// When a ``RetryExchange`` sends an operation again, and how long it waits first.
public struct RetryConfiguration: Sendable {
  /// The maximum number of attempts, including the first one. Default 3; 1 retries nothing. (In
  /// ``Reconnection/maximumAttempts``, the first connection does not count.)
  public var maximumAttempts = 3

  /// The upper bound of the delay before the second attempt; it doubles for each further attempt.
  /// Default 0.5 seconds.
  public var initialDelay: Duration = .milliseconds(500)

  /// The maximum upper bound of a delay. Default 15 seconds.
  public var maximumDelay: Duration = .seconds(15)

  /// The maximum `Retry-After` that is respected; if the server asks for more, the error is the
  /// result. Default 60 seconds.
  public var maximumRetryAfter: Duration = .seconds(60)

  /// Returns whether another attempt may succeed. By default ``OperationError/isTransient``.
  public var shouldRetry: @Sendable (OperationError, GraphQLOperation) -> Bool = { error, _ in
    error.isTransient
  }

  /// Makes the default settings.
  public init() {}

  var backoff: Backoff { Backoff(initial: initialDelay, maximum: maximumDelay) }
}
