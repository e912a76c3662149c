import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Connections whose edges have ids of their own.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct KeyedEdgeTests {
  private static let todos = GraphQLOperation(
    "{ todos(first: 2) { edges { id cursor node { id } } pageInfo { endCursor hasNextPage } } }")

  private static func store() throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .connection()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    let store = StoreKind.store(configuration)
    let edges = ["1", "2"].map { id -> JSONValue in
      [
        "__typename": "TodoEdge", "id": .string("e" + id), "cursor": .string("c" + id),
        "node": ["__typename": "Todo", "id": .string(id)],
      ]
    }
    let data: JSONValue = [
      "todos": [
        "__typename": "TodoConnection", "edges": .array(edges),
        "pageInfo": ["__typename": "PageInfo", "endCursor": "c2", "hasNextPage": false],
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
    let edges = store.read(Self.todos)?["todos"]?["edges"]?.elements
    #expect(edges?.map { $0["node"]?["id"]?.string } == ["2"])
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
