/// Changes the context of each execution with an asynchronous closure.
///
/// ```swift
/// let client = GraphQLClient([
///   .dedup, .documentCache,
///   .context { context, operation in
///     context.headers["x-device-check"] = try await deviceCheck.token()
///   },
///   .fetch(url),
/// ])
/// ```
///
/// Place it below the cache, because it suspends. For a synchronous change, use a ``MapExchange``;
/// for credentials, use an ``AuthExchange``. If the closure throws, the error is the operation's
/// result. The exchange costs one task for each execution.
///
/// If the closure adds or changes a credential (see ``HeaderRules``) and the operation's session has
/// ended meanwhile, the operation is not forwarded, because the credential may be the next user's: its
/// result is ``OperationError/cancelled``. So several clients share one exchange only if they share their
/// sessions. The closure runs for queries with the policy ``RequestPolicy/cacheOnly``, too, because what it
/// changes may be part of a cache's key.
public struct ContextExchange: StatefulExchange, SessionHolder {
  private let change: @Sendable (inout OperationContext, GraphQLOperation) async throws -> Void
  private let credentials = CredentialGuard()

  /// Makes an exchange of one closure.
  public init(
    _ change: @escaping @Sendable (inout OperationContext, GraphQLOperation) async throws -> Void
  ) {
    self.change = change
  }

  /// Changes the context, then forwards the operation.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    ResultStream { [change, credentials] yield in
      credentials.switchSession(to: operation.context.session)
      var changed = operation
      try await change(&changed.context, operation)
      let former = operation.context.headers
      var added = changed.context.headers
      for field in former where added[field.name] == former[field.name] { added[field.name] = nil }
      try credentials.check(added: added, to: changed)
      await yield.all(forward(changed))
    }
  }

  /// Does nothing.
  public func invalidate(_ invalidation: Invalidation) {}

  package var session: Session { credentials.session }

  /// From now on, a closure that runs for an older operation may return the new user's credentials.
  public func switchSession(to session: Session) {
    credentials.switchSession(to: session)
  }
}

extension Exchange where Self == ContextExchange {
  /// Changes the context of each execution; see ``ContextExchange``. Place it below the cache.
  public static func context(
    _ change: @escaping @Sendable (inout OperationContext, GraphQLOperation) async throws -> Void
  ) -> ContextExchange {
    ContextExchange(change)
  }
}
