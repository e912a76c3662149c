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

  /// Returns the delay after an attempt: a random part of a bound that doubles each time ("full
  /// jitter", so that clients that failed together do not return together).
  ///
  /// - Parameters:
  ///   - attempt: The number of attempts so far, at least 1.
  ///   - fraction: The random part, at least 0 and less than 1.
  /// - Returns: At most ``maximumDelay``.
  func delay(after attempt: Int, fraction: Double) -> Duration {
    // 2^60 times any delay but zero exceeds every bound.
    let factor = Double(UInt64(1) << UInt64(min(max(attempt, 1) - 1, 60)))
    let bound = min(initialDelay / .seconds(1) * factor, maximumDelay / .seconds(1))
    return .seconds(max(bound, 0) * min(max(fraction, 0), 1))
  }
}

extension OperationError {
  /// Whether the same request may succeed later: the connection failed, was lost or timed out, but was
  /// not closed for good (``SocketClosure/isFinal``); the ``OperationContext/totalTimeout`` was over;
  /// or the status is 408, 425, 429, 500, 502, 503 or 504, or one of 520 to 524, by which Cloudflare says that
  /// it cannot reach the server. With the code ``Code/transport``, an underlying error that is neither a
  /// ``SocketClosure`` nor an ``HTTPTransportError`` is transient. With the code ``Code/authentication``, the error
  /// that loading or renewing the credentials has thrown decides: an `OperationError` or an
  /// ``HTTPTransportError`` that is transient, a `URLError` of the connection, or that it took too long. Errors of
  /// your app's own are not transient.
  public var isTransient: Bool {
    if let httpStatus, code == .httpStatus || code == .graphQL {
      return [408, 425, 429, 500, 502, 503, 504].contains(httpStatus)
        || (520...524).contains(httpStatus)
    }
    if code == .authentication { return isTransientRenewal }
    guard code == .transport else { return code == .timedOut }
    if let closure = underlying as? SocketClosure { return !closure.isFinal }
    guard let error = underlying as? HTTPTransportError else { return true }
    switch error.code {
    case .timedOut, .cannotConnect, .hostNotFound, .offline, .connectionLost, .other: return true
    default: return false
    }
  }
}

extension OperationContext {
  private enum IsIdempotent: OperationContextKey {
    static let defaultValue: Bool? = nil
  }

  private enum Attempt: OperationContextKey {
    static let defaultValue = 1
  }

  /// Whether executing the operation twice has the same effect as executing it once, so that it may
  /// be retried. Nil, the default, means that queries are idempotent and mutations are not.
  public var isIdempotent: Bool? {
    get { self[IsIdempotent.self] }
    set { self[IsIdempotent.self] = newValue }
  }

  /// The number of the attempt, from 1; a ``RetryExchange`` sets it for the exchanges below it.
  public internal(set) var attempt: Int {
    get { self[Attempt.self] }
    set { self[Attempt.self] = newValue }
  }
}
