import Weir
import WeirNormalized

enum MemoryCases {
  static var all: [MemoryCase] {
    documentCache + [document, tree] + [10_000, 100_000].flatMap { store($0) } + ended
      + [distinctDocuments, idleSubscriptions]
  }

  // MARK: The document cache

  private static let results = 10_000

  /// Small results in a cache, with everything that it takes to find and to drop them.
  private static var documentCache: [MemoryCase] {
    [
      MemoryCase(name: "memory/document result typed", count: results, unit: "result") {
        let measured = MeasuredClient(answers)
        for id in 0..<results {
          let result = await measured.client.query(Queries.post, IDVariables(id: "\(id)"))
          try expect(result.data?.post.id == "\(id)", "A post cannot be cached.")
        }
        return measured.client
      },
      MemoryCase(name: "memory/document result untyped", count: results, unit: "result") {
        let measured = MeasuredClient(answers)
        try await measured.cache((0..<results).lazy.map { postOperation($0) })
        return measured.client
      },
      MemoryCase(name: "memory/watched result", count: 1_000, unit: "result") {
        let measured = MeasuredClient(answers)
        return EndingViews(
          await LiveViews(
            (0..<1_000).map { measured.client.watch(Queries.post, IDVariables(id: "\($0)")) },
            on: .pool, text: { $0.post.title }))
      },
    ]
  }

  /// Makes each answer, so that nobody but the cache holds it.
  private static var answers: InlineExchange {
    InlineExchange { operation, _ in
      .just(parsed(Payloads.post(firstNumber(in: operation.variables))))
    }
  }

  // MARK: JSON

  private static var document: MemoryCase {
    MemoryCase(
      name: "memory/json document/10000", count: 10_000, unit: "item",
      todos: 10_000
    ) {
      try JSON(parsing: Payloads.todos(10_000))
    }
  }

  private static var tree: MemoryCase {
    MemoryCase(
      name: "memory/json tree/10000", count: 10_000, unit: "item",
      todos: 10_000
    ) {
      try JSON(parsing: Payloads.todos(10_000)).value
    }
  }

  // MARK: The normalized cache

  /// Todos of a store, with their shares of the authors: nobody reads them, a typed result of all
  /// of them is held, a view shows them, one of them has changed since a view began to show them,
  /// or such a view has ended.
  private static func store(_ count: Int) -> [MemoryCase] {
    func make(_ name: String, _ make: @escaping () async throws -> Any) -> MemoryCase {
      MemoryCase(
        name: "memory/\(name)/\(count)", count: count, unit: "todo", isSlow: count > 10_000,
        todos: count, make: make)
    }
    return [
      make("todo in a store") { try TodoStore.filled(count) },
      make("todo in a store and a typed result") {
        let store = try TodoStore.filled(count)
        return (store, try store.read(Queries.todos) as Any)
      },
      make("todo in a store and a view") { EndingViews(try await view(of: count).views) },
      make("todo in a store and a view, one changed") {
        let (client, views) = try await view(of: count)
        let update = UpdateTodoVariables(id: "0", text: "changed", complete: true)
        views.expect(update.text, in: 1)
        let result = await client.mutate(Queries.updateTodo, update)
        try expect(result.data?.checksum == update.checksum, "The mutation has failed.")
        _ = await views.shown()
        return EndingViews(views)
      },
      make("todo in a store after a view") {
        let (client, views) = try await view(of: count)
        await views.end()
        return client
      },
      make("structs alone") { try decoded(count) },
      make("structs and plain records") {
        (try decoded(count), PlainRecords(try decoded(count)))
      },
    ]
  }

  private static func decoded(_ count: Int) throws -> TodosData {
    try JSON(parsing: Payloads.todos(count)).decode(Response<TodosData>.self).data
  }

  private static func view(
    of count: Int
  ) async throws -> (client: GraphQLClient, views: LiveViews<TodosData>) {
    let store = try TodoStore.filled(count)
    let server = TodoUpdates()
    try server.prepare(UpdateTodoVariables(id: "0", text: "changed", complete: true))
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let views = await LiveViews(
      [client.watch(Queries.todos)], on: .pool, text: { $0.todos.first?.text })
    return (client, views)
  }

  // MARK: Ended queries and documents

  /// The memory that a watched query leaves behind when it ends, in addition to its cached result.
  private static var ended: [MemoryCase] {
    let count = 2_000
    return [
      MemoryCase(
        name: "memory/ended query, document cache", count: count, unit: "query",
        makeBaseline: { try await cachedPosts(count).client },
        make: {
          let measured = try await cachedPosts(count)
          for id in 0..<count {
            try await watchOnce(measured.client, Queries.post, IDVariables(id: "\(id)"))
          }
          return measured.client
        }),
      MemoryCase(
        name: "memory/ended query, normalized", count: count, unit: "query",
        makeBaseline: { try TodoStore.filled(count) { $0.maximumResults = 0 } },
        make: {
          let store = try TodoStore.filled(count) { $0.maximumResults = 0 }
          let client = GraphQLClient([
            .dedup, .normalizedCache(store), InlineExchange.unreachable,
          ])
          for id in 0..<count {
            try await watchOnce(client, Queries.oneTodo, IDVariables(id: "\(id)"))
          }
          return client
        }),
    ]
  }

  private static func cachedPosts(_ count: Int) async throws -> MeasuredClient {
    let measured = MeasuredClient(answers)
    for id in 0..<count { _ = await measured.client.query(Queries.post, IDVariables(id: "\(id)")) }
    return measured
  }

  private static func watchOnce<Data>(
    _ client: GraphQLClient, _ query: Query<Data, IDVariables>, _ variables: IDVariables
  ) async throws {
    for await result in client.watch(query, variables) {
      try expect(result.data != nil, "A watched query has no data.")
      break
    }
  }

  /// Documents of 30 lines, each used once, of which the process keeps the parsed form.
  private static var distinctDocuments: MemoryCase {
    let round = Counter()
    return MemoryCase(name: "memory/distinct document", count: 500, unit: "document") {
      let round = round.next()
      return (0..<500).map {
        GraphQLOperation(
          GraphQLDocument(Documents.feedWithoutVariables(name: "Memory_\(round)_\($0)"))
        ).key
      }
    }
  }

  private static var idleSubscriptions: MemoryCase {
    MemoryCase(name: "memory/idle subscription/10000", count: 10_000, unit: "subscription") {
      await IdleSubscriptions(10_000)
    }
  }
}

/// A list of todos as any program may keep it that shows changes of its todos and authors everywhere: both by
/// their identifiers, with strings of their own.
private struct PlainRecords {
  struct Record {
    let text: String
    let complete: Bool
    let due: String
    let author: String
  }

  private let todos: [String: Record]
  private let authors: [String: String]
  private let list: [String]

  init(_ data: TodosData) {
    list = data.todos.map(\.id)
    authors = Dictionary(data.todos.map { ($0.author.id, $0.author.name) }) { first, _ in first }
    todos = Dictionary(
      data.todos.map {
        let record = Record(
          text: $0.text, complete: $0.complete, due: $0.due, author: $0.author.id)
        return ($0.id, record)
      }
    ) { first, _ in first }
  }
}

/// Ends views when it is released.
private final class EndingViews<Data: Decodable & Sendable & Inspectable> {
  private let views: LiveViews<Data>

  init(_ views: LiveViews<Data>) {
    self.views = views
  }

  deinit {
    views.cancel()
  }
}
