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
  private struct State {
    var operations: [GraphQLOperation] = []
    var awaiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let answer: @Sendable (GraphQLOperation) -> ResultStream
  private let state = Locked(State())

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
  public var operations: [GraphQLOperation] { state.withLock { $0.operations } }

  /// Waits until it was asked at least `count` times.
  public func received(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.operations.count >= count { return true }
        state.awaiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Notes the operation when it is sent, that is, when the stream is iterated.
  public func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    .deferred { [self] in
      note(operation)
      return answer(operation)
    }
  }

  private func note(_ operation: GraphQLOperation) {
    let arrived = state.withLock { state in
      state.operations.append(operation)
      let count = state.operations.count
      let arrived = state.awaiting.filter { $0.count <= count }.map(\.continuation)
      state.awaiting.removeAll { $0.count <= count }
      return arrived
    }
    for continuation in arrived { continuation.resume() }
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
