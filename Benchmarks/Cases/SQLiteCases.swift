import Weir
import WeirNormalized

/// The normalized store with a file as its storage.
enum SQLiteCases {
  static var all: [BenchmarkCase] {
    [write, read] + [1_000, 10_000, 100_000].flatMap { [writeOne($0), readOne($0)] }
  }

  /// From the bytes of a response until a new file holds all of it.
  private static var write: BenchmarkCase {
    BenchmarkCase(name: "sqlite/write/10000", yardstick: .jsonSerialization(10_000)) {
      let bytes = Payloads.todos(10_000)
      let todos = try await StoredTodos(0)
      return Workload(
        reset: { try todos.clear() },
        run: { _ in
          try TodoStore.write(bytes, to: todos.store)
          try await todos.store.flush()
        },
        check: {
          let size = try todos.size()
          // The list has a record, and so has what was learned of the API.
          try expect(size.records == 11_002, "\(size.records) records are stored.")
          try expect(
            size.bytesOnDisk * 10 <= bytes.count * 12,
            "The file is too large: \(size.bytesOnDisk) bytes.")
        })
    }
  }

  /// From opening the file to the data of the whole list, of which every field is looked at.
  private static var read: BenchmarkCase {
    BenchmarkCase(name: "sqlite/open and read/10000", yardstick: .jsonSerialization(10_000)) {
      let todos = try await StoredTodos(10_000)
      let sum = try Payloads.todosChecksum(10_000)
      return Workload(
        reset: { todos.open() },
        run: { _ in
          let data = await todos.store.load(TodoStore.list)
          try expect(data?.todosChecksum == sum, "Not every todo was read.")
        })
    }
  }

  /// From the change of one entity until the file holds it.
  private static func writeOne(_ count: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "sqlite/write one/\(count)", yardstick: .jsonSerialization(1),
      scaling: Scaling(line: "sqlite, write one", axis: "todos", size: count),
      isSlow: count != 10_000
    ) {
      let todos = try await StoredTodos(count)
      let changes = try TodoChanges()
      var text = ""
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            text = try changes.write(to: todos.store)
            try await todos.store.flush()
          }
        },
        check: {
          todos.forget()
          let data = await todos.store.load(Queries.oneTodo.operation(IDVariables(id: "0")))
          let todo = try data?.decode(OneTodoData.self).todo
          try expect(
            todo?.text == text && todo?.complete == true, "The file does not hold the last change.")
        })
    }
  }

  /// Reads one entity that is not in memory.
  private static func readOne(_ count: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "sqlite/read one/\(count)", yardstick: .jsonSerialization(1),
      scaling: Scaling(line: "sqlite, read one", axis: "todos", size: count),
      isSlow: count != 10_000
    ) {
      let todos = try await StoredTodos(count)
      let round = Counter()
      return Workload(run: { operations in
        for _ in 0..<operations {
          let number = round.next() % count
          if number == 0 { todos.forget() }
          let data = await todos.store.load(
            Queries.oneTodo.operation(IDVariables(id: "\(number)")))
          let todo = try data?.decode(OneTodoData.self).todo
          try expect(
            todo?.id == "\(number)" && todo?.text == "Todo item number \(number)"
              && todo?.complete == (number % 3 == 0), "A todo is not in the file.")
        }
      })
    }
  }
}
