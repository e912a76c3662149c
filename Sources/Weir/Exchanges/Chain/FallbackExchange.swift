/// Answers what no exchange has handled. It stands at the very end of the chain.
///
/// A chain needs none: what reaches its end gets an error result with the code
/// ``OperationError/Code/unhandled``, never silence. This one says instead what you want to be said,
/// or answers, in a preview for instance:
///
/// ```swift
/// let client = GraphQLClient([
///   .dedup, .documentCache, .local(["Settings": .immediate { _ in settings }]),
///   .fallback { operation in
///     OperationResult(error: OperationError(
///       code: .unhandled, message: "The preview has no \(operation.name ?? "such operation")."))
///   },
/// ])
/// ```
public struct FallbackExchange: Exchange {
  private let answer: @Sendable (GraphQLOperation) async throws -> OperationResult

  /// An exchange that answers everything.
  ///
  /// - Parameter answer: the result; an error that it throws becomes one.
  public init(_ answer: @escaping @Sendable (GraphQLOperation) async throws -> OperationResult) {
    self.answer = answer
  }

  /// Calls the closure; forwards nothing.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    ResultStream { [answer] yield in yield(try await answer(operation)) }
  }
}

extension Exchange where Self == FallbackExchange {
  /// Answers what nobody has handled; see ``FallbackExchange``. Place it last.
  public static func fallback(
    _ answer: @escaping @Sendable (GraphQLOperation) async throws -> OperationResult
  ) -> FallbackExchange {
    FallbackExchange(answer)
  }
}
