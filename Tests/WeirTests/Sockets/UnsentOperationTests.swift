import Testing
import WeirTesting

@testable import Weir

@Suite("Operations that a lost WebSocket did not send", .timeLimit(.minutes(10)))
struct UnsentOperationTests {
  /// Starts a subscription in one step, so that a test knows what waits to be sent.
  private func start(on connection: SharedConnection, token: String = "") -> PayloadQueue {
    let request = Array(#"{"query":"subscription { counter }"}"#.utf8)
    var context = OperationContext()
    context[Token.self] = token
    return connection.start(request, context, isSubscription: true).1
  }

  private enum Token: OperationContextKey {
    static let defaultValue = ""
  }

  @Test("The server never hears of an operation that is left before its message is sent (H6)")
  func left() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    var configuration = WebSocketConfiguration(clock: ManualClock())
    configuration.keepAlive = nil
    let connection = SharedConnection(
      configuration, { [:] }, { _, _ in try await server.connect() }, isSessionOver: { false })
    let running = start(on: connection)
    let socket = try await server.connection(1)
    #expect(await socket.words(2) == ["connection_init", "subscribe 1"])
    try await running.accepted()
    socket.gate.close()
    // The socket may take the first of these messages, but not the second one.
    _ = start(on: connection)
    _ = start(on: connection)
    connection.leave("3")
    let last = start(on: connection)
    connection.leave("1")
    socket.gate.open()
    try await last.accepted()
    let words = await socket.words(5)
    #expect(
      words == ["connection_init", "subscribe 1", "subscribe 2", "subscribe 4", "complete 1"])
    connection.end()
  }

  @Test("An operation that begins while the connection is lost is sent on a new one (H6)")
  func unsent() async throws {
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    var configuration = WebSocketConfiguration(clock: ManualClock())
    configuration.keepAlive = nil
    configuration.connectionParameters = { ["token": .string($0[Token.self])] }
    let connection = SharedConnection(
      configuration, { [:] }, { _, _ in try await server.connect() }, isSessionOver: { false })
    let running = start(on: connection, token: "old")
    let socket = try await server.connection(1)
    #expect(await socket.words(2) == ["connection_init", "subscribe 1"])
    // The socket may have taken the first of these messages, but not the second one.
    socket.gate.close()
    _ = start(on: connection)
    let waiting = start(on: connection, token: "new")
    socket.fail(SocketClosure(code: 1006))
    try await waiting.accepted()
    let second = try await server.connection(2)
    #expect(await second.words(2).contains("subscribe 3"))
    #expect(await second.sent(1)[0].contains("new"))
    #expect(server.attemptCount == 2)
    await #expect(throws: OperationError.self) { try await running.next() }
    connection.end()
  }
}
