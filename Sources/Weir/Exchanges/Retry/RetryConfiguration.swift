/// When a ``RetryExchange`` sends an operation again, and how long it waits before.
public struct RetryConfiguration: Sendable {
  /// How often an operation is sent at most, the first time included. Default 3; 1 retries nothing.
  public var maximumAttempts = 3

  /// The upper bound of the delay before the second attempt; that of each further one is twice the
  /// one before. Default 0.5 seconds.
  public var initialDelay: Duration = .milliseconds(500)

  /// The largest upper bound of a delay. Default 15 seconds.
  public var maximumDelay: Duration = .seconds(15)

  /// The longest that a server may make an operation wait by `Retry-After`; if it asks for more, the
  /// error is the result. Default 60 seconds.
  public var maximumRetryAfter: Duration = .seconds(60)

  /// Whether an error may go away by itself. By default ``OperationError/isTransient``.
  public var shouldRetry: @Sendable (OperationError, GraphQLOperation) -> Bool = { error, _ in
    error.isTransient
  }

  /// The defaults.
  public init() {}

  /// The delay before the attempt after `attempt`: a random part of a bound that doubles each time
  /// ("full jitter", so that clients that failed together do not come back together).
  ///
  /// - Parameters:
  ///   - attempt: how often the operation was sent, from 1.
  ///   - fraction: at least 0, less than 1.
  /// - Returns: at most ``maximumDelay``.
  func delay(after attempt: Int, fraction: Double) -> Duration {
    // 2^60 times anything but zero is above every bound.
    let factor = Double(UInt64(1) << UInt64(min(max(attempt, 1) - 1, 60)))
    let bound = min(initialDelay / .seconds(1) * factor, maximumDelay / .seconds(1))
    return .seconds(max(bound, 0) * min(max(fraction, 0), 1))
  }
}

extension OperationError {
  /// Whether the same request may succeed later: no connection, a broken or a timed-out one, or one
  /// of the statuses 408, 425, 429, 500, 502, 503 and 504.
  public var isTransient: Bool {
    if let httpStatus, code == .httpStatus || code == .graphQL {
      return [408, 425, 429, 500, 502, 503, 504].contains(httpStatus)
    }
    guard code == .transport else { return false }
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

  /// Whether executing the operation twice does no more than executing it once, so that it may be
  /// retried. Nil, the default: queries are, mutations are not.
  public var isIdempotent: Bool? {
    get { self[IsIdempotent.self] }
    set { self[IsIdempotent.self] = newValue }
  }

  /// Which attempt this is, from 1; a ``RetryExchange`` sets it for the exchanges below it.
  public internal(set) var attempt: Int {
    get { self[Attempt.self] }
    set { self[Attempt.self] = newValue }
  }
}
