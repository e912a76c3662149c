/// Changes operations before they are forwarded, and results before they are returned, with
/// closures.
///
/// Place it above dedup and the cache for changes on which the response depends, such as a language:
/// only there are they part of the operation's key. Place it below them for changes that only the
/// network sees, such as a header field for tracing. The closures are synchronous, so cache hits stay
/// immediate. For asynchronous work, write an exchange with a ``ResultStream`` body.
///
/// The closures run for each look into the cache, too: in `client.peek`, when the time of an execution is
/// over, and when a ``RequestPolicyExchange`` above looks for a younger result. A refetch of a watch
/// follows ``RequestPolicy/cacheFirst`` in both caches even if a closure sets a policy that wants the
/// network; otherwise each response could cause another refetch.
///
/// ```swift
/// let language = MapExchange(operation: { operation in
///   operation.with { $0.headers["accept-language"] = settings.language }
/// })
/// let client = GraphQLClient([
///   .onError { error, operation in log.error("\(operation.name ?? "anonymous"): \(error)") },
///   language, .dedup, .documentCache, .fetch(url),
/// ])
/// ```
public struct MapExchange: Exchange {
  private let operation: (@Sendable (GraphQLOperation) -> GraphQLOperation)?
  private let result: (@Sendable (GraphQLOperation, OperationResult) -> OperationResult)?

  /// Makes an exchange of one or two closures.
  ///
  /// - Parameters:
  ///   - operation: Returns the operation to forward.
  ///   - result: Returns the result to deliver.
  public init(
    operation: (@Sendable (GraphQLOperation) -> GraphQLOperation)? = nil,
    result: (@Sendable (GraphQLOperation, OperationResult) -> OperationResult)? = nil
  ) {
    self.operation = operation
    self.result = result
  }

  /// Forwards the operation, changed by the closures.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let mapped = self.operation?(operation) ?? operation
    let results = forward(mapped)
    guard let result else { return results }
    return results.map { result(mapped, $0) }
  }
}

extension Exchange where Self == MapExchange {
  /// Calls a closure for each result with an error. Place it above or below a cache.
  ///
  /// The closure is not called for the errors that the client makes outside the chain:
  /// ``OperationError/Code/timedOut`` at the end of the ``OperationContext/totalTimeout``; defects of a
  /// document or of variables, and an operation of the wrong kind, which never enter the chain;
  /// ``OperationError/Code/decoding``, because your types are decoded after it;
  /// ``OperationError/Code/notCached``; and ``OperationError/Code/noResult``. Of the callers that receive
  /// ``OperationError/cancelled``, it sees only those to which an exchange delivers it, as dedup does at the
  /// end of a session. Look at the results for these errors.
  public static func onError(
    _ report: @escaping @Sendable (OperationError, GraphQLOperation) -> Void
  ) -> MapExchange {
    MapExchange(result: { operation, result in
      if let error = result.error { report(error, operation) }
      return result
    })
  }
}
