import TestSupport
import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Defects of other clients that no other test covers by name.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct DefectTests {
  private static func todo(_ id: String, _ text: String) -> JSONValue {
    ["__typename": "Todo", "id": .string(id), "text": .string(text)]
  }

  private static func store(ids: [String]) throws -> NormalizedStore {
    let store = StoreKind.store()
    try store.write(
      ["todos": .array(ids.map { todo($0, "text of \($0)") })], for: StoreTests.todos)
    return store
  }

  private static func ids(_ store: NormalizedStore) -> [String] {
    let card = StoreTests.fragment("fragment Card on Todo { id }")
    return ["1", "2", "200", "2001", "3200", "a_b", "axb", "a%b"].filter {
      store.read(card, of: Entity("Todo", id: $0)) != nil
    }
  }

  @Test("A hundred writes in one batch cause one emission (N4.1, defect 5)")
  func oneEmission() async throws {
    let store = try Self.store(ids: ["1", "2"])
    var watch = store.watch(StoreTests.todos).makeAsyncIterator()
    #expect(await watch.next()??["todos"]?.count == 2)
    var changes = store.changes().makeAsyncIterator()
    async let next = watch.next()
    await eventually { store.state.withLock { $0.results.dependencies.count } > 0 }
    try store.update { transaction in
      for number in 0..<100 {
        try transaction.write(
          ["todos": [Self.todo("1", "\(number)"), Self.todo("2", "\(-number)")]],
          for: StoreTests.todos)
      }
    }
    #expect(await next??["todos"]?[0]?["text"]?.string == "99")
    #expect(await changes.next()?.fields.keys.sorted { $0.id < $1.id }.map(\.id) == ["1", "2"])
    try store.write(["other": 1], for: GraphQLOperation("{ other }"))
    #expect(await changes.next()?.fields.keys.first == .query)
  }

  @Test("A transaction reads its own writes, and other reads do not wait for it (N5.1, defect 6)")
  func readsWithinTransactions() throws {
    let store = try Self.store(ids: ["1"])
    try store.update { transaction in
      try transaction.write(["todos": [Self.todo("1", "new")]], for: StoreTests.todos)
      #expect(transaction.read(StoreTests.todos)?["todos"]?[0]?["text"]?.string == "new")
      #expect(store.read(StoreTests.todos)?["todos"]?[0]?["text"]?.string == "text of 1")
    }
  }

  @Test(
    "Keys match exactly: no character is a wildcard, and a key is not a prefix (N5.2, defect 7)",
    arguments: [
      (StoreSelection.entity(Entity("Todo", id: "200")), ["200"]),
      (.entity(Entity("Todo", id: "a_b")), ["a_b"]), (.entity(Entity("Todo", id: "a%b")), ["a%b"]),
      (.prefix("Todo:200"), ["200", "2001"]), (.prefix("Todo:a_"), ["a_b"]),
      (.prefix("Todo:%"), []), (.prefix("odo:2"), []), (.prefix("todo:2"), []),
    ])
  func patterns(_ selection: StoreSelection, removed: [String]) throws {
    let all = ["1", "2", "200", "2001", "3200", "a_b", "axb", "a%b"]
    let store = try Self.store(ids: all)
    try store.update { $0.remove(selection) }
    #expect(Self.ids(store) == all.filter { !removed.contains($0) })
  }

  @Test("A mutation that hangs does not withhold the results of others (N6.1, defect 10)")
  func hangingMutation() async throws {
    let store = try Self.store(ids: ["1", "2"])
    let gate = Gate()
    let server = ScriptedExchange { operation in
      if operation.text.contains("first") {
        await gate.pass()
        return .failure("no")
      }
      return .data(#"{"second":{"__typename":"Todo","id":"2","text":"real"}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    func mutation(_ name: String, _ id: String) -> GraphQLOperation {
      GraphQLOperation(GraphQLDocument("mutation { \(name) { id text } }")).with {
        $0.optimisticData = .object([name: Self.todo(id, "guess")])
      }
    }
    func texts() -> [String?] {
      store.read(StoreTests.todos)?["todos"]?.elements.map { $0["text"]?.string } ?? []
    }
    async let hanging = client.mutate(mutation("first", "1"))
    await server.received(1)
    #expect(texts() == ["guess", "text of 2"])
    #expect(await client.mutate(mutation("second", "2")).error == nil)
    #expect(texts() == ["guess", "real"])
    gate.open()
    #expect(await hanging.error != nil)
    #expect(texts() == ["text of 1", "real"])
  }

  @Test("If the network fails, its error is reported beside the cached data (N3.1, defect 9)")
  func networkFirst() async throws {
    let store = StoreKind.store()
    let client = GraphQLClient([
      .cache(store), ScriptedExchange.immediate { _ in .failure("down") },
    ])
    let operation = StoreTests.todos.with { $0.requestPolicy = .networkFirst }
    let nothing = await client.query(operation)
    #expect(nothing.data == nil)
    #expect(nothing.error.map { "\($0)" }?.contains("down") == true)
    try store.write(["todos": [Self.todo("1", "kept")]], for: StoreTests.todos)
    let kept = await client.query(operation)
    #expect(kept.data?["todos"]?[0]?["text"]?.string == "kept")
    #expect(kept.error.map { "\($0)" }?.contains("down") == true)
  }

  @Test("A new entity makes lists stale, not each field of each entity (N5.4, defect 11)")
  func newEntity() async throws {
    let store = try Self.store(ids: (0..<100).map(String.init))
    let client = GraphQLClient([
      .cache(store),
      ScriptedExchange.immediate { _ in
        .data(#"{"add":{"__typename":"Todo","id":"new","text":"x"}}"#)
      },
    ])
    let card = GraphQLOperation("{ card { id text } }")
    try store.write(["card": Self.todo("7", "text of 7")], for: card)
    var changes = store.changes().makeAsyncIterator()
    _ = await client.mutate(GraphQLOperation("mutation { add { id text } }"))
    #expect(await changes.next()?.fields.keys.filter { $0.typename == "Todo" }.map(\.id) == ["new"])
    #expect(client.peek(StoreTests.todos)?.isStale == true)
    #expect(client.peek(card)?.isStale == false)
  }
}

/// Parts of rules that the tables do not cover.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RuleTests {
  private static let author = GraphQLOperation("{ todos { id author { id name } } }")
  private static let authors: JSONValue = [
    "todos": [
      [
        "__typename": "Todo", "id": "1",
        "author": ["__typename": "Author", "id": "7", "name": "A"],
      ],
      ["__typename": "Todo", "id": "2", "author": nil],
    ]
  ]

  @Test("A dangling reference is a miss, or is dropped from a list if so configured (N3.4)")
  func dangling() throws {
    for dropsDangling in [false, true] {
      var configuration = NormalizedCacheConfiguration()
      configuration.dropsDangling = dropsDangling
      let store = try StoreTests.store(configuration)
      try store.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
      #expect(store.read(StoreTests.todos)?["todos"]?.count == (dropsDangling ? 1 : nil))
      try store.write(Self.authors, for: Self.author)
      try store.update { $0.remove(.entity(Entity("Author", id: "7"))) }
      #expect(store.read(Self.author) == nil)
      #expect(store.explain(Self.author).description == "partial\ntodos.0.author is dangling")
    }
  }

  @Test("A document that nests too deeply is an error, not a crash (N3.6)")
  func depth() async throws {
    let depth = 100_000
    let text = String(repeating: "{ a ", count: depth) + String(repeating: "}", count: depth)
    let server = ScriptedExchange.immediate { _ in .data("{}") }
    let store = StoreKind.store()
    let operation = GraphQLOperation(GraphQLDocument(text))
    let result = await GraphQLClient([.cache(store), server]).query(operation)
    #expect(result.error != nil)
    #expect(store.read(operation) == nil)
    #expect(throws: StoreError.self) { try GraphQLFragment("fragment F on T " + text) }
  }

  @Test("With cascades, a removal also removes the entities that the entity refers to (N5.2)")
  func cascade() throws {
    for cascades in [false, true] {
      let store = StoreKind.store()
      try store.write(Self.authors, for: Self.author)
      try store.update { $0.remove(.entity(Entity("Todo", id: "1")), cascades: cascades) }
      let name = StoreTests.fragment("fragment Name on Author { name }")
      #expect((store.read(name, of: Entity("Author", id: "7")) == nil) == cascades)
    }
  }

  @Test("A field is invalidated or removed for some arguments or for all (N5.2)")
  func fields() throws {
    let store = StoreKind.store()
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    let lists = [1, 2].map { GraphQLOperation(GraphQLDocument("{ todos(page: \($0)) { id } }")) }
    func fill() throws {
      for list in lists {
        try store.write(["todos": [["__typename": "Todo", "id": "1"]]], for: list)
      }
    }
    let one: StoreSelection = .field("todos", arguments: ["page": 1])
    for (selection, count) in [(one, 1), (.field("todos"), 2)] {
      try fill()
      try store.update { $0.invalidate(selection) }
      #expect(lists.count { client.peek($0)?.isStale == true } == count)
      #expect(lists.allSatisfy { store.read($0) != nil })
      try fill()
      #expect(lists.allSatisfy { client.peek($0)?.isStale == false })
      try store.update { $0.remove(selection) }
      #expect(lists.count { store.read($0) == nil } == count)
    }
    try fill()
    try store.update { $0.invalidate(.entity(Entity("Todo", id: "1"))) }
    #expect(lists.allSatisfy { client.peek($0)?.isStale == true })
    #expect(store.explain(lists[0]).status == .stale)
  }

  @Test("An entity leaves lists that exclude it; undecided lists become stale (N5.3)")
  func leaving() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [
      ListMembership(
        of: "Todo", in: "Query.todos",
        orderedBy: { ($0["text"]?.string ?? "") < ($1["text"]?.string ?? "") },
        includes: { todo, _ in todo["text"]?.string == "?" ? nil : todo["text"] != "" })
    ]
    let store = try StoreTests.store(configuration)
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    func write(_ id: String, _ text: String) throws -> [String?] {
      let card = StoreTests.fragment("fragment Card on Todo { id text }")
      let todo: JSONValue = ["id": .string(id), "text": .string(text)]
      try store.update { try $0.write(todo.json, for: card, of: Entity("Todo", id: id)) }
      return store.read(StoreTests.todos)?["todos"]?.elements.map { $0["text"]?.string } ?? []
    }
    #expect(try write("3", "aa") == ["a", "aa", "b"])
    #expect(try write("1", "") == ["aa", "b"])
    #expect(client.peek(StoreTests.todos)?.isStale == false)
    #expect(try write("4", "?") == ["aa", "b"])
    #expect(client.peek(StoreTests.todos)?.isStale == true)
  }

  @Test("Parts of a result are written as they arrive, with hasNext until the last (N6.3)")
  func incremental() async throws {
    let parts = [
      #"{"t":{"__typename":"T","id":"1","a":1}}"#,
      #"{"t":{"__typename":"T","id":"1","a":1,"b":2}}"#,
    ]
    let gate = Gate()
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        for (index, part) in parts.enumerated() {
          var result = OperationResult.data(part)
          result.hasNext = index == 0
          yield(result)
          if index == 0 { await gate.pass() }
        }
      }
    })
    let store = StoreKind.store()
    let client = GraphQLClient([.cache(store), server])
    let operation = GraphQLOperation("{ t { id a ... @defer { b } } }")
    var shown: [Bool] = []
    for await result in client.results(of: operation) {
      shown.append(result.hasNext)
      let first = store.read(GraphQLOperation("{ t { id a } }"))
      #expect(first?["t"]?["a"]?.int == 1)
      #expect((store.read(operation) != nil) == !result.hasNext)
      gate.open()
    }
    #expect(shown == [true, false])
  }
}

extension StoreTests {
  /// A fragment that is written in a test.
  static func fragment(_ text: String) -> GraphQLFragment {
    do { return try GraphQLFragment(text) } catch { preconditionFailure("\(error)") }
  }
}
