import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Data that was in memory before, read from the storage in this run or in a later one.
@Suite("Data in a storage, in a later run", .timeLimit(.minutes(10)))
struct LaterRunTests {
  private let medium = MemoryRecordStorage()

  private func store(
    _ change: (inout NormalizedCacheConfiguration) -> Void = { _ in }
  ) -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    change(&configuration)
    return NormalizedStore(configuration, storage: MemoryRecordStorage(sharing: medium))
  }

  private static let list = GraphQLOperation(
    "{ todos { edges { node { id } } pageInfo { hasNextPage hasPreviousPage } } }")

  private static func edges(_ ids: [String]) -> JSONValue {
    let edges = ids.map { id -> JSONValue in
      ["__typename": "TodoEdge", "node": ["__typename": "Todo", "id": .string(id)]]
    }
    return [
      "todos": [
        "__typename": "Todos", "edges": .array(edges),
        "pageInfo": ["__typename": "PageInfo", "hasNextPage": false, "hasPreviousPage": false],
      ]
    ]
  }

  private static func ids(_ data: JSON?) -> [String?]? {
    data?["todos"]?["edges"]?.elements.map { $0["node"]?["id"]?.string }
  }

  @Test("A change of an edge that a membership has made is saved (N9.1, N5.3)")
  func edge() async throws {
    func make() -> NormalizedStore {
      store {
        $0.fields["Query.todos"] = .connection()
        $0.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
      }
    }
    let first = make()
    try first.write(Self.edges(["1", "2", "3"]), for: Self.list)
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"add":{"__typename":"Todo","id":"4"}}"#)
    }
    _ = await GraphQLClient([.normalizedCache(first), server]).mutate(
      GraphQLOperation("mutation { add { id } }"))
    #expect(Self.ids(first.read(Self.list)) == ["1", "2", "3", "4"])
    try await first.flush()
    try first.write(Self.edges(["1", "2", "3", "5"]), for: Self.list)
    try await first.flush()
    #expect(Self.ids(await make().load(Self.list)) == ["1", "2", "3", "5"])
  }

  @Test(
    "A list without keys that is written with other fields erases nothing else (N9.1)",
    arguments: ["", "id"])
  func rewrittenList(key: String) async throws {
    func item(_ selection: String) -> GraphQLOperation {
      GraphQLOperation(GraphQLDocument("{ item { \(key) \(selection) } }"))
    }
    func write(_ member: String, _ selection: String, to store: NormalizedStore) throws {
      let id = key.isEmpty ? "" : #""id":"1","#
      try store.write(
        JSON(parsing: #"{"item":{"__typename":"Item",\#(id)\#(member)}}"#), for: item(selection))
    }
    let first = store()
    try write(#""text":"one""#, "text", to: first)
    try await first.flush()
    let second = store()
    for field in ["name", "color"] {
      try write(
        #""tags":[{"__typename":"Tag","\#(field)":"red"}]"#, "tags { \(field) }", to: second)
    }
    try await second.flush()
    let third = store()
    #expect(await third.load(item("text"))?["item"]?["text"]?.string == "one")
    #expect(await third.load(item("tags { color }")) != nil)
    #expect(await third.load(item("tags { name }")) == nil)
  }

  private static let query: GraphQLDocument =
    "query ($skip: Int) { todos(skip: $skip, limit: 2) { id } }"

  private static func page(_ skip: Int64) -> GraphQLOperation {
    GraphQLOperation(query, variables: ["skip": .int(skip)])
  }

  private static func todos(_ ids: String...) -> JSONValue {
    ["todos": .array(ids.map { ["__typename": "Todo", "id": .string($0)] })]
  }

  @Test("Pages that memory has evicted are loaded again (N9.1, N7)", arguments: [false, true])
  func pages(keepsOwn: Bool) async throws {
    let store = store { $0.fields["Query.todos"] = .offsetPages(offset: "skip") }
    try store.write(Self.todos("1", "2"), for: Self.page(0))
    try store.write(Self.todos("3", "4"), for: Self.page(2))
    try await store.flush()
    func shown() async -> [String?]? {
      await store.load(Self.page(0))?["todos"]?.elements.map { $0["id"]?.string }
    }
    #expect(await shown() == ["1", "2", "3", "4"])
    store.collect(.bytes(0))
    if keepsOwn { try store.write(Self.todos("1", "2"), for: Self.page(0)) }
    let client = GraphQLClient([
      .normalizedCache(store), ScriptedExchange.immediate { _ in .failure("offline") },
    ])
    let ids = await client.query(Self.page(0)).data?["todos"]?.elements.map { $0["id"]?.string }
    #expect(ids == ["1", "2", "3", "4"])
    #expect(await shown() == ["1", "2", "3", "4"])
  }

  @Test("An entity that was asked for in vain is found after it was written (N9.1)")
  func absent() async throws {
    let store = store()
    let entity = Entity("Todo", id: "9")
    let text = try GraphQLFragment("fragment Text on Todo { id text }")
    #expect(await store.load(text, of: entity) == nil)
    try store.update { transaction in
      try transaction.write(
        ["__typename": "Todo", "id": "9", "text": "nine"], for: text, of: entity)
    }
    try await store.flush()
    store.collect(.bytes(0))
    #expect(await store.load(text, of: entity)?["text"]?.string == "nine")
  }

  @Test("Invalidating a type reaches embedded objects and empty lists in the storage (N5.2, N9.1)")
  func types() async throws {
    let viewer = GraphQLOperation("{ viewer { id address { city } } }")
    let posts = GraphQLOperation("{ posts { id } }")
    let first = store()
    let address: JSONValue = ["__typename": "Address", "city": "Bonn"]
    try first.write(
      ["viewer": ["__typename": "User", "id": "1", "address": address]], for: viewer)
    try first.write(["posts": [["__typename": "Post", "id": "1"]]], for: posts)
    try first.write(["posts": []], for: posts)
    try await first.flush()
    let second = store()
    GraphQLClient([.normalizedCache(second)]).invalidate(types: "Address", "Post")
    try await second.flush()
    let third = store()
    for operation in [viewer, posts] {
      #expect(await third.load(operation) != nil)
      #expect(third.explain(operation).status == .stale)
    }
  }

  @Test("A redirect to an interface finds an entity that only the storage has (N1.2, N9.1)")
  func interface() async throws {
    func make() -> NormalizedStore {
      store {
        $0.possibleTypes = ["Node": ["User", "Todo"]]
        $0.fields["Query.node"] = .redirecting(to: "Node", idFrom: "id")
      }
    }
    let first = make()
    try first.write(
      ["todos": [["__typename": "Todo", "id": "1"]]], for: GraphQLOperation("{ todos { id } }"))
    try await first.flush()
    let node = GraphQLOperation("{ node(id: 1) { __typename id } }")
    #expect(await make().load(node)?["node"]?["__typename"]?.string == "Todo")
  }

  @Test("A redirect to an interface also asks the storage for the other types (N1.2, N9.1)")
  func otherTypes() async throws {
    func make() -> NormalizedStore {
      store {
        $0.possibleTypes = ["Pet": ["Cat", "Dog"]]
        $0.fields["Query.pet"] = .redirecting(to: "Pet", idFrom: "id")
      }
    }
    let lists = ["Cat", "Dog"].map { GraphQLOperation(GraphQLDocument("{ all\($0) { id } }")) }
    let first = make()
    for (typename, list) in zip(["Cat", "Dog"], lists) {
      try first.write(
        ["all\(typename)": [["__typename": .string(typename), "id": "1"]]], for: list)
    }
    let others = GraphQLOperation("{ others { id } }")
    try first.write(["others": [["__typename": "Dog", "id": "2"]]], for: others)
    try await first.flush()
    let second = make()
    #expect(await second.load(lists[1]) != nil)
    #expect(await second.load(others) != nil)
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"pet":{"__typename":"Cat","id":"1"}}"#)
    }
    let client = GraphQLClient([.normalizedCache(second), server])
    func pet(_ id: Int) async -> String? {
      let pet = GraphQLOperation(GraphQLDocument("{ pet(id: \(id)) { __typename id } }"))
      return await client.query(pet).data?["pet"]?["__typename"]?.string
    }
    #expect(await pet(2) == "Dog")
    #expect(server.operations.isEmpty)
    #expect(await pet(1) == "Cat")
    #expect(server.operations.count == 1)
  }
}
