import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Connections whose edges have ids of their own.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct KeyedEdgeTests {
  private static let todos = page("first: 2")
  private static let nextTodos = page("first: 2, after: \"c2\"")

  private static func page(_ arguments: String) -> GraphQLOperation {
    let list = "edges { id cursor node { id } } pageInfo { endCursor hasNextPage }"
    return GraphQLOperation(GraphQLDocument("{ todos(\(arguments)) { \(list) } }"))
  }

  private static func edges(_ ids: [String], keys: String) -> JSONValue {
    let edges = ids.map { id -> JSONValue in
      [
        "__typename": "TodoEdge", "id": .string(keys + id), "cursor": .string("c" + id),
        "node": ["__typename": "Todo", "id": .string(id)],
      ]
    }
    return .array(edges)
  }

  private static func store(
    _ configure: (inout NormalizedCacheConfiguration) -> Void = { _ in }
  ) throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .connection()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    configure(&configuration)
    let store = StoreKind.store(configuration)
    let data: JSONValue = [
      "todos": [
        "__typename": "TodoConnection", "edges": edges(["1", "2"], keys: "e"),
        "pageInfo": ["__typename": "PageInfo", "endCursor": "c2", "hasNextPage": true],
      ]
    ]
    try store.write(data, for: todos)
    return store
  }

  @Test("A deleting mutation also removes an edge that has a key (N5.4)")
  func removal() async throws {
    let store = try Self.store()
    let server = ScriptedExchange.immediate { _ in .data(#"{"delete":true}"#) }
    _ = await GraphQLClient([.cache(store), server]).mutate(
      GraphQLOperation("mutation { delete(id: 1) }"))
    #expect(Self.ids(store, Self.todos) == ["2"])
  }

  private static func ids(_ store: NormalizedStore, _ page: GraphQLOperation) -> [String?]? {
    store.read(page)?["todos"]?["edges"]?.elements.map { $0["node"]?["id"]?.string }
  }

  @Test("An entity that no longer belongs to a connection leaves it with its edge's key (N7)")
  func membership() throws {
    let store = try Self.store {
      $0.memberships = [
        ListMembership(of: "Todo", in: "Query.todos") { todo, _ in todo["done"] != true }
      ]
    }
    try store.update { transaction in
      try transaction.write(
        ["__typename": "Todo", "id": "1", "done": true],
        for: GraphQLFragment("fragment F on Todo { id done }"), of: Entity("Todo", id: "1"))
    }
    #expect(Self.ids(store, Self.todos) == ["2"])
  }

  @Test("An edge that an update removes leaves all pages, whatever its key is in them (N7)")
  func update() throws {
    let store = try Self.store()
    try store.write(
      [
        "todos": [
          "__typename": "TodoConnection", "edges": Self.edges(["2", "3"], keys: "other"),
          "pageInfo": ["__typename": "PageInfo", "endCursor": "c3", "hasNextPage": false],
        ]
      ], for: Self.nextTodos)
    #expect(Self.ids(store, Self.todos) == ["1", "2", "3"])
    try store.update { transaction in
      try transaction.update(Self.todos) { data in
        let first = data["todos"]?["edges"]?[0] ?? .null
        data["todos"]?["edges"] = .array([first])
      }
    }
    #expect(Self.ids(store, Self.todos) == ["1"])
    #expect(Self.ids(store, Self.nextTodos) == ["1"])
  }

  @Test("A new entity makes a connection of edges with keys stale (N5.4)")
  func newEntity() async throws {
    let store = try Self.store()
    let server = ScriptedExchange.immediate { _ in .data(#"{"add":{"__typename":"Todo","id":"3"}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.mutate(GraphQLOperation("mutation { add { id } }"))
    #expect(client.peek(Self.todos)?.isStale == true)
  }
}
