import Weir
import WeirNormalized

/// One entity of a normalized store: written, read, and served as a hit.
enum EntityCases {
  static var all: [BenchmarkCase] {
    [
      changing("write/one"), changing("write and read/one", check),
      changing(
        "write and read/one, generated", floor: { try Floors.writeAndRead(10_000) }
      ) { store, text in
        let todo = try store.read(OneTodo(id: "0"))?.todo
        try expect(
          todo?.text == text && todo?.id == "0" && todo?.complete == true,
          "The todo was not read as it was written.")
      },
    ]
      + [1_000, 100_000].flatMap {
        [
          changing("write/one of \($0)", todos: $0, isSlow: true),
          changing("write and read/one of \($0)", todos: $0, isSlow: true, check),
        ]
      } + [hit, hitAfterWrite, hitList(isLazy: true), hitList(isLazy: false)]
  }

  /// Writes a todo, and looks at the store.
  private static func changing(
    _ name: String, todos count: Int = 10_000, isSlow: Bool = false,
    floor: (() throws -> Workload)? = nil,
    _ look: @escaping (NormalizedStore, _ text: String) throws -> Void = { _, _ in }
  ) -> BenchmarkCase {
    BenchmarkCase(name: name, yardstick: .jsonSerialization(1), isSlow: isSlow, floor: floor) {
      let store = try TodoStore.filled(count)
      let changes = try TodoChanges()
      return Workload(
        run: { operations in
          for _ in 0..<operations { try look(store, changes.write(to: store)) }
        }, isCounted: true)
    }
  }

  private static func check(_ store: NormalizedStore, _ text: String) throws {
    let todo = try store.read(Queries.oneTodo, IDVariables(id: "0"))?.todo
    try expect(
      todo?.text == text && todo?.checksum == text.utf8.count + 2,
      "The todo was not read as it was written.")
  }

  // MARK: Through a client

  private static func client(_ store: NormalizedStore) -> GraphQLClient {
    GraphQLClient(
      ChainCount.noting([.dedup, .normalizedCache(store), InlineExchange.unreachable]))
  }

  private static var hit: BenchmarkCase {
    BenchmarkCase(name: "normalized/hit one/10000") {
      let client = client(try TodoStore.filled(10_000))
      return Workload(
        run: { operations in
          for _ in 0..<operations { try check(await client.query(Queries.oneTodo, one)) }
        }, isCounted: true)
    }
  }

  /// A hit after another todo has been written. Only the hit is timed.
  private static var hitAfterWrite: BenchmarkCase {
    BenchmarkCase(name: "normalized/hit one after an unrelated write/10000") {
      let store = try TodoStore.filled(10_000)
      let client = client(store)
      let changes = try TodoChanges(of: "5000")
      let stopwatch = Stopwatch()
      return Workload(
        run: { operations in
          for _ in 0..<operations {
            try changes.write(to: store)
            let start = ContinuousClock.now
            let result = await client.query(Queries.oneTodo, one)
            try check(result)
            stopwatch.add(from: start)
          }
        }, stopwatch: stopwatch)
    }
  }

  private static let one = IDVariables(id: "0")

  private static func check(_ result: TypedResult<OneTodoData>) throws {
    // "0", "Todo item number 0", complete.
    try expect(result.outcome == .hit && result.data?.checksum == 20, "A hit is wrong.")
  }

  private static func hitList(isLazy: Bool) -> BenchmarkCase {
    let count = 10_000
    return BenchmarkCase(
      name: "normalized/hit list\(isLazy ? ", lazy" : "")/\(count)",
      yardstick: isLazy ? .lookUp : .jsonSerialization(count)
    ) {
      let client = client(try TodoStore.filled(count))
      let sum = try Payloads.todosChecksum(count)
      return Workload(run: { operations in
        for _ in 0..<operations {
          let result = await client.query(Queries.todos)
          try expect(
            result.outcome == .hit && result.data?.todos.count == count
              && (isLazy || result.data?.checksum == sum), "A hit is wrong.")
        }
      })
    }
  }
}
