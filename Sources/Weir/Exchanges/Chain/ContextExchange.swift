internal import WeirSupport

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
  private let latest = LatestSession()

  /// The number of the latest session that the exchange has met.
  private final class LatestSession: Sendable {
    let number = AtomicWord()
  }

  /// Makes an exchange of one closure.
  public init(
    _ change: @escaping @Sendable (inout OperationContext, GraphQLOperation) async throws -> Void
  ) {
    self.change = change
  }

  /// Changes the context, then forwards the operation.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    ResultStream { [change, latest] yield in
      let session = operation.context.session
      latest.number.raise(to: session.number)
      var changed = operation
      try await change(&changed.context, operation)
      if session.number < latest.number.load(), changed.hasNewCredential(since: operation) {
        throw OperationError.cancelled
      }
      await yield.all(forward(changed))
    }
  }

  /// Does nothing.
  public func invalidate(_ invalidation: Invalidation) {}

  package var session: Session { Session(number: latest.number.load()) }

  /// From now on, a closure that runs for an older operation may return the new user's credentials.
  public func switchSession(to session: Session) {
    latest.number.raise(to: session.number)
  }
}

extension GraphQLOperation {
  /// Whether a header field that is a credential differs from that of an earlier form of the
  /// operation.
  fileprivate func hasNewCredential(since former: GraphQLOperation) -> Bool {
    let rules = context.headerRules
    return context.headers.contains { field in
      rules.isCredential(field.name.lowercased())
        && context.headers[field.name] != former.context.headers[field.name]
    }
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
