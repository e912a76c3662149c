import Testing
import Weir

extension WebSocketTransportTests {
  // MARK: - Sessions

  @Test("A new session connects again, and open operations end on the old connection (C10)")
  func sessions() async throws {
    let calls = Counter()
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server) {
      $0.keepAlive = nil
      $0.connectionParameters = { _ in ["user": .int(Int64(calls.next()))] }
    }
    let before = Consumer(client.subscribe(counter))
    let first = try await server.connection(1)
    #expect(await first.sent(2)[0].contains(#"{"user":1}"#))
    async let mutation = client.mutate(GraphQLOperation("mutation { counter }"))
    #expect(await first.words(3).last == "subscribe 2")
    client.switchSession()
    #expect(try await before.next(2) == ["cancelled", "end"])
    #expect(await mutation.error?.code == .cancelled)

    let after = Consumer(client.subscribe(counter))
    let second = try await server.connection(2)
    let sent = await second.sent(2)
    #expect(sent[0].contains(#"{"user":2}"#))
    second.next("1", 7)
    #expect(try await after.next() == "7")

    // The mutation goes on, and its response ends the old connection, even while other clients
    // stay.
    #expect(await first.words(4).last == "complete 1")
    first.next("2", 1)
    #expect(await first.closed() == [SocketClosure(code: 1000)])
  }

  @Test("A session switch closes an idle connection immediately (C10)")
  func idleSession() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server)
    let before = Consumer(client.subscribe(counter))
    let first = try await server.connection(1)
    _ = await first.sent(2)
    first.complete("1")
    #expect(try await before.next() == "end")
    client.switchSession()
    let after = Consumer(client.subscribe(counter))
    let second = try await server.connection(2)
    #expect(await first.closed() == [SocketClosure(code: 1000)])
    #expect(await second.words(2) == ["connection_init", "subscribe 1"])
    second.complete("1")
    #expect(try await after.next() == "end")
  }

  @Test("Clients of two sessions keep a connection each, even when they alternate (C10)")
  func turns() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let subscriptions = subscriptions(server)
    let (one, two) = (GraphQLClient([subscriptions]), GraphQLClient([subscriptions]))
    two.switchSession()
    var consumers: [Consumer] = []
    for _ in 0..<3 {
      for client in [one, two] { consumers.append(Consumer(client.subscribe(counter))) }
    }
    let (first, second) = try await (server.connection(1), server.connection(2))
    let words = ["connection_init", "subscribe 1", "subscribe 2", "subscribe 3"]
    #expect(await first.words(4) == words)
    #expect(await second.words(4) == words)
    for id in 1...3 {
      first.complete("\(id)")
      second.complete("\(id)")
    }
    for consumer in consumers { #expect(try await consumer.next() == "end") }
  }
}
