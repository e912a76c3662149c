import Weir
import WeirNormalized

/// The normalized store over a file.
enum SQLiteCases {
  static var all: [BenchmarkCase] {
    [write, read] + [1_000, 10_000, 100_000].flatMap { [writeOne($0), readOne($0)] }
  }

  /// From the bytes of a response to a new file that has all of it.
  private static var write: BenchmarkCase {
    BenchmarkCase(name: "sqlite/write/10000", yardstick: .jsonSerialization) {
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
          // The list, and what was learned of the API, have a record each.
          try expect(size.records == 11_002, "\(size.records) records are stored.")
          try expect(
            size.bytesOnDisk * 10 <= bytes.count * 12, "The file has \(size.bytesOnDisk) bytes.")
        })
    }
  }

  /// From a closed file to the data of the whole list.
  private static var read: BenchmarkCase {
    BenchmarkCase(name: "sqlite/open and read/10000", yardstick: .jsonSerialization) {
      let todos = try await StoredTodos(10_000)
      let operation = GraphQLOperation(TodoStore.rows)
      return Workload(
        reset: { todos.open() },
        run: { _ in
          let data = await todos.store.load(operation)
          try expect(data?["todos"]?.count == 10_000, "Not all was read.")
        })
    }
  }

  /// One entity changes, until the file has it.
  private static func writeOne(_ count: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "sqlite/write one/\(count)", yardstick: .jsonSerialization,
      scaling: Scaling(line: "sqlite, write one", axis: "todos", size: count),
      isSlow: count != 10_000
    ) {
      let todos = try await StoredTodos(count)
      let changes = try TodoChanges()
      return Workload(run: { operations in
        for _ in 0..<operations {
          try changes.write(to: todos.store)
          try await todos.store.flush()
        }
      })
    }
  }

  /// One entity is read that memory does not have.
  private static func readOne(_ count: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "sqlite/read one/\(count)", yardstick: .jsonSerialization,
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
            GraphQLOperation(TodoStore.one, variables: ["id": .string("\(number)")]))
          try expect(data?["todo"]?["id"]?.string == "\(number)", "It is not there.")
        }
      })
    }
  }
}
