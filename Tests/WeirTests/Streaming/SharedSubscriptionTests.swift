import Foundation
import TestSupport
import Testing
import Weir
import WeirTesting

@Suite("Equal subscriptions share one", .timeLimit(.minutes(10)))
struct SharedSubscriptionTests {
  let server = EventServer()
  let clock = ManualClock()
  let counter = GraphQLOperation("subscription { counter }")

  func client(
    _ exchange: SharedSubscriptionsExchange = .sharedSubscriptions,
    reconnection: Reconnection? = nil
  ) -> GraphQLClient {
    GraphQLClient([
      exchange, .dedup, .documentCache, .subscription(server, reconnection: reconnection),
    ])
  }

  func joined(
    _ client: GraphQLClient, _ count: Int = 1,
    _ change: (inout OperationContext) -> Void = { _ in }
  ) async -> [Consumer] {
    var consumers: [Consumer] = []
    for _ in 0..<count { consumers.append(await .joining(client, counter.with(change))) }
    return consumers
  }

  // MARK: - Joining and leaving

  @Test("Three loops share one subscription, which ends when the last is left (D7)")
  func three() async throws {
    let loops = await joined(client(), 3)
    try #require(server.count == 1)
    for number in 1...3 { server.send(number) }
    for loop in loops { #expect(try await loop.next(3) == ["1", "2", "3"]) }
    for (number, loop) in loops.dropLast().enumerated() {
      loop.cancel()
      #expect(try await loop.next() == "end")
      server.send(number)
      for other in loops[(number + 1)...] { #expect(try await other.next() == String(number)) }
    }
    loops[2].cancel()
    #expect(try await loops[2].next() == "end")
    await server.hasEnded(1)
  }

  @Test("A loop that joins receives later events only (D7)")
  func late() async throws {
    let client = client()
    let first = await joined(client)[0]
    server.send(1)
    #expect(try await first.next() == "1")
    let second = await joined(client)[0]
    try #require(server.count == 1)
    server.send(2)
    #expect(try await first.next() == "2")
    #expect(try await second.next() == "2")
  }

  @Test("The loop that has started a subscription may leave before the others (D7)")
  func starterLeaves() async throws {
    let loops = await joined(client(), 2)
    try #require(server.count == 1)
    loops[0].cancel()
    #expect(try await loops[0].next() == "end")
    server.send(1)
    #expect(try await loops[1].next() == "1")
  }

  @Test("The end, or the error, reaches all; a loop that subscribes then starts another (D7)")
  func ends() async throws {
    let client = client()
    let completed = await joined(client, 3)
    try #require(server.count == 1)
    server.complete()
    for loop in completed {
      #expect(try await loop.next() == "end")
      // The next subscription is another one, as soon as one loop has learned of the end.
      if loop === completed[0] {
        let next = await joined(client)[0]
        #expect(server.count == 2)
        server.send(7, to: 1)
        #expect(try await next.next() == "7")
      }
    }
    let failing = await joined(client, 3)
    let number = server.count - 1
    server.fail(SocketClosure(code: 4400), number)
    for loop in failing { #expect(try await loop.next(2) == ["transport 4400", "end"]) }
    _ = await joined(client)
    #expect(server.count == number + 2)
  }

  @Test("An event with an error reaches all, and the subscription goes on (D7)")
  func eventWithError() async throws {
    let server = EventServer(beginning: [
      Result { try JSON(parsing: #"{"data":null,"errors":[{"message":"no"}]}"#) },
      EventServer.event(2),
    ])
    let client = GraphQLClient([.sharedSubscriptions, .subscription(server)])
    let first = await joined(client)[0]
    #expect(try await first.next(2) == ["graphQL", "2"])
    let second = await joined(client)[0]
    try #require(server.count == 1)
    server.send(3)
    #expect(try await first.next() == "3")
    #expect(try await second.next() == "3")
  }

  // MARK: - Equal subscriptions

  @Test("Subscriptions whose keys, tags or sessions differ are kept apart (D7, K8)")
  func different() async throws {
    let client = client()
    let first = await joined(client)[0]
    _ = await joined(client) { $0.headers["traceparent"] = "1" }
    _ = await joined(client) { $0.requestTimeout = .seconds(1) }
    try #require(server.count == 1)
    let url = try #require(URL(string: "https://example.org/other"))
    let changes: [@Sendable (inout OperationContext) -> Void] = [
      { $0.headers["authorization"] = "2" }, { $0.endpoint = url },
      { $0.skipsAuthentication = true }, { $0.additionalTypenames = ["Feed"] },
      { $0.storesResult = false },
    ]
    var others: [Consumer] = []
    for (number, change) in changes.enumerated() {
      others += await joined(client, 2, change)
      try #require(server.count == number + 2)
    }
    let other = GraphQLOperation("subscription($a: Int) { counter(a: $a) }", variables: ["a": 1])
    others.append(await .joining(client, other))
    #expect(server.count == 7)
    server.send(1)
    #expect(try await first.next() == "1")
    for index in 1...6 { server.send(2, to: index) }
    for loop in others { #expect(try await loop.next() == "2") }
  }

  @Test("Nobody joins the subscription of a former session (D7, C10)")
  func sessions() async throws {
    let client = client()
    let former = await joined(client, 2)
    client.switchSession()
    let next = await joined(client, 2)
    try #require(server.count == 2)
    for loop in former { #expect(try await loop.next(2) == ["cancelled", "end"]) }
    await server.hasEnded(1)
    server.send(1, to: 1)
    for loop in next { #expect(try await loop.next() == "1") }
  }

  @Test("Clients in different sessions do not share a subscription (D7, C10)")
  func severalClients() async throws {
    let shared = SharedSubscriptionsExchange()
    let (first, second) = (client(shared), client(shared))
    second.switchSession(to: first.session)
    let former = await joined(first, 2)
    try #require(server.count == 1)
    second.switchSession()
    let next = await joined(second)[0]
    try #require(server.count == 2)
    server.send(1)
    server.send(2, to: 1)
    for loop in former { #expect(try await loop.next() == "1") }
    #expect(try await next.next() == "2")
  }

  // MARK: - The connection

  @Test("Each loop learns how the connection changes, and one that joins how it is (D7, H6)")
  func connection() async throws {
    let client = client(reconnection: Reconnection(clock: clock, random: { 0.5 }))
    let (changes, missed) = (Locked(["", "", ""]), Counter())
    func loop(_ index: Int) async -> Consumer {
      await joined(client) { context in
        context.onMissedEvents { _ = missed.next() }
        context.onConnectionChange { change in
          let word = if case .open = change { "open " } else { "lost " }
          changes.withLock { $0[index] += word }
        }
      }[0]
    }
    let (first, second) = (await loop(0), await loop(1))
    server.fail(HTTPTransportError(.connectionLost, ""))
    await clock.sleepers(1)
    let third = await loop(2)
    try #require(server.count == 1)
    await eventually { changes.withLock { $0[0].count > 5 } }
    #expect(changes.withLock { $0 } == ["open lost ", "open lost ", "lost "])
    clock.advance(by: .seconds(1))
    let all = ["open lost open ", "open lost open ", "lost open "]
    await eventually { changes.withLock { $0 } == all }
    #expect(missed.count == 3)
    server.send(1, to: 1)
    for loop in [first, second, third] { #expect(try await loop.next() == "1") }
  }

  @Test("A shared subscription that a reload has ended goes on for all its loops (D7, H6)")
  func reload() async throws {
    let client = client(reconnection: Reconnection(clock: clock, random: { 0.5 }))
    let loops = await joined(client, 2)
    let code: JSONValue = ["code": "SUBSCRIPTION_SCHEMA_RELOAD"]
    let reload = OperationError(graphQLErrors: [GraphQLError(message: "", extensions: code)])
    server.fail(reload)
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    await eventually { server.count == 2 }
    server.send(1, to: 1)
    for loop in loops { #expect(try await loop.next() == "1") }
  }

  @Test("Subscriptions over HTTP are shared, too (D7, H6)")
  func http() async throws {
    let transport = ScriptedTransport { _ in
      let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
      continuation.yield(Array(SubscriptionTests.next.utf8))
      return HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(chunks))
    }
    let url = try #require(URL(string: "https://example.org/graphql"))
    let client = GraphQLClient([.sharedSubscriptions, .fetch(url, transport: transport)])
    let loops = await joined(client, 3)
    #expect(try await loops[0].next() == "1")
    #expect(transport.requests.count == 1)
  }

  @Test("Exchanges below handle each event once, and queries and mutations pass (D7)")
  func below() async throws {
    let handled = Counter()
    let counting = MapExchange(
      operation: { $0 },
      result: { _, result in
        _ = handled.next()
        return result
      })
    let client = GraphQLClient([
      .sharedSubscriptions, counting, .subscription(server), postServer(),
    ])
    let loops = await joined(client, 5)
    try #require(server.count == 1)
    for number in 1...3 { server.send(number) }
    for loop in loops { #expect(try await loop.next(3) == ["1", "2", "3"]) }
    #expect(handled.count == 3)
    #expect(await client.query(postQuery()).summary == "title 1")
    #expect(await client.mutate(updatePost).error == nil)
  }
}
