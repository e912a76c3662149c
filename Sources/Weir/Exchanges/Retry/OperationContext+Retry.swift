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
