import Testing
import Weir
import WeirNormalized
import WeirTesting

/// How long data may be used that an optimistic result has covered for a while (N6.1, N8.1).
@Suite("Ages below optimistic results", .timeLimit(.minutes(10)), .overStorages)
struct OptimisticAgeTests {
  private static let query = GraphQLOperation("{ title todos { id text } }")
  private static let rename = OptimisticTests.rename.with {
    $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "b"]]
  }

  /// A store in which todos live for ten seconds, and a client whose mutations wait for a gate.
  private struct Fixture {
    let clock = ManualClock()
    let gate = Gate()
    let store: NormalizedStore
    let server: ScriptedExchange
    let client: GraphQLClient

    /// - Parameters:
    ///   - text: what the server has.
    ///   - answer: the answer to the mutation.
    init(text: String, answer: OperationResult) {
      var configuration = NormalizedCacheConfiguration()
      configuration.timeToLive["Todo"] = .seconds(10)
      store = StoreKind.store(configuration, clock: clock)
      server = ScriptedExchange { [gate] operation in
        if operation.kind == .query {
          return .data(
            #"{"title":"t","todos":[{"__typename":"Todo","id":"1","text":"\#(text)"}]}"#)
        }
        await gate.pass()
        return answer
      }
      client = GraphQLClient([.cache(store), server])
    }

    /// Whether the data is stale, or was requested again for that reason: the watch does so at once.
    var knowsThatDataIsStale: Bool {
      client.peek(OptimisticAgeTests.query)?.isStale == true || server.operations.count == 3
    }
  }

  @Test("Data that confirms an optimistic result becomes stale as any other (N6.1, N8.1)")
  func confirmed() async throws {
    let answer = #"{"rename":{"__typename":"Todo","id":"1","text":"b"}}"#
    let fixture = Fixture(text: "a", answer: .data(answer))
    var watch = fixture.client.watch(Self.query).makeAsyncIterator()
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == "a")
    async let mutation = fixture.client.mutate(Self.rename)
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == "b")
    // The alarm for the data from before rings meanwhile.
    fixture.clock.advance(by: .seconds(12))
    fixture.gate.open()
    #expect(await mutation.error == nil)
    #expect(fixture.client.peek(Self.query)?.isStale == false)
    async let stale = watch.next()
    fixture.clock.advance(by: .seconds(10))
    try #require(fixture.knowsThatDataIsStale)
    #expect(await stale?.isStale == true)
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == "a")
    #expect(fixture.server.operations.count == 3)
  }

  @Test(
    "Data that a failed optimistic result has repeated becomes stale as before (N6.1, N8.1)",
    arguments: [5, 15])
  func failed(_ seconds: Int) async throws {
    let fixture = Fixture(text: "b", answer: .failure("no"))
    var watch = fixture.client.watch(Self.query).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    async let mutation = fixture.client.mutate(Self.rename)
    await fixture.server.received(2)
    // The watch reads the same text again, with the optimistic result's age.
    async let titled = watch.next()
    try fixture.store.write(["title": "u"], for: GraphQLOperation("{ title }"))
    #expect(await titled?.data?["title"]?.string == "u")
    async let stale = watch.next()
    fixture.clock.advance(by: .seconds(seconds))
    fixture.gate.open()
    #expect(await mutation.error != nil)
    if seconds < 10 {
      #expect(fixture.client.peek(Self.query)?.isStale == false)
      fixture.clock.advance(by: .seconds(10 - seconds))
    }
    try #require(fixture.knowsThatDataIsStale)
    #expect(await stale?.isStale == true)
    #expect(await watch.next()?.data?["title"]?.string == "t")
    #expect(fixture.server.operations.count == 3)
  }
}
