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
    var shown: [String?]
    /// What somebody waits for: that so many of them, the first ones, show this text; any, if nil.
    var awaited: (count: Int, text: String?)
    var waiting: CheckedContinuation<Void, Never>?

    var isDone: Bool {
      shown.prefix(awaited.count).allSatisfy {
        awaited.text == nil ? $0 != nil : $0 == awaited.text
      }
    }
  }

  private let state: Locked<State>
  private let tasks: [Task<Void, Never>]

  init(_ operations: [GraphQLOperation], of client: GraphQLClient) {
    let state = Locked(
      State(
        shown: Array(repeating: nil, count: operations.count), awaited: (operations.count, nil)))
    self.state = state
    tasks = operations.enumerated().map { index, operation in
      Task {
        for await result in client.watch(operation) {
          let text = result.data?["todo"]?["text"]?.string
          let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.shown[index] = text
            guard state.waiting != nil, index < state.awaited.count, state.isDone else {
              return nil
            }
            defer { state.waiting = nil }
            return state.waiting
          }
          waiting?.resume()
        }
      }
    }
  }

  var count: Int { tasks.count }

  /// Waits until each shows something.
  func started() async {
    await wait(count, nil)
  }

  /// Waits until the first ones show this text.
  func show(_ text: String, first count: Int = 1) async {
    await wait(count, text)
  }

  private func wait(_ count: Int, _ text: String?) async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        state.awaited = (count, text)
        if state.isDone { return true }
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
