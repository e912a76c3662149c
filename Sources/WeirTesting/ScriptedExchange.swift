public import Weir

/// An exchange for tests that returns scripted results and records the operations that it receives.
///
/// Place it at the end of a chain.
///
/// ```swift
/// let server = ScriptedExchange { operation in .data(#"{"post":{"id":"1"}}"#) }
/// let client = GraphQLClient([.dedup, .documentCache, server])
/// _ = await client.query(operation)
/// #expect(server.operations.count == 1)
/// ```
public final class ScriptedExchange: Exchange {
  private let answer: @Sendable (GraphQLOperation) -> ResultStream
  private let received = Locked<[GraphQLOperation]>([])
  private let arrivals = ArrivalCount()

  /// Makes an exchange that computes one result in a separate task.
  public convenience init(
    _ answer: @escaping @Sendable (GraphQLOperation) async -> OperationResult
  ) {
    self.init(streaming: { operation in
      ResultStream { yield in yield(await answer(operation)) }
    })
  }

  /// Makes an exchange that returns the streams of a closure.
  public init(streaming answer: @escaping @Sendable (GraphQLOperation) -> ResultStream) {
    self.answer = answer
  }

  /// Makes an exchange that returns one result synchronously, without a task.
  public static func immediate(
    _ answer: @escaping @Sendable (GraphQLOperation) -> OperationResult
  ) -> ScriptedExchange {
    ScriptedExchange(streaming: { .just(answer($0)) })
  }

  /// The received operations, in order.
  public var operations: [GraphQLOperation] { received.withLock { $0 } }

  /// Waits until at least `count` operations have been received, or the task is cancelled.
  public func received(_ count: Int) async {
    await arrivals.reaches(count)
  }

  /// Records the operation and returns its results when the stream is iterated. As with a
  /// `FetchExchange`, a `cacheOnly` query is not sent, so it is not recorded and has no result.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    if operation.isCacheOnly { return .just(.unsent) }
    return .deferred { [self] in
      received.withLock { $0.append(operation) }
      arrivals.add(1)
      return answer(operation)
    }
  }
}

extension OperationResult {
  /// Makes a result from JSON text. Text that is not JSON makes a result with an error.
  public static func data(
    _ text: String, errors: [GraphQLError] = [], hasNext: Bool = false
  ) -> OperationResult {
    do throws(JSONError) {
      return OperationResult(
        data: try JSON(parsing: text),
        error: errors.isEmpty ? nil : OperationError(graphQLErrors: errors), hasNext: hasNext)
    } catch {
      return OperationResult(
        error: OperationError(
          code: .malformedResponse, message: "The scripted data is not JSON: \(error)"))
    }
  }

  /// Makes a result without data and with one error, as a server would report it.
  public static func failure(_ message: String) -> OperationResult {
    OperationResult(error: OperationError(graphQLErrors: [GraphQLError(message: message)]))
  }
}
