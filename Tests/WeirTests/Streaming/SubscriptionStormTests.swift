import Foundation
import Testing
import WeirTesting

@testable import Weir

@Suite("A server that keeps dropping subscriptions", .timeLimit(.minutes(10)))
struct SubscriptionStormTests {
  private let counter = GraphQLOperation("subscription { counter }")
  private let clock = ManualClock()

  /// Sends one event to each connection and drops it; completes after `connections`.
  private func transport(connections: Int) -> ScriptedTransport {
    let accepted = Counter()
    return ScriptedTransport { _ in
      let end = accepted.next() == connections ? "event: complete\ndata:\n\n" : ""
      return HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"],
        body: HTTPBody(Array(("event: next\ndata: {\"data\":{\"counter\":1}}\n\n" + end).utf8)))
    }
  }

  private func subscribe(
    _ transport: ScriptedTransport, _ configure: (inout Reconnection) -> Void = { _ in }
  ) throws -> ResultStream {
    var reconnection = Reconnection(clock: clock, random: { 0.5 })
    configure(&reconnection)
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.reconnection = reconnection
    let url = try #require(URL(string: "https://example.org/graphql"))
    return GraphQLClient([.fetch(url, configuration)]).subscribe(counter)
  }

  @Test("The delays grow although each connection brings an event (H6)")
  func delays() async throws {
    let transport = transport(connections: 9)
    let results = Task { [stream = try subscribe(transport)] in await stream.all().count }
    for (count, delay) in [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000].enumerated() {
      await clock.sleepers(1)
      clock.advance(by: .milliseconds(delay - 1))
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .milliseconds(1))
      await transport.received(count + 2)
    }
    #expect(await results.value == 9)
  }

  @Test("A subscription that goes on bringing events never runs out of attempts (H6)")
  func attempts() async throws {
    let stream = try subscribe(transport(connections: 20)) {
      $0.maximumAttempts = 1
      $0.initialDelay = .zero
    }
    #expect(await stream.all() == Array(repeating: "data more", count: 20))
  }

  @Test("The time after which a connection counts as stable is configurable (H6)")
  func stableAfter() async throws {
    let transport = transport(connections: 4)
    let stream = try subscribe(transport) { $0.stableAfter = .zero }
    let results = Task { await stream.all().count }
    for count in 2...4 {
      await clock.sleepers(1)
      clock.advance(by: .milliseconds(250))
      await transport.received(count)
    }
    #expect(await results.value == 4)
  }

  @Test("Missed events refetch a watched query at once, and then at most every 10 seconds (H6)")
  func refetches() async throws {
    let server = postServer()
    let cache = DocumentCacheExchange(DocumentCacheConfiguration(), clock: clock)
    let client = GraphQLClient([.dedup, cache, server])
    let subscription = Watcher(client.subscribe(counter))
    await server.received(1)
    let lose = try #require(server.operations.first?.context.missedEvents)
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    lose()
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
    for _ in 1...10 { lose() }
    // Until then, cached results are served.
    #expect(await client.query(postQuery()).summary == "title 2")
    await clock.sleepers(1)
    clock.advance(by: .seconds(9))
    lose()
    #expect(client.peek(postQuery())?.summary == "title 2")
    clock.advance(by: .seconds(1))
    #expect(await watcher.next(2) == ["title 2 stale", "title 3"])
    #expect(server.operations.count == 4)
    clock.advance(by: .seconds(10))
    lose()
    #expect(await watcher.next(2) == ["title 3 stale", "title 4"])
    #expect(clock.sleeperCount == 0)
    subscription.cancel()
  }

  @Test("Without an interval, every loss refetches (H6)")
  func noInterval() async throws {
    var configuration = DocumentCacheConfiguration()
    configuration.missedEventsInterval = .zero
    let server = postServer()
    let cache = DocumentCacheExchange(configuration, clock: clock)
    let client = GraphQLClient([.dedup, cache, server])
    _ = await client.query(postQuery())
    let subscription = Watcher(client.subscribe(counter))
    await server.received(2)
    let lose = try #require(server.operations.last?.context.missedEvents)
    for _ in 1...3 {
      lose()
      #expect(client.peek(postQuery()) == nil)
      _ = await client.query(postQuery())
    }
    subscription.cancel()
  }
}
