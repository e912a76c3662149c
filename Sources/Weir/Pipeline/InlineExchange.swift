/// An exchange that calls a closure.
///
/// ```swift
/// let log = InlineExchange { operation, forward in
///   print("→", operation.name ?? "anonymous")
///   return forward(operation)
/// }
/// ```
public struct InlineExchange: Exchange {
  private let body: @Sendable (GraphQLOperation, Forward) -> ResultStream

  /// Creates an exchange from a closure, which must follow the rules of ``Exchange``.
  public init(_ body: @escaping @Sendable (GraphQLOperation, Forward) -> ResultStream) {
    self.body = body
  }

  /// Calls the closure.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    body(operation, forward)
  }
}
