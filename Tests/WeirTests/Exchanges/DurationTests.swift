import Testing
import Weir
import WeirTesting

@Suite("Durations")
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
