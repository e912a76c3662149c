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

  @Test("A literal can be written to an entity, whatever the fragment's type (N4.3)")
  func literals() throws {
    struct Card: Codable, Sendable { let text: String }
    let store = try Self.store()
    let card = try Fragment<Card>("fragment Card on Todo { text }")
    let first = Entity("Todo", id: "1")
    try store.update { try $0.write(["text": "x"], for: card, of: first) }
    #expect(try store.read(card, of: first)?.text == "x")
    try store.update { try $0.write(["text": "y"], for: card.untyped, of: first) }
    #expect(try store.read(card, of: first)?.text == "y")
    try store.update { try $0.write(Card(text: "z"), for: card, of: first) }
    #expect(try store.read(card, of: first)?.text == "z")
  }

  @Test("Fragments and queries can be watched as typed values, with decoding errors (N4.3)")
  func typedWatches() async throws {
    struct Card: Decodable, Sendable { let text: String }
    let store = try Self.store()
    let first = Entity("Todo", id: "1")
    let card = try Fragment<Card>("fragment Card on Todo { text }")
    var cards = store.watch(card, of: first).makeAsyncIterator()
    var todos = store.watch(Self.query, NoVariables()).makeAsyncIterator()
    #expect(try await cards.next()??.text == "a")
    #expect(try await todos.next()??.todos.map(\.text) == ["a", "b"])
    try store.update(card.untyped, of: first, "z")
    #expect(try await cards.next()??.text == "z")
    #expect(try await todos.next()??.todos.map(\.text) == ["z", "b"])
    try store.update(card.untyped, of: first, 7)
    do {
      _ = try await cards.next()
      Issue.record("A number was decoded as a text.")
    } catch {
      #expect(error.code == .decoding)
    }
    try store.update { $0.remove(.entity(first)) }
    let missing = try await cards.next()
    let isNothing = if case .some(.none) = missing { true } else { false }
    #expect(isNothing)
  }

  @Test("Typed reads and updates keep type names (N5.1)")
  func typed() throws {
    let store = try Self.store()
    try store.update(Self.query, NoVariables()) { data in
      data.todos.reverse()
      data.todos.append(Todo(id: "3", text: "c"))
    }
    #expect(
      try store.read(Self.query, NoVariables())?.todos.map(\.text) == ["b", "a", "c"])
    let card = try GraphQLFragment("fragment Card on Todo { __typename text }")
    #expect(store.read(card, of: Entity("Todo", id: "3"))?["text"]?.string == "c")
    let empty = StoreKind.store()
    #expect(throws: StoreError.self) {
      try empty.update {
        try $0.write(Todos(todos: [Todo(id: "1", text: "")]), for: Self.query, NoVariables())
      }
    }
    #expect(throws: StoreError.self) { try empty.update(Self.query, NoVariables()) { _ in } }
  }

  @Test("Typed fragments and queries can be read together at one moment (N5.1)")
  func typedFragments() throws {
    struct Card: Codable, Sendable, Equatable {
      struct Author: Codable, Sendable, Equatable { var name: String }
      var text: String
      var author: Author?
    }
    let store = try Self.store()
    let card = try Fragment<Card>("fragment Card on Todo { text author { name } }")
    let first = Entity("Todo", id: "1")
    #expect(try store.read(card, of: first) == nil)
    #expect(throws: StoreError.self) { try store.update(card, of: first) { $0.text = "z" } }
    try store.update { try $0.write(Card(text: "b"), for: card, of: first) }
    #expect(try store.read(card, of: first) == Card(text: "b"))
    let author = try GraphQLFragment("fragment A on Todo { author { name } }")
    let ann: JSONValue = ["author": ["__typename": "Author", "name": "Ann"]]
    try store.update { try $0.write(ann.json, for: author, of: first) }
    try store.update(card, of: first) { $0.author?.name += "!" }
    #expect(try store.read(card, of: first) == Card(text: "b", author: .init(name: "Ann!")))
    let (todos, again) = try store.read { try ($0.read(Self.query), $0.read(card, of: first)) }
    #expect(todos?.todos.map(\.text) == ["b", "b"])
    #expect(again?.author?.name == "Ann!")
    try store.update(Self.query) { $0.todos.removeLast() }
    #expect(try store.read(Self.query)?.todos.count == 1)
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
  }

  @Test("Typed writes find type names with the configured keys (N5.1)")
  func typedKeys() throws {
    struct Shelf: Codable, Sendable {
      struct Item: Codable, Sendable {
        var isbn: String
        var title: String
      }
      var items: [Item]
    }
    var configuration = NormalizedCacheConfiguration()
    configuration.keys = ["Book": .field("isbn"), "Map": .field("isbn")]
    let store = StoreKind.store(configuration)
    let query = Query<Shelf, NoVariables>("{ items { isbn title } }")
    try store.write(
      [
        "items": [
          ["__typename": "Book", "isbn": "1", "title": "a"],
          ["__typename": "Map", "isbn": "2", "title": "b"],
        ]
      ], for: query.operation(NoVariables()))
    try store.update(query, NoVariables()) { shelf in
      shelf.items.reverse()
      shelf.items[0].title = "z"
    }
    let title = try GraphQLFragment("fragment Title on Map { title }")
    #expect(store.read(title, of: Entity("Map", id: "2"))?["title"]?.string == "z")
    #expect(try store.read(query, NoVariables())?.items.map(\.isbn) == ["2", "1"])
  }

  @Test("The log of changes names entities and fields (N4.2)")
  func changes() async throws {
    let store = try Self.store()
    var changes = store.changes.makeAsyncIterator()
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
      var changes = store.changes.makeAsyncIterator()
      forget(client)
      let gone = await changes.next()?.fields
      #expect(gone?[.query] == [])
      #expect(gone?[Entity("Todo", id: "1")] == [])
      #expect(gone?[Entity("Todo", id: "2")] == [])
    }
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
    var seed: UInt64 = 7
    for _ in 0..<500 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1
      var bytes = snapshot.bytes
      bytes[Int(seed >> 33) % bytes.count] ^= UInt8(1 << (seed >> 20 & 7))
      let target = StoreKind.store()
      #expect(throws: StoreError.self) { try target.restore(StoreSnapshot(bytes: bytes)) }
      #expect(target.read(Self.todos) == nil)
    }
  }
}

/// Reads during other writes.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct OvertakenReadTests {
  static let card = (try? GraphQLFragment("fragment Card on Todo { text }"))

  @Test("Data that was read during a transaction is read again after it (N5.1)")
  func transaction() throws {
    let store = try StoreTests.store()
    let card = try #require(Self.card)
    try store.update { transaction in
      #expect(store.read(StoreTests.todos)?["todos"]?[0]?["text"]?.string == "a")
      try transaction.update(card, of: Entity("Todo", id: "1")) { $0["text"] = "z" }
    }
    #expect(store.read(StoreTests.todos)?["todos"]?[0]?["text"]?.string == "z")
  }

  @Test("Data that was read while an optimistic result was made is read again after it (N6.1)")
  func layer() async throws {
    let store = StoreKind.store(Self.configuration)
    try store.write(try JSON(parsing: StoreTests.data), for: StoreTests.todos)
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .failure("no")
    }
    Self.store.withLock { $0 = store }
    let client = GraphQLClient([.cache(store), server])
    async let mutation = client.mutate(GraphQLOperation("mutation { rename { id text } }"))
    await server.received(1)
    #expect(store.read(StoreTests.todos)?["todos"]?[0]?["text"]?.string == "guess")
    gate.open()
    #expect(await mutation.error != nil)
    #expect(store.read(StoreTests.todos)?["todos"]?[0]?["text"]?.string == "a")
    Self.store.withLock { $0 = nil }
  }

  private static let store = Locked<NormalizedStore?>(nil)

  private static var configuration: NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["rename"] = MutationPolicy(optimistic: { _, _ in
      _ = store.withLock { $0 }?.read(StoreTests.todos)
      return ["__typename": "Todo", "id": "1", "text": "guess"]
    })
    return configuration
  }
}

extension NormalizedStore {
  /// Changes the text that a fragment shows.
  fileprivate func update(
    _ fragment: GraphQLFragment, of entity: Entity, _ text: JSONValue
  ) throws {
    try update { transaction in
      try transaction.update(fragment, of: entity) { $0["text"] = text }
    }
  }
}
