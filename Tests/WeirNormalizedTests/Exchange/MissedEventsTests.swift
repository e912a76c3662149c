import Testing
import Weir
import WeirNormalized
import WeirTesting

/// What a store does when a lost subscription runs again (H6).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct MissedEventsTests {
  private static let counter = GraphQLOperation("subscription { counter }")
  private static let post = GraphQLOperation("{ post { id title } }")
  private let clock = ManualClock()

  private func server() -> ScriptedExchange {
    let fetches = Locked(0)
    return ScriptedExchange.immediate { operation in
      guard operation.kind == .query else { return .data(#"{"counter":1}"#) }
      let number = fetches.withLock { fetches in
        fetches += 1
        return fetches
      }
      return .data(#"{"post":{"__typename":"Post","id":"1","title":"\#(number)"}}"#)
    }
  }

  /// Subscribes, and returns what the server's transport calls after an interruption.
  private func subscribe(
    _ client: GraphQLClient, _ server: ScriptedExchange
  ) async throws -> @Sendable () -> Void {
    var events = client.subscribe(Self.counter).makeAsyncIterator()
    _ = await events.next()
    return try #require(server.operations.last { $0.kind == .subscription }?.context.missedEvents)
  }

  private func title(_ result: OperationResult?) -> String {
    (result?.data?["post"]?["title"]?.string ?? "nothing")
      + (result?.isStale == true ? " stale" : "")
  }

  @Test("Missed events refetch a watched query at once, and then at most every 10 seconds (H6)")
  func refetches() async throws {
    let server = server()
    let store = StoreKind.store(clock: clock)
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let lose = try await subscribe(client, server)
    var watch = client.watch(Self.post).makeAsyncIterator()
    #expect(title(await watch.next()) == "1")
    lose()
    #expect(title(await watch.next()) == "1 stale")
    #expect(title(await watch.next()) == "2")
    for _ in 0..<10 { lose() }
    #expect(title(await client.query(Self.post)) == "2")
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    #expect(title(await watch.next()) == "2 stale")
    #expect(title(await watch.next()) == "3")
    #expect(server.operations.count == 4)
  }

  @Test("A query that was sent before events were missed is requested once more (C5, H6)")
  func inFlight() async throws {
    let gate = Gate()
    let fetches = Locked(0)
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else { return .data(#"{"counter":1}"#) }
      let number = fetches.withLock { fetches in
        fetches += 1
        return fetches
      }
      if number == 1 { await gate.pass() }
      return .data(#"{"post":{"__typename":"Post","id":"1","title":"\#(number)"}}"#)
    }
    let client = GraphQLClient([
      .dedup, .normalizedCache(StoreKind.store(clock: clock)), server,
    ])
    let lose = try await subscribe(client, server)
    async let result = client.query(Self.post)
    await server.received(2)
    lose()
    gate.open()
    #expect(title(await result) == "2")
    #expect(title(client.peek(Self.post)) == "2")
    #expect(fetches.withLock { $0 } == 2)
  }

  @Test("The data stays when events were missed, and an ended session's loss has no effect (H6)")
  func staleData() async throws {
    let server = server()
    let store = StoreKind.store(clock: clock)
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let lose = try await subscribe(client, server)
    _ = await client.query(Self.post)
    lose()
    #expect(client.peek(Self.post)?.isStale == true)
    client.switchSession()
    clock.advance(by: .seconds(20))
    _ = await client.query(Self.post)
    lose()
    #expect(client.peek(Self.post)?.isStale == false)
  }

  @Test("While an old session's refetch waits, a new session's missed events count (C10, H6)")
  func missedByNewSession() async throws {
    let server = server()
    let store = StoreKind.store(clock: clock)
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let lose = try await subscribe(client, server)
    for _ in 1...2 { lose() }
    await clock.sleepers(1)
    client.switchSession()
    let loseAgain = try await subscribe(client, server)
    var watch = client.watch(Self.post).makeAsyncIterator()
    #expect(title(await watch.next()) == "1")
    loseAgain()
    clock.advance(by: .seconds(10))
    #expect(title(await watch.next()) == "1 stale")
    #expect(title(await watch.next()) == "2")
  }

  @Test("Missed events also make queries stale that only the storage has (H6, N9.1)")
  func storedData() async throws {
    let storage = TemporaryStorage()
    let server = server()
    let former = NormalizedStore(storage: storage, clock: clock)
    _ = await GraphQLClient([.dedup, .normalizedCache(former), server]).query(Self.post)
    try await former.flush()
    let store = NormalizedStore(storage: storage, clock: clock)
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let lose = try await subscribe(client, server)
    lose()
    #expect(title(await client.query(Self.post)) == "2")
    #expect(title(await client.query(Self.post)) == "2")
    try await store.flush()
    let next = NormalizedStore(storage: storage, clock: clock)
    #expect(
      title(await GraphQLClient([.dedup, .normalizedCache(next), server]).query(Self.post)) == "2")
  }
}
