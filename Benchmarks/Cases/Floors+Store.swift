import Weir

/// The floors of cases that read a normalized store.
extension Floors {
  /// The floor of a list that is read for the first time: visiting its records, noting what the result
  /// depends on, and making the values with their strings.
  static func readList(
    _ count: Int, _ read: @escaping (BareRecords) throws -> Int
  ) throws -> Workload {
    let records = BareRecords(
      try JSON(parsing: Payloads.todos(count)).decode(Response<TodosSelection>.self).data.todos)
    let sum = try Payloads.todosChecksum(count)
    return Workload(run: { operations in
      for _ in 0..<operations {
        try expect(read(records) == sum, "The floor of a read is wrong.")
      }
    })
  }

  /// The floor of writing and reading one todo among many: comparing and changing its fields, making the
  /// operation, finding that its last result is outdated, making the new one, and keeping it decoded.
  static func writeAndRead(_ count: Int) throws -> Workload {
    let todos = BareTodos(
      try JSON(parsing: Payloads.todos(count)).decode(Response<TodosSelection>.self).data.todos)
    let changes = try TodoChanges()
    return Workload(run: { operations in
      for _ in 0..<operations {
        let (text, data) = changes.next()
        try expect(todos.write(data), "The floor of a write has changed nothing.")
        let todo = try todos.read(OneTodo(id: "0").operation(), id: "0")?.todo
        try expect(
          todo?.text == text && todo?.id == "0" && todo?.complete == true,
          "The floor of a write and a read is wrong.")
      }
    })
  }
}

/// Todos by identifier, and the last results of operations.
private final class BareTodos: Sendable {
  private struct Todo {
    var text: String
    var complete: Bool
    var version: UInt64 = 1
  }

  private struct Result {
    let data: JSON
    let decoded: OneTodo.Data
    let version: UInt64
  }

  private struct State {
    var todos: [String: Todo] = [:]
    var results: [OperationIdentity: Result] = [:]
  }

  private let state = Locked(State())

  init(_ todos: [TodosSelection.Todo]) {
    state.withLock { state in
      for todo in todos { state.todos[todo.id] = Todo(text: todo.text, complete: todo.complete) }
    }
  }

  /// - Returns: whether something has changed.
  func write(_ data: JSON) throws -> Bool {
    guard let todo = data["todo"], let id = todo["id"]?.string, let text = todo["text"]?.string,
      let complete = todo["complete"]?.bool
    else { return false }
    return state.withLock { state in
      guard let old = state.todos[id], old.text != text || old.complete != complete else {
        return false
      }
      state.todos[id] = Todo(text: text, complete: complete, version: old.version + 1)
      return true
    }
  }

  func read(_ operation: GraphQLOperation, id: String) throws -> OneTodo.Data? {
    let found = state.withLock { ($0.todos[id], $0.results[operation.identity]) }
    guard let todo = found.0 else { return nil }
    if let known = found.1, known.version == todo.version { return known.decoded }
    let data = try JSON(
      parsing: #"{"todo":{"id":"\#(id)","text":"\#(todo.text)","complete":\#(todo.complete)}}"#)
    let decoded = try data.decode(OneTodo.Data.self)
    let result = Result(data: data, decoded: decoded, version: todo.version)
    state.withLock { $0.results[operation.identity] = result }
    return decoded
  }
}
