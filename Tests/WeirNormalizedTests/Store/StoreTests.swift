import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The store without a client (N3, N5).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct StoreTests {
  struct Todo: Codable, Sendable, Equatable {
    var id: String
    var text: String
  }

  struct Todos: Codable, Sendable, Equatable {
    var todos: [Todo]
  }

  static let query = Query<Todos, NoVariables>("{ todos { id text } }")
  static let todos = query.operation(NoVariables())
  static let data = #"""
    {"todos":[{"__typename":"Todo","id":"1","text":"a"},{"__typename":"Todo","id":"2","text":"b"}]}
    """#

  static func store(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration()
  ) throws -> NormalizedStore {
    let store = StoreKind.store(configuration)
    try store.write(try JSON(parsing: data), for: todos)
    return store
  }

  @Test("A partial read returns the data and the missing paths, and can be explained (N3.1)")
  func partial() async throws {
    let store = try Self.store()
    try store.update { $0.remove(.field("text", of: Entity("Todo", id: "2"))) }
    let server = ScriptedExchange.immediate { _ in .data(Self.data) }
    let client = GraphQLClient([.cache(store), server])
    let operation = Self.todos.with { $0.allowsPartialData = true }
    let result = await client.query(operation)
    #expect(result.outcome == .partial)
    #expect(result.data?["todos"]?[1]?["text"]?.isNull == true)
    #expect(result.missingPaths == [[.key("todos"), .index(1), .key("text")]])
    #expect(server.operations.isEmpty)
    let explanation = store.explain(Self.todos)
    #expect(explanation.description == "partial\ntodos.1.text is missing")
    #expect(await client.query(Self.todos).outcome == .miss)
    #expect(server.operations.count == 1)
    #expect(store.explain(Self.todos).status == .complete)
    try store.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
    #expect(store.explain(Self.todos).description == "partial\ntodos.0 is dangling")
    let unknown = GraphQLOperation("{ nothing }").with { $0.allowsPartialData = true }
    #expect(client.peek(unknown) == nil)
    let wrong = GraphQLOperation("{ todos { ...Nowhere } }")
    #expect(store.explain(wrong).status == .defective)
  }

  @Test("A typed result names the missing paths, which only optional properties can lack (N3.1)")
  func partialTypes() async throws {
    struct Sparse: Decodable, Sendable { var id: String, text: String? }
    struct SparseTodos: Decodable, Sendable { var todos: [Sparse] }
    let store = try Self.store()
    try store.update { $0.remove(.field("text", of: Entity("Todo", id: "2"))) }
    let server = ScriptedExchange.immediate { _ in .data(Self.data) }
    let client = GraphQLClient([.cache(store), server])
    var context = OperationContext()
    context.allowsPartialData = true
    let sparse = Query<SparseTodos, NoVariables>("{ todos { id text } }")
    let result = await client.query(sparse, context: context)
    #expect(result.data?.todos.map(\.text) == ["a", nil])
    #expect(result.missingPaths == [[.key("todos"), .index(1), .key("text")]])
    #expect(try result.get().todos.count == 2)
    let strict = await client.query(Self.query, context: context)
    #expect(strict.data == nil && strict.error?.code == .decoding)
    #expect(strict.missingPaths == result.missingPaths)
    #expect(await client.query(Self.query).missingPaths.isEmpty)
  }

  @Test("A redirect finds an entity or a list of entities without a request, also a new one (N1.2)")
  func redirects() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")
    configuration.fields["Query.byIDs"] = .redirecting(to: "Todo", idFrom: "ids")
    let store = try Self.store(configuration)
    let one = GraphQLOperation("{ todo(id: 2) { text } }")
    #expect(store.read(one)?["todo"]?["text"]?.string == "b")
    let both = GraphQLOperation("{ byIDs(ids: [2, \"1\"]) { text } }")
    #expect(store.read(both)?["byIDs"]?.elements.map { $0["text"]?.string } == ["b", "a"])
    configuration.keys["Seat"] = .fields(["row", "number"])
    configuration.fields["Query.seat"] = .redirecting(to: "Seat", idsFrom: ["row", "number"])
    let theatre = StoreKind.store(configuration)
    try theatre.write(
      ["seats": [["__typename": "Seat", "row": "A", "number": 7, "isFree": true]]],
      for: GraphQLOperation("{ seats { row number isFree } }"))
    let seat = GraphQLOperation(
      "query($n: Int) { seat(number: $n, row: \"A\") { isFree } }", variables: ["n": 7])
    #expect(theatre.read(seat)?["seat"]?["isFree"]?.bool == true)
    #expect(theatre.read(GraphQLOperation("{ seat(number: 7) { isFree } }")) == nil)
    let three = GraphQLOperation("{ todo(id: 3) { text } }")
    var watch = store.watch(three).makeAsyncIterator()
    let nothing = await watch.next()
    #expect(nothing == .some(nil))
    async let next = watch.next()
    try store.write(
      try JSON(parsing: #"{"todos":[{"__typename":"Todo","id":"3","text":"c"}]}"#),
      for: Self.todos)
    #expect(await next??["todo"]?["text"]?.string == "c")
  }

  @Test("A fragment of one entity can be watched (N4.3)")
  func fragments() async throws {
    let store = try Self.store()
    let card = try GraphQLFragment("fragment Card on Todo { text }")
    var watch = store.watch(card, of: Entity("Todo", id: "1")).makeAsyncIterator()
    #expect(await watch.next()??["text"]?.string == "a")
    async let next = watch.next()
    try store.update { transaction in
      try transaction.update(card, of: Entity("Todo", id: "1")) { $0["text"] = "z" }
    }
    #expect(await next??["text"]?.string == "z")
    #expect(throws: StoreError.self) { try GraphQLFragment("{ a }") }
  }

  @Test("Writing by hand inserts an entity into its lists; a mutation's root is not kept (N5.3)")
  func writtenByHand() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    let store = try Self.store(configuration)
    let count = try store.write(
      ["new": ["__typename": "Todo", "id": "3", "text": "c"]],
      for: GraphQLOperation("{ new { id text } }"))
    #expect(count == 2)
    #expect(try store.read(Self.query)?.todos.map(\.text) == ["a", "b", "c"])
    let add = GraphQLOperation("mutation { add { id text } }")
    try store.write(["add": ["__typename": "Todo", "id": "4", "text": "d"]], for: add)
    #expect(try store.read(Self.query)?.todos.map(\.text) == ["a", "b", "c", "d"])
    #expect(store.read(add) == nil)
    try store.update {
      try $0.write(["add": ["__typename": "Todo", "id": "5", "text": "e"]], for: add)
    }
    #expect(try store.read(Self.query)?.todos.map(\.text) == ["a", "b", "c", "d", "e"])
    #expect(store.read(add) == nil)
  }

  @Test("The log of changes names entities and fields (N4.2)")
  func changes() async throws {
    let store = try Self.store()
    var changes = store.changes().makeAsyncIterator()
    let card = try GraphQLFragment("fragment Card on Todo { text }")
    try store.update { transaction in
      try transaction.update(card, of: Entity("Todo", id: "1")) { $0["text"] = "z" }
    }
    try store.update { $0.remove(.entity(Entity("Todo", id: "2"))) }
    #expect(await changes.next()?.fields == [Entity("Todo", id: "1"): ["text"]])
    #expect(await changes.next()?.fields == [Entity("Todo", id: "2"): []])
  }

  @Test("The log of changes reports that everything is gone when a store is emptied (N4.2)")
  func clearing() async throws {
    let forget: [(GraphQLClient) -> Void] = [{ $0.clear() }, { $0.switchSession() }]
    for forget in forget {
      let store = try Self.store()
      let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
      _ = store.read(Self.todos)
      var changes = store.changes().makeAsyncIterator()
      forget(client)
      let gone = await changes.next()?.fields
      #expect(gone?[.query] == [])
      #expect(gone?[Entity("Todo", id: "1")] == [])
      #expect(gone?[Entity("Todo", id: "2")] == [])
    }
  }

  @Test("The log of changes ends with the store (N4.2)")
  func end() async {
    var changes = StoreKind.store().changes().makeAsyncIterator()
    #expect(await changes.next() == nil)
  }

  @Test("A snapshot restores everything, and damaged bytes change nothing (N5)")
  func snapshot() throws {
    let store = try Self.store()
    let other = GraphQLOperation(#"{ box(at: [1, "x"]) { value { deep } tags raw price no } }"#)
    try store.write(
      try JSON(
        parsing: #"""
          {"box":{"__typename":"Box","value":{"__typename":"Inner","deep":"é\n"},"tags":["a"],
           "raw":{"$reference":"Todo:1"},"price":1.50,"no":null}}
          """#), for: other)
    let snapshot = store.extract()
    let copy = StoreKind.store()
    try copy.restore(snapshot)
    #expect(copy.read(Self.todos) == store.read(Self.todos))
    #expect(copy.read(other) == store.read(other))
    #expect(copy.read(other) != nil)
    for length in stride(from: 0, to: snapshot.bytes.count, by: 7) {
      let target = StoreKind.store()
      #expect(throws: StoreError.self) {
        try target.restore(StoreSnapshot(bytes: Array(snapshot.bytes.prefix(length))))
      }
      #expect(target.read(Self.todos) == nil)
    }
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      var bytes = snapshot.bytes
      bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
      let target = StoreKind.store()
      #expect(throws: StoreError.self) { try target.restore(StoreSnapshot(bytes: bytes)) }
      #expect(target.read(Self.todos) == nil)
    }
  }
}

extension NormalizedStore {
  /// Changes the text that a fragment shows.
  func update(
    _ fragment: GraphQLFragment, of entity: Entity, _ text: JSONValue
  ) throws {
    try update { transaction in
      try transaction.update(fragment, of: entity) { $0["text"] = text }
    }
  }
}

extension StoreTests {
  @Test("An operation with a defect has no data, and its watch ends (N3.1)")
  func defect() async throws {
    struct Data: Decodable, Sendable { var todo: String? }
    let store = StoreKind.store()
    let broken: GraphQLDocument = "{ todo { id "
    #expect(try store.read(Query<Data, NoVariables>(broken)) == nil)
    var watch = store.watch(GraphQLOperation(broken)).makeAsyncIterator()
    #expect(await watch.next() == .some(nil))
    #expect(await watch.next() == nil)
  }
}
