import Weir
import WeirNormalized

/// Types that were generated from `Benchmarks/Documents`, each beside types with a `Decodable` that the
/// compiler has synthesized.
enum GeneratedCases {
  static var all: [BenchmarkCase] { bytes + store + hits }

  private static let count = 10_000

  private static func make(
    _ name: String, _ yardstick: Yardstick, floor: (() async throws -> Workload)? = nil,
    _ prepare: @escaping () async throws -> Workload
  ) -> BenchmarkCase {
    BenchmarkCase(name: "generated/\(name)", yardstick: yardstick, floor: floor, prepare: prepare)
  }

  // MARK: Bytes to values

  private static var bytes: [BenchmarkCase] {
    [
      make("bytes → values/10000", .jsonDecoder(count)) { try decoding(Todos.Data.self) },
      make("bytes → values/10000, Decodable", .jsonDecoder(count)) {
        try decoding(TodosData.self)
      },
    ]
  }

  private static func decoding<Data: Decodable & Inspectable>(
    _ type: Data.Type
  ) throws -> Workload {
    let bytes = Payloads.todos(count)
    let sum = try Payloads.todosChecksum(count)
    return Workload(
      parts: (count, "item"),
      run: { operations in
        for _ in 0..<operations {
          let data = try JSON(parsing: bytes)["data"]?.decode(type)
          try expect(data?.checksum == sum, "Values are wrong.")
        }
      })
  }

  // MARK: Store to values

  private static var store: [BenchmarkCase] {
    [
      make("store → values/10000", .jsonDecoder(count)) {
        try reading { store, isOther in
          try isOther ? store.read(OtherTodos())?.checksum : store.read(Todos())?.checksum
        }
      },
      make("store → values/10000, Decodable", .jsonDecoder(count)) {
        let query = Query<TodosData, NoVariables>(GraphQLDocument(Documents.todos))
        let other = Query<TodosData, NoVariables>(
          GraphQLDocument(Documents.todos.replacing("query Todos", with: "query OtherTodos")))
        return try reading { store, isOther in try store.read(isOther ? other : query)?.checksum }
      },
    ]
  }

  /// Reads a list of which the store has no result: two operations take turns in a store that keeps
  /// only one.
  private static func reading(
    _ read: @escaping (NormalizedStore, _ isOther: Bool) throws -> Int?
  ) throws -> Workload {
    let store = try TodoStore.filled(count) { $0.maximumResults = 1 }
    let sum = try Payloads.todosChecksum(count)
    let turn = Counter()
    return Workload(
      parts: (count, "item"),
      run: { operations in
        for _ in 0..<operations {
          let found = try read(store, turn.next().isMultiple(of: 2))
          try expect(found == sum, "The list was not read as it is.")
        }
      })
  }

  // MARK: Hits

  private static var hits: [BenchmarkCase] {
    [
      make("hit two variables", .lookUp, floor: { try await Floors.hit(Post(id: "1", size: 3)) }) {
        try await hit { try check(await $0.query(Post(id: "1", size: 3))) { $0.checksum } }
      },
      make("hit two variables, Encodable", .lookUp) {
        let query = Query<PostData, SizedVariables>(Post.document)
        return try await hit {
          try check(await $0.query(query, SizedVariables(id: "1", size: 3))) { $0.checksum }
        }
      },
    ]
  }

  /// Asks for a result that the cache has.
  private static func hit(
    _ ask: @escaping (GraphQLClient) async throws -> Int
  ) async throws -> Workload {
    let answers = AnswerExchange(posts: 2)
    let client = MeasuredClient(answers).client
    _ = await client.query(Post(id: "1", size: 3))
    let sum = try Payloads.postChecksum(1)
    return Workload(
      run: { operations in
        for _ in 0..<operations { try expect(try await ask(client) == sum, "Data is wrong.") }
      },
      check: { try expect(answers.requestCount == 1, "A hit has sent a request.") },
      isCounted: true)
  }

  private static func check<Data>(
    _ result: TypedResult<Data>, _ checksum: (Data) -> Int
  ) throws -> Int {
    try expect(result.outcome == .hit, "A hit was not a hit.")
    return result.data.map(checksum) ?? 0
  }
}

/// The variables of the generated query `Post`.
private struct SizedVariables: Encodable, Sendable {
  let id: String
  let size: Int
}

// MARK: - Looking at values

extension Todos.Data: Inspectable {
  var checksum: Int { todos.reduce(0) { $0 &+ $1.checksum } }
}

extension OtherTodos.Data: Inspectable {
  var checksum: Int { todos.reduce(0) { $0 &+ $1.checksum } }
}

extension TodoRow: Inspectable {
  var checksum: Int {
    id.utf8.count &+ text.utf8.count &+ (complete ? 1 : 0) &+ due.utf8.count
      &+ author.id.utf8.count &+ author.name.utf8.count
  }
}

extension Post.Data: Inspectable {
  var checksum: Int {
    post.id.utf8.count &+ post.title.utf8.count &+ post.body.utf8.count
      &+ (post.published ? 1 : 0) &+ post.author.id.utf8.count &+ post.author.name.utf8.count
  }
}
