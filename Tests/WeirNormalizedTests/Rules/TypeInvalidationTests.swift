import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Invalidation of a type", .timeLimit(.minutes(10)), .overStorages)
struct TypeInvalidationTests {
  private static let todos = GraphQLOperation("{ todos { id } }")
  private static let todo = GraphQLOperation("{ todo { id } }")
  private static let author = GraphQLOperation("{ author { id address { city } } }")

  private static let shown: [(typename: String, operation: GraphQLOperation)] = [
    ("Todo", todos), ("Todo", todo), ("Address", author),
  ]

  /// A store with a list that was emptied, an entity, and an embedded object.
  private static func store() throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.keys["Address"] = .embedded
    let store = StoreKind.store(configuration)
    let one: JSONValue = ["__typename": "Todo", "id": "1"]
    try store.write(["todos": [one]], for: todos)
    try store.write(["todos": []], for: todos)
    try store.write(["todo": one], for: todo)
    let address: JSONValue = ["__typename": "Address", "city": "Ulm"]
    try store.write(
      ["author": ["__typename": "Author", "id": "1", "address": address]], for: author)
    return store
  }

  @Test(
    "A transaction marks entities, embedded objects, and lists, as the client does (N5.2)",
    arguments: [true, false])
  func reach(byClient: Bool) throws {
    for (typename, operation) in Self.shown {
      let store = try Self.store()
      let client = GraphQLClient([.cache(store)], configuration: .silent)
      #expect(client.peek(operation)?.isStale == false)
      if byClient {
        client.invalidate(types: typename)
      } else {
        try store.update { $0.invalidate(.type(typename)) }
      }
      #expect(client.peek(operation)?.isStale == true, "\(operation.text)")
      let others = Self.shown.filter { $0.typename != typename }.map(\.operation)
      #expect(others.allSatisfy { client.peek($0)?.isStale == false })
    }
  }

  @Test("A list that the transaction writes after it is fresh (N5.1)")
  func writtenList() throws {
    let store = try Self.store()
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    try store.update { transaction in
      transaction.invalidate(.type("Todo"))
      try transaction.write(["todos": []], for: Self.todos)
    }
    #expect(client.peek(Self.todos)?.isStale == false)
    #expect(client.peek(Self.todo)?.isStale == true)
  }
}
