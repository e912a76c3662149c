/// Answers operations that no other exchange has handled. Place it at the end of the chain.
///
/// It is optional: without it, an operation that reaches the end of the chain gets an error with
/// the code ``OperationError/Code/unhandled``. Use it for another error, or for results, for
/// example in a preview:
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

  /// Makes an exchange that answers every operation.
  ///
  /// - Parameter answer: Returns the result. If it throws, the error is the result.
  public init(_ answer: @escaping @Sendable (GraphQLOperation) async throws -> OperationResult) {
    self.answer = answer
  }

  /// Calls the closure; does not forward the operation.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    ResultStream { [answer] yield in yield(try await answer(operation)) }
  }
}

extension Exchange where Self == FallbackExchange {
  /// Answers operations that no other exchange has handled; see ``FallbackExchange``. Place it
  /// last.
  public static func fallback(
    _ answer: @escaping @Sendable (GraphQLOperation) async throws -> OperationResult
  ) -> FallbackExchange {
    FallbackExchange(answer)
  }
}
