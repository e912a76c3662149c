/// Changes the context of each execution, and may wait for what it needs.
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
/// It stands below the cache, since it suspends; what need not wait is better done by a
/// ``MapExchange``, and credentials by an ``AuthExchange``. An error that the closure throws is the
/// operation's result. It costs one task per execution.
public struct ContextExchange: Exchange {
  private let change: @Sendable (inout OperationContext, GraphQLOperation) async throws -> Void

  /// An exchange of one closure.
  public init(
    _ change: @escaping @Sendable (inout OperationContext, GraphQLOperation) async throws -> Void
  ) {
    self.change = change
  }

  /// Changes the context, then forwards.
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
