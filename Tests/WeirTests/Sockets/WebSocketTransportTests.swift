import Foundation
import Testing
import Weir
import WeirTesting

@Suite("graphql-transport-ws over a socket", .timeLimit(.minutes(10)))
struct WebSocketTransportTests {
  let clock = ManualClock()
  /// The clock for the delays between two connections.
  let backoff = ManualClock()
  let counter = GraphQLOperation("subscription { counter }")

  /// A client without reconnection by default. If keep-alive is off too, only two timers use the
  /// clock: the timeout of the acknowledgement and the idle timeout.
  func client(
    _ server: ScriptedServer, reconnects: Bool = false,
    _ configure: (inout WebSocketConfiguration) -> Void = { $0.keepAlive = nil }
  ) -> GraphQLClient {
    GraphQLClient([subscriptions(server, reconnects: reconnects, configure)])
  }

  func subscriptions(
    _ server: ScriptedServer, reconnects: Bool = false,
    _ configure: (inout WebSocketConfiguration) -> Void = { $0.keepAlive = nil }
  ) -> SubscriptionExchange {
    var configuration = WebSocketConfiguration(clock: clock)
    configure(&configuration)
    let transport = WebSocketTransport(configuration) { _ in try await server.connect() }
    return .subscription(
      transport, kinds: [.subscription, .query, .mutation],
      reconnection: reconnects ? Reconnection(clock: backoff, random: { 0.5 }) : nil)
  }

  // MARK: - The connection

  @Test("The connection is initialized, and then operations are sent in order (H6)")
  func initialization() async throws {
    let server = ScriptedServer()
    let client = client(server) {
      $0.keepAlive = nil
      $0.connectionParameters = { _ in ["token": "t"] }
    }
    let operation = GraphQLOperation(
      "subscription C($n: Int) { counter(to: $n) }", variables: ["n": 2])
    let consumer = Consumer(client.subscribe(operation))
    let socket = try await server.connection(1)
    #expect(await socket.sent(1) == [#"{"type":"connection_init","payload":{"token":"t"}}"#])
    socket.say(#"{"type":"connection_ack"}"#)
    let sent = try JSON(parsing: #require(await socket.sent(2).last)).value
    #expect(
      sent == [
        "id": "1", "type": "subscribe",
        "payload": [
          "query": .string(operation.text), "operationName": "C", "variables": ["n": 2],
        ],
      ])
    for number in 1...2 { socket.next("1", number) }
    socket.complete("1")
    #expect(try await consumer.next(3) == ["1", "2", "end"])
    #expect(server.attemptCount == 1)
  }

  @Test("Parameters are computed for each connection, and their error is the operation's (H6)")
  func parameters() async throws {
    struct NoToken: Error {}
    let calls = Counter()
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = client(server, reconnects: true) {
      $0.keepAlive = nil
      $0.connectionParameters = { _ in
        guard calls.count > 0 else {
          _ = calls.next()
          throw NoToken()
        }
        return ["token": .int(Int64(calls.next()))]
      }
    }
    #expect(try await Consumer(client.subscribe(counter)).next(2) == ["transport", "end"])
    #expect(server.attemptCount == 0)
    let consumer = Consumer(client.subscribe(counter))
    for number in 1...2 {
      let socket = try await server.connection(number)
      #expect(await socket.sent(2)[0].contains(#"{"token":\#(number + 1)}"#))
      socket.next(String(number + 1), number)
      #expect(try await consumer.next() == String(number))
      socket.fail(SocketClosure(code: 4403))
      await backoff.sleepers(1)
      backoff.advance(by: .seconds(1))
    }
  }

  @Test("One timeout covers connecting and the acknowledgement (H6)")
  func acknowledgementTimeout() async throws {
    let gate = Gate()
    let server = ScriptedServer(accept: { _ in await gate.pass() })
    let client = client(server)
    let first = Consumer(client.subscribe(counter))
    await server.wasTried(1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(9))
    gate.open()
    let socket = try await server.connection(1)
    #expect(await socket.words(1) == ["connection_init"])
    clock.advance(by: .seconds(1))
    #expect(try await first.next(2) == ["transport timedOut", "end"])
    #expect(await socket.closed().map(\.code) == [4504])
    await socket.released()

    gate.close()
    let second = Consumer(client.subscribe(counter))
    await server.wasTried(2)
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    #expect(try await second.next(2) == ["transport timedOut", "end"])
  }

  @Test(
    "A server's closure is an error with its code, before or after an event (H6)",
    arguments: [1000, 1001, 1006, 1011, 4400, 4401, 4403, 4406, 4408, 4409, 4429, 4499, 4500])
  func refusals(code: Int) async throws {
    let server = ScriptedServer()
    let client = client(server, reconnects: true)
    let refused = Consumer(client.subscribe(counter))
    let first = try await server.connection(1)
    _ = await first.sent(1)
    first.fail(SocketClosure(code: code, reason: "Because"))
    #expect(try await refused.next(2) == ["transport \(code)", "end"])

    let lost = Consumer(client.subscribe(counter))
    let second = try await server.acknowledged(2)
    second.next("2", 1)
    #expect(try await lost.next() == "1")
    second.fail(SocketClosure(code: code))
    if SocketClosure(code: code).isFinal {
      #expect(try await lost.next(2) == ["transport \(code)", "end"])
      #expect(backoff.sleeperCount == 0)
      #expect(server.attemptCount == 2)
    } else {
      await backoff.sleepers(1)
      backoff.advance(by: .seconds(1))
      let third = try await server.acknowledged(3)
      #expect(await third.words(2) == ["connection_init", "subscribe 3"])
    }
  }

  @Test(
    "A server that violates the protocol is closed with 4400, and all operations end (H6)",
    arguments: [
      "", "nope", "7", "{}", #"{"type":"data"}"#, #"{"type":"next","id":"1"}"#,
      #"{"type":"next","id":1,"payload":{}}"#, #"{"type":"connection_ack"}"#, "\u{0}\u{FFFD}",
    ])
  func garbage(text: String) async throws {
    let server = ScriptedServer()
    let client = client(server, reconnects: true)
    let consumers = (0..<2).map { _ in Consumer(client.subscribe(counter)) }
    let socket = try await server.acknowledged()
    _ = await socket.sent(3)
    socket.say(text)
    for consumer in consumers {
      #expect(try await consumer.next(2) == ["transport 4400", "end"])
    }
    #expect(await socket.closed().map(\.code) == [4400])
    await socket.released()
  }

  @Test("A message before the acknowledgement violates the protocol (H6)")
  func early() async throws {
    let server = ScriptedServer()
    let consumer = Consumer(client(server).subscribe(counter))
    let socket = try await server.connection(1)
    _ = await socket.sent(1)
    socket.next("1", 1)
    #expect(try await consumer.next(2) == ["transport 4400", "end"])
    #expect(await socket.closed().map(\.code) == [4400])
  }

  @Test("A connection is lost if connecting, sending or receiving fails (H6)")
  func broken() async throws {
    struct Broken: Error {}
    let refusing = ScriptedServer(accept: { _ in throw HTTPTransportError(.cannotConnect, "") })
    #expect(
      try await Consumer(client(refusing).subscribe(counter)).next(2)
        == ["transport cannotConnect", "end"])
    let server = ScriptedServer()
    let client = client(server)
    let first = Consumer(client.subscribe(counter))
    let sending = try await server.connection(1)
    _ = await sending.sent(1)
    sending.failSending(Broken())
    sending.say(#"{"type":"connection_ack"}"#)
    #expect(try await first.next(2) == ["transport", "end"])
    await sending.released()
    let second = Consumer(client.subscribe(counter))
    let receiving = try await server.acknowledged(2)
    _ = await receiving.sent(2)
    receiving.fail(Broken())
    #expect(try await second.next(2) == ["transport", "end"])
    await receiving.released()
  }

  @Test("URLSession's WebSocket reports clearly that a platform lacks it (H6)")
  func platform() throws {
    let url = try #require(URL(string: "ws://127.0.0.1:9/graphql"))
    #if canImport(FoundationNetworking)
      #expect {
        try WebSocketTransport(url: url)
      } throws: { error in
        let error = error as? HTTPTransportError
        return error?.code == .unsupported
          && error?.message.hasPrefix(
            "WebSockets are not supported by this platform's URLSession") == true
      }
    #else
      _ = try WebSocketTransport(url: url)
      let http = try #require(URL(string: "http://127.0.0.1:9/graphql"))
      #expect(throws: HTTPTransportError.self) { try WebSocketTransport(url: http) }
    #endif
  }
}
