import Dispatch
import Testing
import Weir
import WeirTesting

@Suite("Durations", .timeLimit(.minutes(10)))
struct DurationTests {
  private static let never = Duration.seconds(Int64.max)

  private static func auth() -> AuthExchange<String> {
    var configuration = AuthConfiguration(load: { "" }, attach: { _, _ in }, refresh: { $0 })
    configuration.timeout = never
    return AuthExchange(configuration)
  }

  @Test(
    "The largest durations work like any other and do not crash",
    arguments: [
      { [auth()] }, { [.refresh(every: never)] },
      { [.requestPolicy(maximumAge: never), .documentCache] },
    ] as [@Sendable () -> [any Exchange]])
  func largest(exchanges: @Sendable () -> [any Exchange]) async {
    let client = GraphQLClient(exchanges() + [postServer()])
    #expect(await client.query(postQuery()).title == "title 1")
    #expect(await client.query(postQuery()).title != nil)
  }

  /// A transport like `URLSessionTransport`, whose server never answers.
  private struct SilentTransport: HTTPTransport {
    struct Request: HTTPTransferTask {
      func suspend() {}
      func resume() {}
      func cancel() {}
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let transfer = HTTPTransfer(request, since: .now(), limits: UnreadLimits(memory: 1))
      transfer.start(Request())
      return try await transfer.response()
    }
  }

  @Test(
    "A request whose time limit is not positive times out at once (H3)",
    arguments: [.zero, .seconds(-1), .seconds(Int64.min)] as [Duration])
  func past(timeout: Duration) async {
    var configuration = FetchConfiguration()
    configuration.transport = SilentTransport()
    configuration.timeout = timeout
    let client = GraphQLClient([.fetch(LocalServer.url, configuration)])
    let error = await client.query(postQuery()).error
    #expect((error?.underlying as? HTTPTransportError)?.code == .timedOut)
  }

  @Test("A consumer can leave a server that never answers")
  func latency() async {
    let server = LocalServer { $0.query("post") { _ in ["title": "x"] } }
    server.latency = Self.never
    let task = Task { await GraphQLClient([.fetch(from: server)]).query(postQuery()) }
    await server.received(1)
    task.cancel()
    #expect(await task.value.error == .cancelled)
  }
}
