import Testing
import Weir
import WeirNormalized
import WeirTesting

/// An exchange below the normalized cache says how long a result may be kept.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RetentionTests {
  private static func setup(
    _ retention: @escaping @Sendable (GraphQLOperation.Kind) -> Duration?,
    _ change: (inout NormalizedCacheConfiguration) -> Void = { _ in }
  ) -> (client: GraphQLClient, server: ScriptedExchange, clock: ManualClock) {
    var configuration = NormalizedCacheConfiguration()
    change(&configuration)
    let clock = ManualClock()
    let server = ScriptedExchange.immediate { operation in
      operation.kind == .query
        ? .data(AgeTests.data)
        : .data(#"{"rename":{"__typename":"Todo","id":"1","text":"b"}}"#)
    }
    let limit = MapExchange(result: { operation, result in
      var result = result
      result.retention = retention(operation.kind)
      return result
    })
    let store = StoreKind.store(configuration, clock: clock)
    return (GraphQLClient([.dedup, .cache(store), limit, server]), server, clock)
  }

  private static let rename = GraphQLOperation("mutation { rename { id text } }")

  private static func text(_ result: OperationResult?) -> String? {
    result?.data?["todos"]?[0]?["text"]?.string
  }

  @Test("A result that an exchange forbids to keep is requested each time (N8.1)")
  func nothing() async {
    let (client, server, _) = Self.setup { _ in .zero }
    for count in 1...2 {
      #expect(Self.text(await client.query(AgeTests.query)) == "a")
      #expect(server.operations.count == count)
    }
    #expect(client.peek(AgeTests.query) == nil)
  }

  @Test(
    "A result is served as long as an exchange allows, whatever is configured (N8.1)",
    arguments: [nil, 5, 20])
  func limited(configured: Int?) async {
    let (client, server, clock) = Self.setup({ _ in .seconds(10) }) {
      for type in ["Query", "Todo"] { $0.timeToLive[type] = configured.map { .seconds($0) } }
    }
    let limit = min(configured ?? 10, 10)
    _ = await client.query(AgeTests.query)
    clock.advance(by: .seconds(limit - 1))
    _ = await client.query(AgeTests.query)
    #expect(server.operations.count == 1)
    clock.advance(by: .seconds(1))
    _ = await client.query(AgeTests.query)
    #expect(server.operations.count == 2)
  }

  @Test(
    "The data of a mutation is kept as long as an exchange allows (N8.1)",
    arguments: [nil, .zero, .seconds(10)] as [Duration?])
  func mutation(retention: Duration?) async {
    let (client, server, clock) = Self.setup { $0 == .mutation ? retention : nil }
    _ = await client.query(AgeTests.query)
    _ = await client.mutate(Self.rename)
    #expect(Self.text(client.peek(AgeTests.query)) == (retention == .zero ? "a" : "b"))
    clock.advance(by: .seconds(9))
    _ = await client.query(AgeTests.query)
    #expect(server.operations.count == 2)
    clock.advance(by: .seconds(1))
    _ = await client.query(AgeTests.query)
    #expect(server.operations.count == (retention == .seconds(10) ? 3 : 2))
  }

  @Test("A watch refetches when the time is over (N8.1)")
  func watch() async {
    let (client, server, clock) = Self.setup { _ in .seconds(10) }
    var watch = client.watch(AgeTests.query).makeAsyncIterator()
    #expect(Self.text(await watch.next()) == "a")
    async let stale = watch.next()
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    #expect(await stale?.isStale == true)
    #expect(await watch.next()?.isStale == false)
    #expect(server.operations.count == 2)
  }
}
