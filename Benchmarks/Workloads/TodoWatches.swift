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

/// What an app does on its main actor.
@globalActor
actor Screen {
  static let shared = Screen()
}

/// Watches of a todo each, in a task of its own each.
final class TodoWatches: Sendable {
  private struct State {
    var shown: [String?]
    /// What somebody waits for: that these of them show this text; any, if nil.
    var awaited: (watches: Range<Int>, text: String?)
    var waiting: CheckedContinuation<Void, Never>?

    var isDone: Bool {
      shown[awaited.watches].allSatisfy {
        awaited.text == nil ? $0 != nil : $0 == awaited.text
      }
    }
  }

  private let state: Locked<State>
  private let tasks: [Task<Void, Never>]

  /// They are iterated on ``Screen``, or wherever there is a thread.
  init(_ operations: [GraphQLOperation], of client: GraphQLClient, onScreen: Bool = false) {
    let state = Locked(
      State(
        shown: Array(repeating: nil, count: operations.count), awaited: (operations.indices, nil)))
    self.state = state
    tasks = operations.enumerated().map { index, operation in
      let results = client.watch(operation)
      return onScreen
        ? Task { @Screen in await Self.show(results, of: index, in: state) }
        : Task { await Self.show(results, of: index, in: state) }
    }
  }

  private static func show(
    _ results: ResultStream, of index: Int, in state: Locked<State>
  ) async {
    for await result in results {
      let text = result.data?["todo"]?["text"]?.string
      let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.shown[index] = text
        guard state.waiting != nil, state.awaited.watches.contains(index), state.isDone else {
          return nil
        }
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume()
    }
  }

  var count: Int { tasks.count }

  /// Waits until each shows something.
  func started() async {
    await wait(0..<count, nil)
  }

  /// Waits until the first ones show this text.
  func show(_ text: String, first count: Int = 1) async {
    await wait(0..<count, text)
  }

  /// Waits until one of them shows this text.
  func show(_ text: String, at index: Int) async {
    await wait(index..<index + 1, text)
  }

  private func wait(_ watches: Range<Int>, _ text: String?) async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        state.awaited = (watches, text)
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
