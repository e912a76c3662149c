/// Changes operations on their way down, and results on their way up, by closures.
///
/// Place it above dedup and the cache for what an app wants to see of every result, below them for
/// what only concerns the network (such as a header). The closures are synchronous, so a hit stays
/// immediate; what has to wait belongs in an exchange with a ``ResultStream`` body.
///
/// ```swift
/// let language = MapExchange(operation: { operation in
///   operation.with { $0.headers["accept-language"] = "en" }
/// })
/// let client = GraphQLClient([
///   .onError { error, operation in log.error("\(operation.name ?? "anonymous"): \(error)") },
///   .dedup, .documentCache, language, .fetch(url),
/// ])
/// ```
public struct MapExchange: Exchange {
  private let operation: (@Sendable (GraphQLOperation) -> GraphQLOperation)?
  private let result: (@Sendable (GraphQLOperation, OperationResult) -> OperationResult)?

  /// An exchange of one or two closures.
  ///
  /// - Parameters:
  ///   - operation: what to forward in place of an operation.
  ///   - result: what to answer in place of a result.
  public init(
    operation: (@Sendable (GraphQLOperation) -> GraphQLOperation)? = nil,
    result: (@Sendable (GraphQLOperation, OperationResult) -> OperationResult)? = nil
  ) {
    self.operation = operation
    self.result = result
  }

  /// Calls the closures.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let mapped = self.operation?(operation) ?? operation
    let results = forward(mapped)
    guard let result else { return results }
    return results.map { result(mapped, $0) }
  }
}

extension Exchange where Self == MapExchange {
  /// Calls a closure for each error that an operation ends with, above or below a cache.
  public static func onError(
    _ report: @escaping @Sendable (OperationError, GraphQLOperation) -> Void
  ) -> MapExchange {
    MapExchange(result: { operation, result in
      if let error = result.error { report(error, operation) }
      return result
    })
  }
}
