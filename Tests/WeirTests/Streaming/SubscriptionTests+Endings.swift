import Foundation
import Testing
import Weir
import WeirTesting

/// Errors by which a server ends a subscription, unlike those of an event.
extension SubscriptionTests {
  private static func error(_ code: String) -> String {
    #"[{"message":"Over","extensions":{"code":"\#(code)"}}]"#
  }

  private static let one = #"{"data":{"counter":1}}"#

  private static func parts(_ parts: String...) -> HTTPResponse {
    let body = parts.map { "--graphql\r\n\r\n\($0)\r\n" }.joined() + "--graphql--"
    return HTTPResponse(
      status: 200, headers: ["content-type": "multipart/mixed;boundary=graphql"],
      body: HTTPBody(Array(body.utf8)))
  }

  /// The responses that end by an error with this code, after an event or without one.
  private static func endings(_ code: String, afterEvent: Bool = true) -> [HTTPResponse] {
    let end = #""errors":\#(error(code)),"extensions":{"a":1}"#
    let fatal = #"{"payload":null,\#(end)}"#
    let event = "event: error\ndata: {\(end)}\n\n"
    guard afterEvent else { return [parts(fatal), events(event)] }
    return [
      parts(#"{"payload":\#(one)}"#, fatal), parts(#"{"payload":\#(one),\#(end)}"#),
      events(next + event), events("data: \(one)\n\n" + event + end),
    ]
  }

  private func client(
    answering answers: [HTTPResponse], _ configure: (inout FetchConfiguration) -> Void = { _ in }
  ) throws -> (GraphQLClient, ScriptedTransport) {
    let script = Script(answers.map { .success($0) })
    let transport = ScriptedTransport { _ in try script.next() }
    let client = try client(transport) {
      $0.reconnection?.initialDelay = .zero
      configure(&$0)
    }
    return (client, transport)
  }

  @Test("The error that ends a subscription is its last result, with the extensions (H6)")
  func errorEnds() async throws {
    for ending in Self.endings("NO") {
      let (client, transport) = try client(answering: [ending, Self.events(Self.next)])
      var results: [OperationResult] = []
      for await result in client.subscribe(counter) { results.append(result) }
      #expect(results.map(\.hasNext) == [true, false])
      let last = try #require(results.last)
      #expect(last.error?.code == .graphQL && last.error?.message == "Over")
      #expect(last.error?.underlying == nil && last.data == nil && last.timing != nil)
      #expect(last.extensions?["a"]?.int == 1)
      #expect(transport.requests.count == 1)
    }
  }

  @Test(
    "A subscription goes on when Apollo Router ends it because of a reload (H6)",
    arguments: ["SUBSCRIPTION_SCHEMA_RELOAD", "SUBSCRIPTION_CONFIG_RELOAD"])
  func reload(code: String) async throws {
    for ending in Self.endings(code) {
      let (client, transport) = try client(answering: [ending, Self.events(Self.next + Self.end)])
      let missed = Counter()
      let operation = counter.with { $0.onMissedEvents { _ = missed.next() } }
      #expect(await collect(client.subscribe(operation)) == ["1", "1"])
      #expect(transport.requests.count == 2 && missed.count == 1)
    }
  }

  @Test("After the error that ends a subscription, the settings decide (H6)")
  func reopenedBySettings() async throws {
    for ending in Self.endings("MINE") {
      let (client, transport) = try client(
        answering: [ending, Self.events(Self.next + Self.end)]
      ) {
        $0.reconnection?.shouldReopen = { error in
          error.graphQLErrors.contains { $0.extensions?["code"]?.string == "MINE" }
        }
      }
      #expect(await collect(client.subscribe(counter)) == ["1", "1"])
      #expect(transport.requests.count == 2)
    }
  }

  @Test("A server that ends each attempt by an error gets no more than the settings allow (H6)")
  func endedAgainAndAgain() async throws {
    for ending in Self.endings("SUBSCRIPTION_SCHEMA_RELOAD", afterEvent: false) {
      let (client, transport) = try client(answering: Array(repeating: ending, count: 20)) {
        $0.reconnection?.maximumAttempts = 3
      }
      var results: [OperationResult] = []
      for await result in client.subscribe(counter) { results.append(result) }
      #expect(results.map(\.error?.message) == ["Over"] && results.map(\.hasNext) == [false])
      #expect(results.first?.extensions?["a"]?.int == 1)
      #expect(transport.requests.count == 4)
    }
  }

  @Test(
    "Credentials are renewed when a server ends a subscription because of them (A1, H6)",
    arguments: ["SUBSCRIPTION_JWT_EXPIRED", "UNAUTHENTICATED"])
  func credentialsExpire(code: String) async throws {
    for ending in Self.endings(code) + Self.endings(code, afterEvent: false) {
      let answers = Script([.success(ending), .success(Self.events(Self.next + Self.end))])
      let transport = ScriptedTransport { _ in try answers.next() }
      let auth = AuthConfiguration(
        load: { "1" }, attach: { $1.headers["authorization"] = $0 }, refresh: { _ in "2" })
      var configuration = FetchConfiguration()
      configuration.transport = transport
      let url = try #require(URL(string: "https://example.org/graphql"))
      let client = GraphQLClient([.auth(auth), .fetch(url, configuration)])
      #expect(await collect(client.subscribe(counter)).allSatisfy { $0 == "1" })
      #expect(transport.requests.map { $0.headers["authorization"] } == ["1", "2"])
    }
  }

  @Test("Errors of an event leave the subscription running (H6)")
  func errorsOfEvent() async throws {
    let failed = #"{"data":null,"errors":\#(Self.error("SUBSCRIPTION_SCHEMA_RELOAD"))}"#
    let (client, transport) = try client(answering: [
      Self.parts(#"{"payload":\#(failed)}"#, #"{"payload":\#(Self.one)}"#)
    ])
    #expect(await collect(client.subscribe(counter)) == ["graphQL", "1"])
    #expect(transport.requests.count == 1)
  }
}
