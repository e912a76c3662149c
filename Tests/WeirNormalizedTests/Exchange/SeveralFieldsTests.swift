import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Mutations with several fields, of which an optimistic result may have some (N5.4, N6.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct SeveralFieldsTests {
  private static let mutation = GraphQLOperation(
    """
    mutation { deleteTodo(id: "1") rename(id: "2", text: "new") { id text } }
    """)
  private static let renamed: JSONValue = ["__typename": "Todo", "id": "2", "text": "guess"]

  /// Where the optimistic result comes from, and the todos that it leaves.
  enum Example: CaseIterable {
    case data, wholeData, policy, wholePolicy

    var shown: [String] { self == .data || self == .policy ? ["a", "guess"] : ["guess"] }
  }

  @Test(
    "Only for the fields that it has does an optimistic result do more (N5.4, N6.1)",
    arguments: Example.allCases)
  func partial(_ example: Example) async {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
    var operation = Self.mutation
    switch example {
    case .data: operation.context.optimisticData = ["rename": Self.renamed]
    case .wholeData:
      operation.context.optimisticData = ["deleteTodo": .null, "rename": Self.renamed]
    case .policy, .wholePolicy:
      configuration.mutations["rename"] = MutationPolicy(optimistic: { _, _ in Self.renamed })
      if example == .wholePolicy {
        configuration.mutations["deleteTodo"]?.optimistic = { _, _ in true }
      }
    }
    let gate = Gate()
    let (client, store, server) = await OptimisticTests.setUp(configuration, gate: gate) { _ in
      .data(#"{"deleteTodo":true,"rename":{"__typename":"Todo","id":"2","text":"real"}}"#)
    }
    async let mutation = client.mutate(operation)
    await server.received(2)
    #expect(OptimisticTests.texts(store) == example.shown)
    gate.open()
    #expect(await mutation.error == nil)
    #expect(OptimisticTests.texts(store) == ["real"])
  }
  /// The declarations in the policy of a field.
  enum Declaration: CaseIterable {
    case update, refreshes, optimistic, failingUpdate

    var covers: Bool { self == .update || self == .refreshes }

    var policy: MutationPolicy {
      switch self {
      case .update: return MutationPolicy(update: { _, _ in })
      case .refreshes: return .refreshing("Query.posts")
      case .optimistic: return MutationPolicy(optimistic: { _, _ in nil })
      case .failingUpdate: return MutationPolicy(update: { _, _ in throw CancellationError() })
      }
    }
  }

  @Test(
    "A policy replaces the refetch of lists only for the new entities of its own field (N5.4)",
    arguments: Declaration.allCases, [["like"], ["addTodo"], ["like", "addTodo"]])
  func lists(_ declaration: Declaration, fields: [String]) async throws {
    var configuration = NormalizedCacheConfiguration()
    for field in fields { configuration.mutations[field] = declaration.policy }
    let (client, store, _) = await OptimisticTests.setUp(configuration) { _ in
      .data(
        #"""
        {"new":{"__typename":"Added","todos":[{"__typename":"Todo","id":"3","text":"c"}]},
        "like":{"__typename":"Post","id":"1","likes":1}}
        """#)
    }
    try store.write(["posts": []], for: GraphQLOperation("{ posts { id likes } }"))
    let mutation = GraphQLOperation(
      "mutation { new: addTodo { todos { id text } } like(id: 1) { id likes } }")
    #expect(await client.mutate(mutation).error == nil)
    let isCovered = declaration.covers && fields.contains("addTodo")
    #expect(store.explain(OptimisticTests.todos).status == (isCovered ? .complete : .stale))
  }
}
