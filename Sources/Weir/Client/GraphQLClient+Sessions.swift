extension GraphQLClient {
  /// Drops all cached results with these types or tags. Those that are watched are refetched.
  public func invalidate(types: String...) {
    invalidate(.types(Set(types)))
  }

  /// Drops the cached result of one operation. If it is watched, it is refetched.
  ///
  /// The operation does not pass through the chain. If an exchange above the cache adds to its key
  /// (an endpoint or ``OperationContext/headersInKey``), the operation's context must contain that
  /// already.
  public func invalidate(_ operation: GraphQLOperation) {
    invalidate(.operation(operation.stamped(sessions.current)))
  }

  /// Drops every cached result. Those that are watched are refetched.
  public func clear() {
    invalidate(.all)
  }

  /// Passes an invalidation to every stateful exchange.
  public func invalidate(_ invalidation: Invalidation) {
    // In reverse: no execution may join a flight that found the old data in a cache.
    for case let exchange as any StatefulExchange in exchanges.reversed() {
      exchange.invalidate(invalidation)
    }
  }

  /// Begins a new session. Call it when another user logs in.
  ///
  /// All caches are emptied. Callers that wait for a result receive ``OperationError/cancelled``.
  /// Responses that still arrive are not stored, and mutations that still complete invalidate
  /// nothing. Watches drop the data that they have shown and execute again.
  ///
  /// Clients that share an exchange, such as a cache, must have the same session: call
  /// ``switchSession(to:)`` on the others. Cookies belong to the transport, which keeps them: see
  /// ``URLSessionTransport``.
  public func switchSession() {
    // Unique in the process, so that clients that share an exchange cannot mistake each other's.
    switchSession(to: Session(number: LogicalInstant.next().ticks))
  }

  /// The client's session.
  public var session: Session { sessions.current }

  /// Joins the session of another client. Does nothing if that session is older than this client's.
  ///
  /// ```swift
  /// let cache = DocumentCacheExchange()
  /// let client = GraphQLClient([.dedup, cache, .fetch(url)])
  /// let background = GraphQLClient([cache, .retry, .fetch(url)])
  /// client.switchSession()
  /// background.switchSession(to: client.session)
  /// ```
  ///
  /// A shared cache belongs to the latest session that has reached it. A client with an older
  /// session still works, but reads and stores nothing there, and its watches end with their first
  /// result.
  public func switchSession(to session: Session) {
    // First, so that a watch that an exchange wakes finds the new session.
    guard sessions.begin(session) else { return }
    for case let exchange as any StatefulExchange in exchanges {
      exchange.switchSession(to: session)
    }
    sessions.endSessions(before: session)
  }
}
