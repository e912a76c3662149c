import Testing
import Weir
import WeirTesting

/// Connection parameters that are obtained while the user changes.
extension WebSocketTransportTests {
  private static let mutation = GraphQLOperation("mutation { counter }")

  @Test("A mutation that waits across a switch opens no connection with the next user's token (S5)")
  func waitingMutation() async throws {
    let token = Locked("alice")
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let sockets = subscriptions(server) {
      $0.keepAlive = nil
      $0.connectionParameters = { _ in ["token": .string(token.withLock(\.self))] }
    }
    let waiting = SessionHeadersTests.Waiting()
    let client = GraphQLClient([waiting, sockets])
    let old = Task { await client.mutate(Self.mutation) }
    await waiting.arrived.pass()
    client.switchSession { token.withLock { $0 = "bob" } }
    #expect(await old.value.error?.code == .cancelled)
    waiting.gate.open()
    var outcomes = waiting.outcome.makeAsyncIterator()
    #expect(await outcomes.next()?.error?.code == .cancelled)
    #expect(server.attemptCount == 0)
    // The new user's subscription connects.
    let consumer = Consumer(client.subscribe(counter))
    let socket = try await server.connection(1)
    #expect(await socket.sent(2)[0].contains(#"{"token":"bob"}"#))
    consumer.cancel()
  }

  @Test("Parameters that come after a switch are not used for an older operation (S5)")
  func lateParameters() async throws {
    let (asked, answer) = (Gate(), Gate())
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let sockets = subscriptions(server) {
      $0.keepAlive = nil
      $0.connectionParameters = { _ in
        asked.open()
        await answer.pass()
        return ["token": "bob"]
      }
    }
    let told = AsyncStream.makeStream(of: OperationResult.self)
    let client = GraphQLClient([
      MapExchange(result: { _, result in
        told.continuation.yield(result)
        return result
      }), sockets,
    ])
    let old = Task { await client.mutate(Self.mutation) }
    await asked.pass()
    client.switchSession()
    #expect(await old.value.error?.code == .cancelled)
    answer.open()
    var outcomes = told.stream.makeAsyncIterator()
    #expect(await outcomes.next()?.error?.code == .cancelled)
    #expect(server.attemptCount == 0)
  }

  /// Sends the token of the operation's context.
  private func users(_ server: ScriptedServer) -> SubscriptionExchange {
    subscriptions(server) {
      $0.keepAlive = nil
      $0.connectionParameters = { context in
        ["token": context.headers["authorization"].map { .string($0) } ?? .null]
      }
    }
  }

  @Test("Operations with other headers have a connection that is authenticated with these (S5)")
  func severalUsers() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = GraphQLClient([users(server)])
    func subscribe(_ user: String, trace: String) -> Consumer {
      Consumer(
        client.subscribe(
          counter.with {
            $0.headers["authorization"] = user
            $0.headers["traceparent"] = trace
          }))
    }
    let alice = subscribe("alice", trace: "1")
    let first = try await server.connection(1)
    #expect(await first.sent(2)[0].contains(#"{"token":"alice"}"#))
    let bob = subscribe("bob", trace: "2")
    let second = try await server.connection(2)
    #expect(await second.sent(2)[0].contains(#"{"token":"bob"}"#))
    let again = subscribe("alice", trace: "3")
    #expect(await first.words(3).last == "subscribe 2")
    #expect(server.attemptCount == 2)
    for consumer in [alice, bob, again] { consumer.cancel() }
  }

  @Test(
    "A renewed token opens a connection, and is not sent over the old one (A1)",
    arguments: [false, true])
  func renewal(afterEvent: Bool) async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let configuration = AuthConfiguration<String>(
      load: { "old" }, attach: { $1.headers["authorization"] = $0 }, refresh: { _ in "new" })
    let client = GraphQLClient([.auth(configuration), users(server)])
    let consumer = Consumer(client.subscribe(counter))
    let first = try await server.connection(1)
    #expect(await first.sent(2)[0].contains(#"{"token":"old"}"#))
    if afterEvent {
      first.next("1", 6)
      #expect(try await consumer.next() == "6")
    }
    let error = #"{"message":"No","extensions":{"code":"UNAUTHENTICATED"}}"#
    first.say(#"{"id":"1","type":"error","payload":[\#(error)]}"#)
    let second = try await server.connection(2)
    #expect(await second.sent(2)[0].contains(#"{"token":"new"}"#))
    second.next("1", 7)
    #expect(try await consumer.next() == "7")
    consumer.cancel()
  }

  @Test("A connection is opened with the context of the operation that needs it (S5)")
  func newestContext() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    let client = GraphQLClient([
      subscriptions(server) {
        $0.keepAlive = nil
        $0.connectionParameters = { context in
          ["trace": context.headers["traceparent"].map { .string($0) } ?? .null]
        }
      }
    ])
    for number in 1...2 {
      let consumer = Consumer(
        client.subscribe(counter.with { $0.headers["traceparent"] = "\(number)" }))
      let socket = try await server.connection(number)
      #expect(await socket.sent(2)[0].contains(#"{"trace":"\#(number)"}"#))
      socket.fail(CancellationError())
      _ = try await consumer.next(2)
    }
  }
}
