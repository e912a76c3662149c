import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Object types with the usual names of roots", .timeLimit(.minutes(10)))
struct RootNameTests {
  private static let types = """
    type Query { subscriptions: [Subscription!]! }
    type Mutation { cancel(id: ID!): ID }
    type Subscription { id: ID! plan: Plan! }
    type Plan { id: ID! name: String }
    """
  private static let introspected: JSONValue = [
    "__schema": [
      "queryType": ["name": "Query"], "mutationType": ["name": "Mutation"],
      "subscriptionType": nil,
      "types": .array(
        ["Query", "Mutation", "Subscription", "Plan"].map { name in
          ["kind": "OBJECT", "name": .string(name)]
        }),
    ]
  ]
  private static let mine = GraphQLOperation("{ subscriptions { id plan { id name } } }")

  private static func data(_ ids: [String], typename: String = "Subscription") -> JSONValue {
    [
      "subscriptions": .array(
        ids.map { id in
          [
            "__typename": .string(typename), "id": .string(id),
            "plan": ["__typename": "Plan", "id": .string("p\(id)"), "name": "Basic"],
          ]
        })
    ]
  }

  private static func ids(_ data: JSON?) -> [String?]? {
    data?["subscriptions"]?.elements.map { $0["id"]?.string }
  }

  private let medium = MemoryRecordStorage()

  private func store(_ schema: GraphQLSchema) -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = schema
    configuration.mutations["cancel"] = .removing("Subscription", idFrom: "id")
    return NormalizedStore(configuration, storage: MemoryRecordStorage(sharing: medium))
  }

  private static func schemas() throws -> [GraphQLSchema] {
    [
      try GraphQLSchema(sdl: "schema { query: Query mutation: Mutation } \(types)"),
      try GraphQLSchema(introspection: JSON(introspected)),
    ]
  }

  @Test(
    "A type that the schema does not name as a root is an ordinary type (N1.5)", arguments: 0..<2)
  func stored(schema: Int) async throws {
    let schema = try Self.schemas()[schema]
    #expect(schema.rootTypes == [.query: "Query", .mutation: "Mutation"])
    let first = store(schema)
    try first.write(Self.data(["1", "2"]), for: Self.mine)
    try await first.flush()
    let second = store(schema)
    #expect(Self.ids(await second.load(Self.mine)) == ["1", "2"])
    let server = ScriptedExchange.immediate { _ in .data(#"{"cancel":"1"}"#) }
    let client = GraphQLClient([.normalizedCache(second), server])
    let cancel = GraphQLDocument("mutation Cancel($id: ID!) { cancel(id: $id) }")
    _ = await client.mutate(GraphQLOperation(cancel, variables: ["id": "1"]))
    #expect(Self.ids(second.read(Self.mine)) == ["2"])
    try await second.flush()
    #expect(Self.ids(await store(schema).load(Self.mine)) == ["2"])
  }

  @Test(
    "Without a schema, only the query's root has its usual name (N1.5)",
    arguments: ["Subscription", "Mutation"])
  func withoutSchema(typename: String) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["cancel"] = .removing(typename, idFrom: "id")
    func store() -> NormalizedStore {
      NormalizedStore(configuration, storage: MemoryRecordStorage(sharing: medium))
    }
    let first = store()
    let server = ScriptedExchange.immediate { operation in
      operation.kind == .mutation
        ? .data(#"{"cancel":"1"}"#)
        : OperationResult(data: Self.data(["1", "2"], typename: typename).json)
    }
    let client = GraphQLClient([.normalizedCache(first), server])
    let result = await client.query(Self.mine)
    #expect(Self.ids(result.data) == ["1", "2"])
    #expect(result.data?["subscriptions"]?[0]?["plan"]?["id"]?.string == "p1")
    let card = try GraphQLFragment("fragment Card on \(typename) { id }")
    #expect(first.read(card, of: Entity(typename, id: "1")) != nil)
    try await first.flush()
    #expect(Self.ids(await store().load(Self.mine)) == ["1", "2"])
    _ = await client.mutate(GraphQLOperation("mutation { cancel(id: 1) }"))
    #expect(Self.ids(first.read(Self.mine)) == ["2"])
  }

  @Test("Data of a store that took such a type for a root is missing until it is fetched (N1.5)")
  func formerData() async throws {
    // Without a schema definition, the type is the root.
    let former = store(try GraphQLSchema(sdl: Self.types))
    try former.write(Self.data(["1", "2"]), for: Self.mine)
    try await former.flush()
    let schema = try Self.schemas()[0]
    let second = store(schema)
    #expect(await second.load(Self.mine) == nil)
    try second.write(Self.data(["1", "2", "3"]), for: Self.mine)
    try await second.flush()
    #expect(Self.ids(await store(schema).load(Self.mine)) == ["1", "2", "3"])
  }

  @Test(
    "A schema without a schema definition, or a result without a member, has the usual roots (N1.5)"
  )
  func usualRoots() throws {
    let usual: [GraphQLOperation.Kind: String] = [
      .query: "Query", .mutation: "Mutation", .subscription: "Subscription",
    ]
    #expect(try GraphQLSchema(sdl: Self.types).rootTypes == usual)
    let extended = "\(Self.types) extend schema { query: Query }"
    #expect(try GraphQLSchema(sdl: extended).rootTypes == usual)
    var result = Self.introspected["__schema"]
    #expect(
      try GraphQLSchema(introspection: JSON(["types": result?["types"] ?? nil])).rootTypes == usual)
    result?["subscriptionType"] = ["name": "Subscription"]
    #expect(try GraphQLSchema(introspection: JSON(result ?? nil)).rootTypes == usual)
  }
}
