import Foundation
import Testing
import Weir
import WeirTesting

extension SubscriptionTests {
  /// A client that reconnects without delay and uses the tokens 1, 2 and so on.
  private func authorizedClient(
    _ transport: ScriptedTransport, failedRefreshes: Int = 0
  ) throws -> GraphQLClient {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.reconnection = Reconnection(clock: clock, random: { 0 })
    configuration.reconnection?.initialDelay = .zero
    let refreshes = Counter()
    let auth = AuthConfiguration(
      load: { "1" }, attach: { $1.headers["authorization"] = $0 },
      refresh: { _ in
        let number = refreshes.next() - failedRefreshes
        if number <= 0 { throw HTTPTransportError(.offline, "") }
        return String(number + 1)
      })
    let url = try #require(URL(string: "https://example.org/graphql"))
    return GraphQLClient([.auth(auth), .fetch(url, configuration)])
  }

  /// The responses to each connection of a subscription, its results, and its missed events.
  private static let expiries: [([(token: String, body: String?)], [String], missed: Int)] = [
    ([("1", next), ("1", nil), ("2", next + end)], ["1", "1"], 1),
    // A connection may outlive its token without any event, even repeatedly.
    ([("1", ":\n\n"), ("1", nil), ("2", ":\n\n"), ("2", nil), ("3", next + end)], ["1"], 2),
    ([("1", next), ("1", nil), ("2", nil)], ["1", "httpStatus"], 0),
    ([("1", nil), ("2", next + end)], ["1"], 0),
    ([("1", refusal + end), ("2", refusal + end)], ["graphQL"], 1),
    ([("1", next + refusal + next + end)], ["1", "graphQL", "1"], 0),
    // A server may accept each connection, and reject the credentials by its first result.
    ([("1", next), ("1", refusal + end), ("2", next + end)], ["1", "1"], 2),
    ([("1", next), ("1", ":\n\n"), ("1", refusal + end), ("2", next + end)], ["1", "1"], 3),
    ([("1", next), ("1", next + refusal + next + end)], ["1", "1", "graphQL", "1"], 1),
    ([("1", next), ("1", refusal + end), ("2", refusal + end)], ["1", "graphQL"], 2),
  ]

  @Test(
    "A subscription that is rejected when it resumes goes on with new credentials (A1, H6)",
    arguments: expiries)
  func credentials(
    _ connections: [(token: String, body: String?)], _ seen: [String], missed: Int
  ) async throws {
    let answers = Script(
      connections.map { .success($0.body.map { Self.events($0) } ?? HTTPResponse(status: 401)) })
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try authorizedClient(transport)
    let misses = Counter()
    let operation = counter.with { $0.onMissedEvents { _ = misses.next() } }
    #expect(await collect(client.subscribe(operation)) == seen)
    #expect(transport.requests.map { $0.headers["authorization"] } == connections.map(\.token))
    #expect(misses.count == missed)
  }

  @Test(
    "If header fields cannot be loaded, a lost subscription tries again, but a first one ends (H6)",
    arguments: [
      ([1], ["exchange"], 1), ([2], ["1", "1"], 3), ([2, 3], ["1", "1"], 4),
    ] as [([Int], [String], Int)])
  func headers(failing failures: [Int], seen: [String], count: Int) async throws {
    struct Offline: Error {}
    let answers = Script([
      .success(Self.events(Self.next)), .success(Self.events(Self.next + Self.end)),
    ])
    let calls = Counter()
    let client = try client(ScriptedTransport { _ in try answers.next() }) {
      $0.reconnection?.initialDelay = .zero
      $0.headers = { _ in
        if failures.contains(calls.next()) { throw Offline() }
        return [:]
      }
    }
    #expect(await collect(client.subscribe(counter)) == seen)
    #expect(calls.count == count)
  }

  @Test("A subscription may be rejected as often as it was accepted in between (A1, H6)")
  func rejectedAgainAndAgain() async throws {
    let rounds = 5
    let requests = Counter()
    let transport = ScriptedTransport { _ in
      // Each token works for one connection.
      let number = requests.next()
      return number.isMultiple(of: 2)
        ? HTTPResponse(status: 401)
        : Self.events(Self.next + (number == 2 * rounds + 1 ? Self.end : ""))
    }
    let client = try authorizedClient(transport)
    #expect(await collect(client.subscribe(counter)) == Array(repeating: "1", count: rounds + 1))
    let tokens: [String?] = (1...requests.count).map { "\(($0 + 1) / 2)" }
    #expect(transport.requests.map { $0.headers["authorization"] } == tokens)
  }

  @Test("After new credentials, too, a subscription resumes after its last event (A1, H6)")
  func credentialsAndResumption() async throws {
    let answers = Script([
      .success(Self.events("id: 7\n" + Self.next)), .success(HTTPResponse(status: 401)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try authorizedClient(transport)
    #expect(await collect(client.subscribe(counter)) == ["1", "1"])
    #expect(transport.requests.map { $0.headers["authorization"] } == ["1", "1", "2"])
    #expect(transport.requests.map { $0.headers["last-event-id"] } == [nil, "7", "7"])
  }

  @Test("A temporary failure right after new credentials does not end a subscription (A1, H6)")
  func failureAfterRenewal() async throws {
    let answers = Script([
      .success(Self.events(Self.next)), .success(HTTPResponse(status: 401)),
      .failure(HTTPTransportError(.offline, "")), .success(Self.events("", status: 503)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try authorizedClient(transport)
    #expect(await collect(client.subscribe(counter)) == ["1", "1"])
    #expect(transport.requests.map { $0.headers["authorization"] } == ["1", "1", "2", "2", "2"])
  }

  @Test("A failed refresh does not end a subscription that is rejected later (A1, H6)")
  func rejectedAfterFailedRefresh() async throws {
    let lost = Gate()
    let isFirst = Locked(true)
    let stream = AsyncStream<[UInt8]> {
      if isFirst.withLock({ $0 }) {
        isFirst.withLock { $0 = false }
        return Array(Self.next.utf8)
      }
      await lost.pass()
      return nil
    }
    let answers = Script([
      .success(
        HTTPResponse(
          status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(stream))),
      .success(HTTPResponse(status: 401)), .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { request in
      request.text.contains("subscription") ? try answers.next() : HTTPResponse(status: 401)
    }
    let client = try authorizedClient(transport, failedRefreshes: 1)
    var events = client.subscribe(counter).makeAsyncIterator()
    #expect(await events.next()?.data?["counter"]?.int == 1)
    let query = await client.query(GraphQLOperation("{ counter }"))
    #expect(query.error?.code == .authentication)
    lost.open()
    #expect(await events.next()?.data?["counter"]?.int == 1)
    #expect(await events.next() == nil)
    #expect(transport.requests.map { $0.headers["authorization"] } == ["1", "1", "1", "2"])
  }
}
