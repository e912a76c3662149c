extension GraphQLClient {
  /// Invalidates all cached results with these types or tags. Those that are watched are refetched.
  ///
  /// A document cache drops the results. A normalized cache keeps the data and marks it as stale: the
  /// entities and embedded objects of the types, and the lists that hold them or have held them.
  ///
  /// Name object types. The name of an interface or a union matches nothing in a normalized cache; in a
  /// document cache, it matches the results whose documents have fragments on it.
  ///
  /// For names in a set, call `invalidate(.types(names))`.
  public func invalidate(types: String...) {
    invalidate(.types(Set(types)))
  }

  /// Invalidates the cached result of one operation. If it is watched, it is refetched.
  ///
  /// A document cache drops the result. A normalized cache keeps the data and marks it as stale.
  ///
  /// The operation does not pass through the chain. If an exchange above the cache adds to its key
  /// (an endpoint or headers), the operation's context must contain that already.
  public func invalidate(_ operation: GraphQLOperation) {
    invalidate(.operation(operation))
  }

  /// Removes everything from every cache, also from a normalized one. Watched results are refetched.
  public func clear() {
    invalidate(.all)
  }

  /// Passes an invalidation to every stateful exchange.
  public func invalidate(_ invalidation: Invalidation) {
    var invalidation = invalidation
    if case .operation(let operation) = invalidation {
      invalidation = .operation(configured(operation).stamped(sessions.begun))
    }
    exchanges.invalidate(invalidation)
  }

  /// Begins a new session. Call it when a user logs in or out.
  ///
  /// ```swift
  /// client.switchSession { keychain.token = signIn.token }
  /// ```
  ///
  /// When the call returns:
  /// - All caches are empty. Responses that still arrive are not stored, and mutations that still
  ///   complete invalidate nothing.
  /// - Callers that wait for a result receive ``OperationError/cancelled``, and so do those that call
  ///   during the switch. (While a cache looks into its storage, callers of `query` receive it
  ///   when that answers; in a chain without a ``DedupExchange``, when their response arrives.)
  /// - Watches have been resumed. They drop the data that they have shown: the next result is one of
  ///   the new session or, if that has to be requested, an empty one that is stale.
  ///
  /// No operation of the new session is executed before every exchange has dropped the old user's
  /// state.
  ///
  /// Clients that share an exchange, such as a cache, must have the same session: call
  /// ``switchSession(to:_:)`` on the others. Cookies belong to the transport, which keeps them: see
  /// ``URLSessionTransport``.
  ///
  /// - Parameter update: Changes what your app keeps of the user, such as the stored credentials. It
  ///   runs between the two sessions: nothing of the old session reads what it stores, and the new
  ///   session begins with it. If two threads switch at the same time, the later switch waits for
  ///   the update of the earlier one, so that its own update is the last. An update must not wait
  ///   for a thread that may switch, too. A switch within an update must be its last statement: while
  ///   that one waits for earlier switches, the updates of others may run.
  public func switchSession(_ update: () -> Void = {}) {
    // Unique in the process, so that clients that share an exchange cannot mistake each other's.
    beginSession(update) { Session(beganAt: .next()) }
  }

  /// Begins a new session, and waits until the storages of normalized caches have removed the old
  /// user's data. Call it when a user logs out.
  ///
  /// ```swift
  /// try await client.switchSession(durably: true) { keychain.token = nil }
  /// ```
  ///
  /// The session begins at once, as with ``switchSession(_:)``; the caller does not block. Without
  /// `durably`, a storage removes the data soon afterwards: if the process is killed before that,
  /// the next start finds the data in the file.
  ///
  /// What your app has saved itself stays: remove the saved results of a document cache with
  /// `SQLiteStorage.removeAll()`, and delete the files of snapshots.
  ///
  /// - Parameters:
  ///   - durably: Whether to wait.
  ///   - update: As in ``switchSession(_:)``.
  /// - Throws: The error of a storage whose removal is not committed. The session has begun all the
  ///   same, and the storage removes the data with its next commit. Call it again to wait for that.
  public func switchSession(durably: Bool, _ update: () -> Void = {}) async throws {
    switchSession(update)
    if durably { try await exchanges.finishSwitch(to: session) }
  }

  /// The client's session.
  public var session: Session { sessions.begun }

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
  /// A shared cache belongs to the latest session that has reached it, and a new client begins in that
  /// session. A client with an older session still works, but reads and stores nothing there, and its
  /// watches end with their first result.
  ///
  /// - Parameters:
  ///   - session: The session of the other client.
  ///   - update: As in ``switchSession(_:)``; not called if the client does not change its session.
  public func switchSession(to session: Session, _ update: () -> Void = {}) {
    beginSession(update) { session }
  }

  private func beginSession(_ update: () -> Void, _ next: () -> Session) {
    guard let session = sessions.announce(next) else { return }
    exchanges.switchSession(to: session)
    sessions.run(update, of: session)
    sessions.begin(session)
  }
}
