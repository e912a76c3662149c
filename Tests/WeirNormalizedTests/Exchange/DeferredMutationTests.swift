import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Mutations whose results arrive in parts.
@Suite("Deferred parts of a mutation", .timeLimit(.minutes(10)), .overStorages)
struct DeferredMutationTests {
  private static let post = GraphQLOperation("{ post { id title likes } }")
  private static let like = GraphQLOperation(
    "mutation { like { id title ... @defer { likes } } }")

  /// Sends the second part when the gate opens.
  private static func server(_ gate: Gate) -> ScriptedExchange {
    ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(.data(#"{"like":{"__typename":"Post","id":"1","title":"b"}}"#, hasNext: true))
        await gate.pass()
        yield(.data(#"{"like":{"__typename":"Post","id":"1","title":"b","likes":7}}"#))
      }
    })
  }

  private static func store(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration()
  ) throws -> NormalizedStore {
    let store = StoreKind.store(configuration)
    try store.write(
      ["post": ["__typename": "Post", "id": "1", "title": "a", "likes": 1]], for: post)
    return store
  }

  @Test("The update of a policy runs once for all parts of a result (N5.3, N6.3)")
  func update() async throws {
    let cart = GraphQLOperation("{ cart { id count } }")
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["like"] = MutationPolicy { _, transaction in
      try transaction.update(cart) { data in
        guard let count = data["cart"]?["count"]?.int else { return }
        data["cart"]?["count"] = .int(count + 1)
      }
    }
    let store = try Self.store(configuration)
    try store.write(["cart": ["__typename": "Cart", "id": "1", "count": 1]], for: cart)
    let client = GraphQLClient([.cache(store), Self.server(Gate(isOpen: true))])
    _ = await client.mutate(Self.like)
    #expect(store.read(cart)?["cart"]?["count"]?.int == 2)
  }
}
