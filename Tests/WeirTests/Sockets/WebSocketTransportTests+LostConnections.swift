import TestSupport
import Testing
import Weir
import WeirTesting

extension WebSocketTransportTests {
  // MARK: - Lost connections

  @Test("Only live operations resume, with growing delays and one attempt for all (H6)")
  func reconnection() async throws {
    let server = ScriptedServer(accept: { number in
      if (2...3).contains(number) { throw HTTPTransportError(.cannotConnect, "") }
    })
    let client = client(server, reconnects: true)
    let operations = (0..<100).map {
      GraphQLOperation(GraphQLDocument("subscription { counter(to: \($0)) }"))
    }
    let consumers = operations.map { Consumer(client.subscribe($0)) }
    let socket = try await server.acknowledged()
    let sent = await socket.sent(101).dropFirst().map { try? JSON(parsing: $0) }
    // One operation is complete, one is cancelled now, and one is cancelled during the outage.
    var ids: [Int: String] = [:]
    for (index, operation) in operations.enumerated() {
      ids[index] =
        sent.first {
          $0?["payload"]?["query"]?.string == operation.text
        }??["id"]?.string
    }
    socket.complete(try #require(ids[0]))
    #expect(try await consumers[0].next() == "end")
    consumers[1].cancel()
    #expect(try await consumers[1].next() == "end")
    socket.fail(SocketClosure(code: 1012, reason: "Service restart"))
    // Half of 0.5, 1 and 2 seconds.
    for (attempt, delay) in [(1, 250), (2, 500), (3, 1000)] {
      await backoff.sleepers(attempt == 1 ? 98 : 97)
      if attempt == 1 {
        consumers[2].cancel()
        #expect(try await consumers[2].next() == "end")
      }
      #expect(server.attemptCount == attempt)
      backoff.advance(by: .milliseconds(delay - 1))
      #expect(server.attemptCount == attempt)
      backoff.advance(by: .milliseconds(1))
      await server.wasTried(attempt + 1)
    }
    let second = try await server.acknowledged(2)
    let again = await second.sent(98).dropFirst().compactMap { try? JSON(parsing: $0) }
    #expect(
      Set(again.compactMap { $0["payload"]?["query"]?.string })
        == Set(operations.dropFirst(3).map(\.text)))
    for message in again { second.next(try #require(message["id"]?.string), 1) }
    for consumer in consumers.dropFirst(3) { #expect(try await consumer.next() == "1") }
    #expect(server.attemptCount == 4)
  }

  @Test("A subscription that the server ends by an error may go on, and others do (H6)")
  func endedByError() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server, reconnects: true)
    let consumer = Consumer(client.subscribe(counter))
    let socket = try await server.connection(1)
    _ = await socket.sent(2)
    let other = Consumer(client.subscribe(counter))
    _ = await socket.sent(3)
    let reload = #"{"message":"Over","extensions":{"code":"SUBSCRIPTION_SCHEMA_RELOAD"}}"#
    socket.next("1", 1)
    #expect(try await consumer.next() == "1")
    socket.say(#"{"id":"1","type":"error","payload":[\#(reload)]}"#)
    await backoff.sleepers(1)
    backoff.advance(by: .seconds(1))
    #expect(await socket.words(4).last == "subscribe 3")
    socket.next("3", 2)
    socket.next("2", 3)
    #expect(try await consumer.next() == "2")
    #expect(try await other.next() == "3")
    socket.say(#"{"id":"3","type":"error","payload":[{"message":"no"}]}"#)
    #expect(try await consumer.next(2) == ["graphQL", "end"])
    #expect(server.attemptCount == 1 && backoff.sleeperCount == 0)
  }

  @Test("An error ends a subscription with the server's extensions, and a query as before (H6)")
  func lastResult() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server, reconnects: true)
    let results = Task {
      var results: [OperationResult] = []
      for await result in client.subscribe(counter) { results.append(result) }
      return results
    }
    let socket = try await server.connection(1)
    _ = await socket.sent(2)
    socket.next("1", 1)
    socket.say(
      #"{"id":"1","type":"error","payload":{"errors":[{"message":"no"}],"extensions":{"a":1}}}"#)
    let found = await results.value
    #expect(found.map(\.hasNext) == [true, false])
    #expect(found.last?.error?.message == "no" && found.last?.error?.underlying == nil)
    #expect(found.last?.extensions?["a"]?.int == 1)
    let query = Task { await client.query(GraphQLOperation("{ counter }")) }
    _ = await socket.sent(3)
    socket.say(#"{"id":"2","type":"error","payload":[{"message":"no"}]}"#)
    let result = await query.value
    #expect(result.error?.message == "no" && result.error?.underlying == nil && !result.hasNext)
  }

  @Test("A subscription that cannot resume ends with the error, and nothing of it is kept (H6)")
  func givingUp() async throws {
    let server = ScriptedServer(accept: { number in
      if number > 1 { throw HTTPTransportError(.offline, "") }
    })
    let client = client(server, reconnects: true)
    let consumer = Consumer(client.subscribe(counter))
    let socket = try await server.acknowledged()
    socket.next("1", 1)
    #expect(try await consumer.next() == "1")
    socket.fail(SocketClosure(code: 1006))
    for attempt in 1...8 {
      await backoff.sleepers(1)
      backoff.advance(by: .seconds(60))
      await server.wasTried(attempt + 1)
    }
    #expect(try await consumer.next(2) == ["transport offline", "end"])
    #expect(server.attemptCount == 9)
    await socket.released()
  }

  @Test(
    "A refusal by the older protocol's message is one with its reason, and is tried again (H6)",
    arguments: [
      (#","payload":"JWTExpired""#, "JWTExpired"), (#","payload":{"message":"No"}"#, "No"),
      ("", "The server refuses the connection."),
      (#","payload":7"#, "The server refuses the connection."),
      (
        #","payload":"\#(String(repeating: "é", count: 9_999))""#,
        String(repeating: "é", count: 61)
      ),
    ])
  func connectionError(payload: String, reason: String) async throws {
    let server = ScriptedServer()
    let closures = Locked<[SocketClosure?]>([])
    let operation = counter.with {
      $0.onConnectionChange { change in
        guard case .lost(let error, _) = change else { return }
        closures.withLock { $0.append(error.underlying as? SocketClosure) }
      }
    }
    let consumer = Consumer(client(server, reconnects: true).subscribe(operation))
    try await server.acknowledged().next("1", 1)
    #expect(try await consumer.next() == "1")
    // On an open connection, and instead of the acknowledgement.
    for number in 1...2 {
      let socket = try await server.connection(number)
      _ = await socket.sent(1)
      socket.say(#"{"type":"connection_error"\#(payload)}"#)
      #expect(await socket.closed().map(\.code) == [4403])
      await backoff.sleepers(1)
      backoff.advance(by: .seconds(1))
    }
    try await server.acknowledged(3).next("3", 2)
    #expect(try await consumer.next() == "2")
    let closure = SocketClosure(code: 4403, reason: reason)
    #expect(closures.withLock(\.self) == [closure, closure])
  }

  @Test("Resuming many subscriptions refreshes watches, but not once for each of them (H6)")
  func refresh() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let posts = postServer()
    let client = GraphQLClient([
      .dedup, .documentCache, SubscriptionsOnly(base: subscriptions(server, reconnects: true)),
      posts,
    ])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    let consumers = (0..<50).map { _ in Consumer(client.subscribe(counter)) }
    let socket = try await server.connection(1)
    _ = await socket.sent(51)
    for id in 1...50 { socket.next(String(id), id) }
    for consumer in consumers { _ = try await consumer.next() }
    #expect(posts.operations.count == 1)
    socket.fail(SocketClosure(code: 1006))
    await backoff.sleepers(50)
    backoff.advance(by: .seconds(1))
    let second = try await server.connection(2)
    _ = await second.sent(51)
    for id in 51...100 { second.next(String(id), id) }
    for consumer in consumers { _ = try await consumer.next() }
    #expect(await watcher.next(1) == ["title 1 stale"])
    // A response that is superseded by a later resumption is shown as stale first.
    let shown = await reach({ await watcher.next(1).first }, until: { !$0.hasSuffix("stale") })
    #expect(shown?.hasPrefix("title ") == true)
    #expect(posts.operations.count < 25)
    withExtendedLifetime(watcher) {}
  }
}

/// Forwards queries, because the exchange under test accepts all kinds.
private struct SubscriptionsOnly: Exchange {
  let base: SubscriptionExchange

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    operation.kind == .subscription
      ? base.execute(operation, forward: forward) : forward(operation)
  }
}
