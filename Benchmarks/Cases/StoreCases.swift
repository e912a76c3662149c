import Weir
import WeirNormalized

/// Whole lists written into a normalized store and read from it, without a client. Every field that
/// is read is also looked at, except in cases called lazy.
enum StoreCases {
  static var all: [BenchmarkCase] {
    [1_000, 10_000, 100_000].flatMap { writing($0) + reading($0) + again($0) }
  }

  /// Makes a case of the growing sizes.
  private static func make(
    _ name: String, _ count: Int, yardstick: ((Int) -> Yardstick)? = nil,
    floor: (() async throws -> Workload)? = nil, _ prepare: @escaping () async throws -> Workload
  ) -> BenchmarkCase {
    BenchmarkCase(
      name: "normalized/\(name)/\(count)",
      yardstick: yardstick?(count) ?? .jsonSerialization(count),
      scaling: Scaling(line: name, axis: "todos of a store", size: count),
      isSlow: count != 10_000, floor: floor, prepare: prepare)
  }

  // MARK: Writing

  private static func writing(_ count: Int) -> [BenchmarkCase] {
    [
      make("write parsed", count) {
        let data = try TodoStore.data(of: Payloads.todos(count))
        return intoNewStore(count, freesIt: false) { try TodoStore.write(data, to: $0) }
      },
      make("write", count) {
        let bytes = Payloads.todos(count)
        return intoNewStore(count, freesIt: false) { try TodoStore.write(bytes, to: $0) }
      },
      make("write, freed", count) {
        let bytes = Payloads.todos(count)
        return intoNewStore(count, freesIt: true) { try TodoStore.write(bytes, to: $0) }
      },
      make("write shuffled", count) {
        let bytes = try Payloads.shuffledTodos(count)
        return intoNewStore(count, freesIt: false) { try TodoStore.write(bytes, to: $0) }
      },
      make("wait for a write", count) { try waiting(todos: count) },
      make("write identical", count) {
        let bytes = Payloads.todos(count)
        let store = try TodoStore.filled(count)
        return Workload(run: { operations in
          for _ in 0..<operations {
            try expect(
              try TodoStore.write(bytes, to: store) == 0, "An identical write has changed data.")
          }
        })
      },
      make("collect", count) { try collecting(count) },
    ]
  }

  /// Writes a list into a store that is empty, and whose memory is given back within the time or
  /// outside of it.
  private static func intoNewStore(
    _ count: Int, freesIt: Bool, _ write: @escaping (NormalizedStore) throws -> Int
  ) -> Workload {
    var store: NormalizedStore? = NormalizedStore(TodoStore.configuration())
    return Workload(
      reset: { store = NormalizedStore(TodoStore.configuration()) },
      run: { _ in
        let changed = try store.map(write)
        try expect(changed == TodoStore.records(count), "Not every record was written.")
        if freesIt { store = nil }
      })
  }

  /// Measures how long others wait at most while a response is written, because the store's lock is
  /// held.
  private static func waiting(todos count: Int) throws -> Workload {
    let data = try TodoStore.data(of: Payloads.todos(count))
    var waits: [Double] = []
    return Workload(
      reset: {},
      run: { _ in
        let store = NormalizedStore(TodoStore.configuration())
        let bystander = Bystander(of: store)
        let changed = try TodoStore.write(data, to: store)
        waits.append(bystander.longestWait().nanoseconds)
        try expect(changed == TodoStore.records(count), "Not every record was written.")
      },
      latencies: { waits })
  }

  /// Collects everything, because the list that leads to it was removed. Freeing it is part of
  /// that.
  private static func collecting(_ count: Int) throws -> Workload {
    let data = try TodoStore.data(of: Payloads.todos(count))
    var store = NormalizedStore()
    return Workload(
      reset: {
        store = NormalizedStore(TodoStore.configuration())
        try TodoStore.write(data, to: store)
        try store.update { $0.remove(.field("todos")) }
      },
      run: { _ in
        try expect(
          store.collect() == TodoStore.records(count) - 1, "Not every record was collected.")
      })
  }

  // MARK: Reading

  private static func reading(_ count: Int) -> [BenchmarkCase] {
    [
      make("read", count) { try reading(count) { $0.read($1)?.todosChecksum } },
      make("read, lazy", count) {
        let sum = try Payloads.todosChecksum(count)
        return try reading(count) { $0.read($1)?["todos"]?.count == count ? sum : 0 }
      },
      make(
        "read typed", count, yardstick: { .jsonDecoder($0) },
        floor: { try Floors.readList(count) { try $0.decoded().checksum } }
      ) {
        try readingTyped(count, TodosData.self)
      },
      make(
        "read by initializers", count, yardstick: { .jsonDecoder($0) },
        floor: { try Floors.readList(count) { $0.made().checksum } }
      ) {
        try readingTyped(count, TodosSelection.self)
      },
      make("bytes to store to result", count) { try throughStore(count) { $0.todosChecksum } },
      make("bytes to store to result, typed", count, yardstick: { .jsonDecoder($0) }) {
        try throughStore(count) { try $0.decode(TodosData.self).checksum }
      },
    ]
  }

  /// Reads a list of which the store has no result: two operations take turns in a store that keeps
  /// only one.
  private static func reading(
    _ count: Int, _ read: @escaping (NormalizedStore, GraphQLOperation) throws -> Int?
  ) throws -> Workload {
    let store = try TodoStore.filled(count) { $0.maximumResults = 1 }
    let sum = try Payloads.todosChecksum(count)
    let turn = Counter()
    return Workload(run: { number in
      for _ in 0..<number {
        try expect(
          try read(store, inTurn[turn.next() % 2]) == sum, "The list was not read as it is.")
      }
    })
  }

  private static let otherList = GraphQLDocument(
    Documents.todos.replacing("query Todos", with: "query OtherTodos"))
  private static let inTurn = [TodoStore.list, GraphQLOperation(otherList)]

  private static func readingTyped<Data: Decodable & Sendable & Inspectable>(
    _ count: Int, _ type: Data.Type
  ) throws -> Workload {
    let query = Query<Data, NoVariables>(GraphQLDocument(Documents.todos))
    let other = Query<Data, NoVariables>(otherList)
    return try reading(count) { store, operation in
      try store.read(operation.name == "Todos" ? query : other)?.checksum
    }
  }

  /// From the bytes of a response to an empty store, and from there to data, as JSON or typed.
  private static func throughStore(
    _ count: Int, _ checksum: @escaping (JSON) throws -> Int
  ) throws -> Workload {
    let bytes = Payloads.todos(count)
    let sum = try Payloads.todosChecksum(count)
    var store = NormalizedStore()
    return Workload(
      reset: { store = NormalizedStore(TodoStore.configuration()) },
      run: { _ in
        try TodoStore.write(bytes, to: store)
        let found = try store.read(TodoStore.list).map(checksum)
        try expect(found == sum, "The list was not read as it was written.")
      })
  }

  // MARK: Reading again

  private static func again(_ count: Int) -> [BenchmarkCase] {
    [
      make("read again, lazy", count) {
        try readingAgain(count) {
          try JSON(parsing: "{\"user\":{\"__typename\":\"User\",\"id\":\"1\",\"age\":\($0)}}")
        }
      },
      make("read again, new root field, lazy", count) {
        try readingAgain(count) { try JSON(parsing: "{\"number\":\($0)}") }
      },
    ]
  }

  /// Something else changes before each read, so the store has to find out that the list has not.
  /// The result is the one before it, so nobody has to look at it again.
  private static func readingAgain(
    _ count: Int, changing data: @escaping (Int) throws -> JSON
  ) throws -> Workload {
    let store = try TodoStore.filled(count)
    let first = store.read(TodoStore.list)
    let round = Counter()
    let other = GraphQLOperation("{ number user { id age } }")
    return Workload(run: { operations in
      for _ in 0..<operations {
        try expect(store.write(try data(round.next()), for: other) > 0, "Nothing has changed.")
        let isSame = first.map { store.read(TodoStore.list)?.isIdentical(to: $0) == true }
        try expect(isSame == true, "The list is not the same.")
      }
    })
  }
}
