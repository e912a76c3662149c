import Foundation
import Testing
import Weir
import WeirTesting

/// Operations that wait above the fetch exchange while the user changes.
@Suite("Headers of a fetch exchange across a switch", .timeLimit(.minutes(10)))
struct SessionHeadersTests {
  enum Way: CaseIterable { case fetch, batch }

  static let url = URL(fileURLWithPath: "/graphql")

  /// Holds operations until its gate opens, and tells what became of them.
  struct Waiting: Exchange {
    let gate = Gate()
    let arrived = Gate()
    let outcome: AsyncStream<OperationResult>
    private let told: AsyncStream<OperationResult>.Continuation

    init() { (outcome, told) = AsyncStream.makeStream() }

    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      ResultStream { yield in
        arrived.open()
        await gate.pass()
        for await result in forward(operation) {
          told.yield(result)
          yield(result)
        }
      }
    }
  }

  @Test(
    "A mutation that waits across a switch is not sent with the next user's credentials (S5)",
    arguments: Way.allCases)
  func mutation(way: Way) async {
    let token = Locked("alice")
    let transport = ScriptedTransport(#"{"data":{"updatePost":null}}"#)
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.headers = { _ in ["Authorization": token.withLock { $0 }] }
    let waiting = Waiting()
    let fetch: any Exchange =
      way == .fetch ? .fetch(Self.url, configuration) : .batchFetch(Self.url, configuration)
    let client = GraphQLClient([waiting, fetch])
    let old = Task { await client.mutate(updatePost) }
    await waiting.arrived.pass()
    client.switchSession { token.withLock { $0 = "bob" } }
    #expect(await old.value.error?.code == .cancelled)
    waiting.gate.open()
    var outcomes = waiting.outcome.makeAsyncIterator()
    #expect(await outcomes.next()?.error?.code == .cancelled)
    #expect(transport.requests.isEmpty)
    // The new user's mutation is sent.
    #expect(await client.mutate(updatePost).error == nil)
    #expect(transport.requests.map { $0.headers["authorization"] } == ["bob"])
  }

  @Test("An operation of an ended session is sent if no credentials are added to it (S5)")
  func withoutCredentials() async {
    let transport = ScriptedTransport(#"{"data":{"updatePost":null}}"#)
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.headers = { _ in ["user-agent": "Todos/1.0"] }
    let waiting = Waiting()
    let client = GraphQLClient([waiting, .fetch(Self.url, configuration)])
    let old = Task { await client.mutate(updatePost) }
    await waiting.arrived.pass()
    client.switchSession()
    _ = await old.value
    waiting.gate.open()
    await transport.received(1)
    #expect(transport.requests.count == 1)
  }

  /// Runs a mutation whose context closure waits across a switch, and returns the tokens that reach
  /// the server with it and with a mutation of the next user.
  private func tokens(
    settingFor kinds: Set<GraphQLOperation.Kind>, _ operation: GraphQLOperation = updatePost
  ) async -> (old: OperationResult?, sent: [String?]) {
    let token = Locked("alice")
    let (arrived, gate) = (Gate(), Gate())
    let server = ScriptedExchange { _ in updated }
    let (outcomes, told) = AsyncStream.makeStream(of: OperationResult.self)
    let observer = InlineExchange { operation, forward in
      forward(operation).map { result in
        told.yield(result)
        return result
      }
    }
    let client = GraphQLClient([
      observer,
      .context { context, operation in
        arrived.open()
        await gate.pass()
        if kinds.contains(operation.kind) {
          context.headers["Authorization"] = token.withLock { $0 }
        }
      }, server,
    ])
    let old = Task { await client.mutate(operation) }
    await arrived.pass()
    client.switchSession { token.withLock { $0 = "bob" } }
    #expect(await old.value.error?.code == .cancelled)
    gate.open()
    var iterator = outcomes.makeAsyncIterator()
    let outcome = await iterator.next()
    _ = await client.mutate(updatePost)
    return (outcome, server.operations.map { $0.context.headers["authorization"] })
  }

  @Test("A context closure gives no operation of an ended session the next user's token (S5)")
  func contextClosure() async {
    let (old, sent) = await tokens(settingFor: [.mutation])
    #expect(old?.error?.code == .cancelled)
    #expect(sent == ["bob"])
  }

  @Test("A context closure that leaves the credentials alone changes nothing at a switch (S5)")
  func contextWithoutCredentials() async {
    let own = updatePost.with { $0.headers["authorization"] = "alice" }
    let (old, sent) = await tokens(settingFor: [], own)
    #expect(old?.error == nil)
    #expect(sent == ["alice", nil])
  }

  enum Terminal: CaseIterable { case fetch, batch, socket }

  @Test(
    "A new client begins in the latest session of an exchange that adds credentials (C10)",
    arguments: Terminal.allCases)
  func newClient(terminal: Terminal) async {
    var configuration = FetchConfiguration()
    configuration.transport = ScriptedTransport(#"{"data":{"updatePost":null}}"#)
    configuration.headers = { _ in ["Authorization": "bob"] }
    let server = ScriptedServer(answer: ScriptedServer.acknowledging)
    var parameters = WebSocketConfiguration(clock: ManualClock())
    parameters.connectionParameters = { _ in ["user": "bob"] }
    let socket = WebSocketTransport(parameters) { _ in try await server.connect() }
    let exchange: any Exchange =
      switch terminal {
      case .fetch: .fetch(Self.url, configuration)
      case .batch: .batchFetch(Self.url, configuration)
      case .socket: .subscription(socket)
      }
    GraphQLClient([exchange]).switchSession()
    let client = GraphQLClient([exchange])
    guard terminal == .socket else {
      #expect(await client.mutate(updatePost).error == nil)
      return
    }
    let events = Task {
      await client.subscribe(GraphQLOperation("subscription { n }")).first { _ in true }
    }
    let connection = try? await server.connection(1)
    #expect(await connection?.sent(2).first?.contains(#"{"user":"bob"}"#) == true)
    connection?.next("1", 1)
    #expect(await events.value?.error == nil)
  }
}
