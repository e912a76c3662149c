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
public struct ContextExchange: Exchange {
  private let change: @Sendable (inout OperationContext, GraphQLOperation) async throws -> Void

  /// Makes an exchange of one closure.
  public init(
    _ change: @escaping @Sendable (inout OperationContext, GraphQLOperation) async throws -> Void
  ) {
    self.change = change
  }

  /// Changes the context, then forwards the operation.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    ResultStream { [change] yield in
      var changed = operation
      try await change(&changed.context, operation)
      await yield.all(forward(changed))
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
