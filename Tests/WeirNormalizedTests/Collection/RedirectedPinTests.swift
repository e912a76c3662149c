import Testing
import Weir
import WeirNormalized

/// A pin of an operation whose field has no value of its own, but is redirected to an entity (N8.2).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RedirectedPinTests {
  private static func store() throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")
    configuration.fields["Query.byIDs"] = .redirecting(to: "Todo", idFrom: "ids")
    return StoreKind.store(configuration)
  }

  private static func write(_ id: Int, to store: NormalizedStore) throws {
    let todo: JSONValue = [
      "__typename": "Todo", "id": .int(Int64(id)), "text": "a",
      "owner": ["__typename": "User", "id": "1"],
    ]
    try store.write(["todos": [todo]], for: GraphQLOperation("{ todos { id text owner { id } } }"))
  }

  static let operations = [
    GraphQLOperation("{ todo(id: 7) { text owner { id } } }"),
    GraphQLOperation(
      "query ($id: ID!) { todo(id: $id) { text owner { id } } }", variables: ["id": "7"]),
    GraphQLOperation(#"{ byIDs(ids: ["7"]) { text owner { id } } }"#),
  ]

  @Test("A pin keeps what a redirect shows (N8.2)", arguments: operations)
  func pinned(_ operation: GraphQLOperation) throws {
    let store = try Self.store()
    let pin = store.pin(operation)
    try Self.write(7, to: store)
    try Self.write(8, to: store)
    store.collect(.bytes(0))
    #expect(store.read(operation) != nil)
    store.collect(.unreachable)
    #expect(store.read(operation) != nil)
    pin.release()
  }

  @Test(
    "A pin does not keep other entities (N8.2)",
    .not(.memoryOverFile, .file, because: "a file has them"))
  func others() throws {
    let store = try Self.store()
    let pin = store.pin(Self.operations[0])
    try Self.write(7, to: store)
    try Self.write(8, to: store)
    store.collect(.bytes(0))
    #expect(store.read(GraphQLOperation("{ todo(id: 8) { text } }")) == nil)
    pin.release()
    store.collect(.bytes(0))
    #expect(store.read(Self.operations[0]) == nil)
  }
}
