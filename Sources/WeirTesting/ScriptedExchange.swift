public import Weir

/// The last link of a chain in a test: answers by a script, and remembers what it was asked.
///
/// ```swift
/// let server = ScriptedExchange { operation in .data(#"{"post":{"id":"1"}}"#) }
/// let client = GraphQLClient([.dedup, .documentCache, server])
/// _ = await client.query(operation)
/// #expect(server.operations.count == 1)
/// ```
public final class ScriptedExchange: Exchange {
  private let answer: @Sendable (GraphQLOperation) -> ResultStream
  private let asked = Locked<[GraphQLOperation]>([])
  private let arrivals = ArrivalCount()

  /// Answers with one result that may be waited for, in a task of its own.
  public convenience init(
    _ answer: @escaping @Sendable (GraphQLOperation) async -> OperationResult
  ) {
    self.init(streaming: { operation in
      ResultStream { yield in yield(await answer(operation)) }
    })
  }

  /// Answers with whatever stream the script makes.
  public init(streaming answer: @escaping @Sendable (GraphQLOperation) -> ResultStream) {
    self.answer = answer
  }

  /// Answers at once, without a task.
  public static func immediate(
    _ answer: @escaping @Sendable (GraphQLOperation) -> OperationResult
  ) -> ScriptedExchange {
    ScriptedExchange(streaming: { .just(answer($0)) })
  }

  /// What it was asked, in order.
  public var operations: [GraphQLOperation] { asked.withLock { $0 } }

  /// Waits until it was asked at least `count` times, or the task is cancelled.
  public func received(_ count: Int) async {
    await arrivals.reaches(count)
  }

  /// Notes the operation when it is sent, that is, when the stream is iterated.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    .deferred { [self] in
      asked.withLock { $0.append(operation) }
      arrivals.add(1)
      return answer(operation)
    }
  }
}

extension OperationResult {
  /// A result with these data, written as JSON text. Text that is not JSON becomes a result with an
  /// error that says so.
  public static func data(
    _ text: String, errors: [GraphQLError] = [], hasNext: Bool = false
  ) -> OperationResult {
    do throws(JSONError) {
      return OperationResult(
        data: try JSON(parsing: text),
        error: errors.isEmpty ? nil : OperationError(graphQLErrors: errors), hasNext: hasNext)
    } catch {
      return OperationResult(
        error: OperationError(code: .malformedResponse, message: "The script is no JSON: \(error)"))
    }
  }

  /// A result without data, with one error as a server would report it.
  public static func failure(_ message: String) -> OperationResult {
    OperationResult(error: OperationError(graphQLErrors: [GraphQLError(message: message)]))
  }
}
