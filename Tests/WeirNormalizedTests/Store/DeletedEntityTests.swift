import Testing
import Weir
@testable import WeirNormalized
import WeirTesting

/// The effects of ``MutationPolicy/removing(_:idFrom:)``.
@Suite("Entities that a mutation deletes", .timeLimit(.minutes(10)), .overStorages)
struct DeletedEntityTests {
  private static let todos = GraphQLOperation("{ todos { id } }")

  /// Returns the ids of the todos that are left.
  private static func rest(
    after mutation: String, _ configuration: NormalizedCacheConfiguration
  ) async throws -> [String?]? {
    let store = StoreKind.store(configuration)
    let todos = ["1", "2", "3"].map { id -> JSONValue in
      ["__typename": "Todo", "id": .string(id)]
    }
    try store.write(["todos": .array(todos)], for: Self.todos)
    let server = ScriptedExchange.immediate { _ in .data(#"{"delete":true}"#) }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.mutate(GraphQLOperation(GraphQLDocument("mutation { \(mutation) }")))
    return store.read(Self.todos)?["todos"]?.elements.map { $0["id"]?.string }
  }

  /// A mutation, the name of its argument, and the todos that are left.
  static let deletions = [
    ("delete(id: 1)", "id", ["2", "3"]),
    (#"delete(ids: ["1", 3])"#, "ids", ["2"]),
    ("delete(ids: [])", "ids", ["1", "2", "3"]),
    (#"delete(input: {id: "2"})"#, "input.id", ["1", "3"]),
    ("delete(input: {ids: [2, 3]})", "input.ids", ["1"]),
    ("delete(input: {id: null})", "input.id", ["1", "2", "3"]),
    ("delete(input: {})", "input.id", ["1", "2", "3"]),
    ("delete", "id", ["1", "2", "3"]),
  ]

  @Test(
    "An argument names one entity or several, and may be within an input object (N5.4)",
    arguments: deletions)
  func arguments(_ mutation: String, _ argument: String, _ rest: [String]) async throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(
      sdl: """
        type Query { todos: [Todo] } type Todo { id: ID! }
        type Mutation { delete(id: ID, ids: [ID!], input: DeleteInput): Boolean }
        input DeleteInput { id: ID ids: [ID!] }
        """)
    configuration.onDiagnostic = told.add
    configuration.mutations["delete"] = .removing("Todo", idFrom: argument)
    #expect(try await Self.rest(after: mutation, configuration) == rest)
    #expect(told.messages == [])
  }

  @Test(
    "An argument that names nothing is reported (N5.5)",
    arguments: [
      ("delete(input: {id: 1})", "input", "an object"),
      (#"delete(id: "")"#, "id", "an empty string"),
      (#"delete(ids: ["1", {id: 2}])"#, "ids", "an object"),
    ])
  func mistakes(_ mutation: String, _ argument: String, _ kind: String) async throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.mutations["delete"] = .removing("Todo", idFrom: argument)
    #expect(try await Self.rest(after: mutation, configuration) == ["1", "2", "3"])
    #expect(
      told.messages == [
        "The policy for delete has changed nothing: The argument \(argument) of delete has \(kind) "
          + "instead of an id."
      ])
  }

  @Test("The id of an interface is the id of an entity of any of its types (N5.4)")
  func interface() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.possibleTypes = ["Node": ["User", "Todo"]]
    configuration.mutations["delete"] = .removing("Node", idFrom: "id")
    #expect(try await Self.rest(after: "delete(id: 2)", configuration) == ["1", "3"])
  }
}
