import Testing
import Weir
import WeirNormalized
import WeirTesting

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
