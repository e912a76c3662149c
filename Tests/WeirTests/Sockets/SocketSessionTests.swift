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
      $0.connectionParameters = { ["token": .string(token.withLock(\.self))] }
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
      $0.connectionParameters = {
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
}
