import Synchronization
import Weir

struct OneTodoData: Decodable, Sendable {
  struct Todo: Decodable, Sendable {
    let id: String
    let text: String
    let complete: Bool
  }

  let todo: Todo
}

/// Numbers, one after the other.
final class Counter: Sendable {
  private let value = Atomic<Int>(0)

  func next() -> Int { value.add(1, ordering: .relaxed).newValue }
}

/// A watched list, read step by step.
final class WatchedList {
  private var typed: TypedResultStream<TodosData>.Iterator
  private var untyped: ResultStream.Iterator?

  init(_ typed: TypedResultStream<TodosData>, untyped: ResultStream?) {
    self.typed = typed.makeAsyncIterator()
    self.untyped = untyped?.makeAsyncIterator()
  }

  /// The text of the first todo.
  func next() async -> String? {
    if untyped != nil {
      return await untyped?.next(isolation: nil)?.data?["todos"]?[0]?["text"]?.string
    }
    return await typed.next(isolation: nil)?.data?.todos.first?.text
  }
}

/// Watches of a todo each, in a task of its own each.
final class TodoWatches: Sendable {
  private struct State {
    var missing: Int
    var text: String?
    var shown: String?
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state: Locked<State>
  private let tasks: [Task<Void, Never>]

  init(_ operations: [GraphQLOperation], of client: GraphQLClient) {
    let state = Locked(State(missing: operations.count))
    self.state = state
    tasks = operations.enumerated().map { index, operation in
      Task {
        var isFirst = true
        for await result in client.watch(operation) {
          let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if isFirst { state.missing -= 1 }
            if index == 0 { state.shown = result.data?["todo"]?["text"]?.string }
            let isDone = state.text.map { $0 == state.shown } ?? (state.missing == 0)
            guard isDone else { return nil }
            defer { state.waiting = nil }
            return state.waiting
          }
          isFirst = false
          waiting?.resume()
        }
      }
    }
  }

  /// Waits until each shows something.
  func started() async {
    await wait { $0.missing == 0 }
  }

  /// Waits until the first one shows this text.
  func shows(_ text: String) async {
    state.withLock { $0.text = text }
    await wait { $0.shown == text }
  }

  private func wait(_ isDone: (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if isDone(state) { return true }
        state.waiting = continuation
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  func cancel() {
    for task in tasks { task.cancel() }
  }
}

extension Exchange where Self == InlineExchange {
  fileprivate static func answering(
    _ answer: @escaping @Sendable (GraphQLOperation) throws -> JSON
  ) -> InlineExchange {
    InlineExchange { operation, _ in
      do {
        return .just(OperationResult(data: try answer(operation)))
      } catch {
        return .just(
          OperationResult(error: OperationError(code: .malformedResponse, message: "\(error)")))
      }
    }
  }
}

extension AnswerExchange {
  /// Nobody should ask it.
  static var nothing: InlineExchange {
    .answering { _ in throw WrongAnswer(description: "There was a request.") }
  }

  /// Answers `UpdateTodo` with what it is given.
  static var updates: InlineExchange {
    .answering { operation in
      let variables = try JSON(parsing: operation.variables)
      let id = variables["id"]?.string ?? ""
      let text = variables["text"]?.string ?? ""
      return try JSON(
        parsing: """
          {"updateTodo":{"__typename":"Todo","id":"\(id)","text":"\(text)","complete":true}}
          """)
    }
  }
}
