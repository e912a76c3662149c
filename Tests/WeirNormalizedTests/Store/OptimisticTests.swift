import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Effects of mutations beyond their result (N5.3, N5.4, N6).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct OptimisticTests {
  static let todos = GraphQLOperation("{ todos { id text } }")
  static let rename = GraphQLOperation(
    "mutation Rename($id: ID!, $text: String!) { rename(id: $id, text: $text) { id text } }",
    variables: ["id": "1", "text": "new"])
  static let data = #"""
    {"todos":[{"__typename":"Todo","id":"1","text":"a"},{"__typename":"Todo","id":"2","text":"b"}]}
    """#
  static let renamed = #"{"rename":{"__typename":"Todo","id":"1","text":"real"}}"#

  /// A store with two todos, and a client whose mutations wait for a gate.
  static func setUp(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration(),
    gate: Gate? = nil, answer: @escaping @Sendable (GraphQLOperation) -> OperationResult
  ) async -> (GraphQLClient, NormalizedStore, ScriptedExchange) {
    let server = ScriptedExchange { operation in
      if operation.kind == .query { return .data(data) }
      if let gate { await gate.pass() }
      return answer(operation)
    }
    let store = StoreKind.store(configuration)
    let client = GraphQLClient([.dedup, .cache(store), server])
    _ = await client.query(todos)
    return (client, store, server)
  }

  static func texts(_ store: NormalizedStore) -> [String] {
    store.read(todos)?["todos"]?.elements.compactMap { $0["text"]?.string } ?? []
  }

  @Test("An optimistic result is shown at once and replaced by the real one (N6.1)")
  func optimistic() async {
    let gate = Gate()
    let (client, store, server) = await Self.setUp(gate: gate) { _ in .data(Self.renamed) }
    var watch = client.watch(Self.todos).makeAsyncIterator()
    _ = await watch.next()
    let operation = Self.rename.with {
      $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
    }
    async let mutation = client.mutate(operation)
    let shown = await watch.next()
    #expect(shown?.data?["todos"]?[0]?["text"]?.string == "guess")
    gate.open()
    let real = await watch.next()
    #expect(real?.data?["todos"]?[0]?["text"]?.string == "real")
    #expect(await mutation.error == nil)
    #expect(Self.texts(store) == ["real", "b"])
    #expect(server.operations.count == 2)
  }

  @Test("A failed mutation rolls its optimistic result back (N6.1)")
  func rollback() async {
    let gate = Gate()
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["rename"] = MutationPolicy()
    configuration.mutations["rename"]?.optimistic = { field, _ in
      ["__typename": "Todo", "id": field.arguments["id"] ?? .null, "text": "guess"]
    }
    let (client, store, server) = await Self.setUp(configuration, gate: gate) { _ in
      .failure("no")
    }
    async let mutation = client.mutate(Self.rename)
    await server.received(2)
    #expect(Self.texts(store) == ["guess", "b"])
    gate.open()
    #expect(await mutation.error != nil)
    #expect(Self.texts(store) == ["a", "b"])
  }

  @Test("When a mutation fails, its watches show the earlier data again (N6.1)")
  func watchedRollback() async {
    let gate = Gate()
    let (client, _, _) = await Self.setUp(gate: gate) { _ in .failure("no") }
    var watch = client.watch(Self.todos).makeAsyncIterator()
    _ = await watch.next()
    let operation = Self.rename.with {
      $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
    }
    async let mutation = client.mutate(operation)
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == "guess")
    gate.open()
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == "a")
    #expect(await mutation.error != nil)
  }

  @Test("A query result that arrives in the meantime lands below the optimistic result (N6.1)")
  func below() async throws {
    let gate = Gate()
    let (client, store, server) = await Self.setUp(gate: gate) { _ in .failure("no") }
    let operation = Self.rename.with {
      $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
    }
    async let mutation = client.mutate(operation)
    await server.received(2)
    try store.write(
      try JSON(parsing: #"{"todos":[{"__typename":"Todo","id":"1","text":"c"}]}"#),
      for: Self.todos)
    #expect(Self.texts(store) == ["guess"])
    gate.open()
    _ = await mutation
    #expect(Self.texts(store) == ["c"])
  }

  @Test("A mutation of the old session stores nothing, and its optimistic result goes (C10)")
  func oldSession() async {
    let gate = Gate()
    let ended = Gate()
    let store = StoreKind.store(NormalizedCacheConfiguration())
    let server = ScriptedExchange { operation in
      if operation.kind == .query { return .data(Self.data) }
      await gate.pass()
      return .data(Self.renamed)
    }
    let whenDone = InlineExchange { operation, forward in
      guard operation.kind == .mutation else { return forward(operation) }
      return ResultStream { yield in
        await yield.all(forward(operation))
        ended.open()
      }
    }
    let client = GraphQLClient([whenDone, .cache(store), server])
    async let mutation = client.mutate(
      Self.rename.with {
        $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
      })
    await server.received(1)
    client.switchSession()
    #expect(await mutation.error?.code == .cancelled)
    _ = await client.query(Self.todos)
    gate.open()
    await ended.pass()
    #expect(Self.texts(store) == ["a", "b"])
    #expect(store.statistics.layers == 0)
  }
}
