/// An exchange written as a closure.
///
/// ```swift
/// let log = InlineExchange { operation, forward in
///   print("→", operation.name ?? "anonymous")
///   return forward(operation)
/// }
/// ```
public struct InlineExchange: Exchange {
  private let body: @Sendable (GraphQLOperation, Forward) -> ResultStream

  /// Makes an exchange of a closure; the rules of ``Exchange`` hold for it.
  public init(_ body: @escaping @Sendable (GraphQLOperation, Forward) -> ResultStream) {
    self.body = body
  }

  /// Calls the closure.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    body(operation, forward)
  }
}
