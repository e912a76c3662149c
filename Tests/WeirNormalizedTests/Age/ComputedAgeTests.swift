import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A computed field is as old as the fields that it is computed from (N8.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ComputedAgeTests {
  @Test("A computed field becomes stale with what it is computed from (N8.1)")
  func expiry() async throws {
    let clock = ManualClock()
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Todo.text", default: FieldPolicy()].timeToLive = .seconds(5)
    configuration.fields["Todo.loud", default: FieldPolicy()].computed = ComputedField(
      from: ["text"]
    ) { .string(($0["text"]?.string ?? "").uppercased()) }
    let store = StoreKind.store(configuration, clock: clock)
    let server = ScriptedExchange.immediate { _ in .data(AgeTests.data) }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.query(AgeTests.query)
    let loud = GraphQLOperation("{ todos { id loud } }")
    #expect(client.peek(loud)?.data?["todos"]?[0]?["loud"]?.string == "A")
    clock.advance(by: .seconds(4))
    #expect(client.peek(loud)?.isStale == false)
    clock.advance(by: .seconds(1))
    #expect(client.peek(loud)?.isStale != false)
    try store.write(ConnectionTests.json(AgeTests.data), for: AgeTests.query)
    #expect(client.peek(loud)?.isStale == false)
    try store.update { $0.invalidate(.field("text", of: Entity("Todo", id: "1"))) }
    #expect(client.peek(loud)?.isStale == true)
  }
}
