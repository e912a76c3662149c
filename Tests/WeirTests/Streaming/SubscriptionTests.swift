import Foundation
import Testing
import WeirTesting

@testable import Weir

@Suite("Subscriptions over HTTP")
struct SubscriptionTests {
  private let counter = GraphQLOperation("subscription { counter }")
  private let clock = ManualClock()

  private func client(
    _ transport: ScriptedTransport, cached: Bool = false,
    _ configure: (inout FetchConfiguration) -> Void = { _ in }
  ) throws -> GraphQLClient {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.reconnection = Reconnection(clock: clock, random: { 0.5 })
    configure(&configuration)
    let url = try #require(URL(string: "https://example.org/graphql"))
    let fetch = FetchExchange(url, configuration: configuration)
    return GraphQLClient(cached ? [.dedup, .documentCache, fetch] : [fetch])
  }

  /// A client that reconnects without delay and uses the tokens 1, 2 and so on.
  private func authorizedClient(_ transport: ScriptedTransport) throws -> GraphQLClient {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.reconnection = Reconnection(clock: clock, random: { 0 })
    configuration.reconnection?.initialDelay = .zero
    let refreshes = Counter()
    let auth = AuthConfiguration(
      load: { "1" }, attach: { $1.headers["authorization"] = $0 },
      refresh: { _ in String(refreshes.next() + 1) })
    let url = try #require(URL(string: "https://example.org/graphql"))
    return GraphQLClient([.auth(auth), .fetch(url, configuration)])
  }

  private static let next = "event: next\ndata: {\"data\":{\"counter\":1}}\n\n"
  private static let end = "event: complete\ndata:\n\n"
  private static let refusal =
    "data: {\"errors\":[{\"message\":\"\",\"extensions\":{\"code\":\"UNAUTHENTICATED\"}}]}\n\n"

  private static func events(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "text/event-stream"],
      body: HTTPBody(Array(text.utf8)))
  }

  /// Expects one connection after each of these delays in milliseconds, and not earlier.
  private func connectAgain(_ transport: ScriptedTransport, after delays: [Int]) async {
    for (count, delay) in delays.enumerated() {
      await clock.sleepers(1)
      clock.advance(by: .milliseconds(delay - 1))
      #expect(clock.sleeperCount == 1)
      #expect(transport.requests.count == count + 1)
      clock.advance(by: .milliseconds(1))
      await transport.received(count + 2)
    }
  }

  /// The counter of each event, or its error's code.
  private func collect(_ stream: ResultStream) async -> [String] {
    var found: [String] = []
    for await result in stream {
      found.append(
        result.error?.code.description ?? result.data?["counter"]?.int.map(String.init) ?? "none")
    }
    return found
  }

  @Test("A subscription's request has its own accepted types, timeouts and limits (H6)")
  func request() async throws {
    for (types, accept) in [
      (StreamedMediaTypes.eventStream, "text/event-stream, "),
      (.multipart, "multipart/mixed;subscriptionSpec=1.0, "),
      ([.eventStream, .multipart], "multipart/mixed;subscriptionSpec=1.0, text/event-stream, "),
    ] {
      let transport = ScriptedTransport { _ in Self.events(Self.next + Self.end) }
      let client = try client(transport) {
        $0.subscriptionMediaTypes = types
        $0.subscriptionIdleTimeout = .seconds(30)
      }
      #expect(await collect(client.subscribe(counter)) == ["1"])
      let request = try #require(transport.requests.first)
      #expect(transport.requests.count == 1)
      #expect(
        request.headers["accept"]
          == accept + "application/graphql-response+json, application/json;q=0.9")
      #expect(request.timeout == nil)
      #expect(request.idleTimeout == .seconds(30))
      #expect(request.responseBodyLimit == nil)
    }
  }

  @Test(
    "Only operations with incremental delivery accept it (H4)",
    arguments: [
      ("{ a ... @defer { b } }", true),
      ("{ a { ...F @defer(if: true) } } fragment F on A { b }", true),
      ("{ a { ...F } } fragment F on A { l @stream(initialCount: 1) }", true),
      ("{ a(text: \"@defer @stream\") { b @include(if: true) } }", false),
      ("mutation { a { ... on A @defer { b } } }", true),
    ])
  func accept(document: String, isWide: Bool) async throws {
    let transport = ScriptedTransport(#"{"data":{"a":1}}"#)
    let operation = GraphQLOperation(GraphQLDocument(document))
    for types in [StreamedMediaTypes.multipart, []] {
      let client = try client(transport) { $0.incrementalMediaTypes = types }
      _ =
        operation.kind == .query
        ? await client.query(operation) : await client.mutate(operation)
    }
    let accepts = transport.requests.map { $0.headers["accept"]?.hasPrefix("multipart/mixed;") }
    #expect(accepts == [isWide, false])
  }

  @Test("A plain JSON response to a subscription is its only result (H6)")
  func plainJSON() async throws {
    let errors = ScriptedTransport(#"{"errors":[{"message":"no"}]}"#, status: 400)
    let refused = try client(errors).subscribe(counter)
    #expect(await collect(refused) == ["graphQL"])
    #expect(
      await collect(try client(ScriptedTransport(#"{"data":{"counter":7}}"#)).subscribe(counter))
        == ["7"])
    let html = ScriptedTransport("<html>", status: 404, headers: ["content-type": "text/html"])
    #expect(await collect(try client(html).subscribe(counter)) == ["httpStatus"])
    #expect(errors.requests.count == 1)
    #expect(html.requests.count == 1)
  }

  @Test("If the first connection attempt fails, its error is the result (H6)")
  func firstAttempt() async throws {
    let transport = ScriptedTransport { _ in throw HTTPTransportError(.cannotConnect, "") }
    #expect(await collect(try client(transport).subscribe(counter)) == ["transport"])
    #expect(transport.requests.count == 1)
  }

  @Test("A lost subscription resumes with growing delays and the last event's id (H6)")
  func reconnect() async throws {
    let answers = Script([
      .success(Self.events("id: 7\nretry: 900\n" + Self.next)),
      .failure(HTTPTransportError(.offline, "")), .success(Self.events("", status: 503)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    // Half of 0.5, 1 and 2 seconds; the server asks for at least 0.9.
    await connectAgain(transport, after: [900, 900, 1000])
    #expect(await results.value == ["1", "1"])
    #expect(transport.requests.map { $0.headers["last-event-id"] } == [nil, "7", "7", "7"])
  }

  @Test("A lost subscription waits for the server's Retry-After before it resumes (H6)")
  func retryAfter() async throws {
    let later: HTTPHeaders = ["retry-after": "40"]
    let answers = Script([
      .success(Self.events(Self.next)), .success(HTTPResponse(status: 503, headers: later)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    await connectAgain(transport, after: [250, 40_500])
    #expect(await results.value == ["1", "1"])
  }

  @Test("A lost subscription ends if the server's Retry-After is too long (H6)")
  func retryAfterTooLong() async throws {
    let later: HTTPHeaders = ["retry-after": "40"]
    let answers = Script([
      .success(Self.events(Self.next)), .success(HTTPResponse(status: 429, headers: later)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) {
      $0.reconnection?.initialDelay = .zero
      $0.reconnection?.maximumRetryAfter = .seconds(39)
    }
    #expect(await collect(client.subscribe(counter)) == ["1", "httpStatus"])
    #expect(transport.requests.count == 2)
  }

  @Test("An id that no header can carry is not sent back when a subscription resumes (H6)")
  func unusableID() async throws {
    let answers = Script([
      .success(Self.events("id: 7\u{1}\n" + Self.next)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1", "1"])
    #expect(transport.requests.map { $0.headers["last-event-id"] } == [nil, nil])
  }

  @Test("A lost subscription ends if the event stream's retry time is too long (H6)")
  func retryTooLong() async throws {
    let answers = Script([
      .success(Self.events("retry: 9223372036854775807\n" + Self.next)),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1", "transport"])
    #expect(transport.requests.count == 1)
  }

  @Test(
    "Status 204 ends a lost subscription, but is an error for one that never ran (H6)",
    arguments: [[:], ["content-type": "text/event-stream"]] as [HTTPHeaders])
  func noContent(headers: HTTPHeaders) async throws {
    let answers = Script([
      .success(Self.events(Self.next)), .success(HTTPResponse(status: 204, headers: headers)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.initialDelay = .zero }
    #expect(await collect(client.subscribe(counter)) == ["1"])
    #expect(transport.requests.count == 2)
    let empty = ScriptedTransport("", status: 204, headers: headers)
    #expect(await collect(try self.client(empty).subscribe(counter)) == ["malformedResponse"])
  }

  @Test("A custom transport sees the session of each subscription (C10)")
  func sessions() async throws {
    let transport = SessionTransport()
    let client = GraphQLClient([.subscription(transport)])
    let first = client.session
    for await _ in client.subscribe(counter) {}
    client.switchSession()
    for await _ in client.subscribe(counter) {}
    #expect(transport.sessions == [first, client.session])
    #expect(first < client.session)
  }

  @Test("The last event id and retry time hold until a later stream changes them (H6)")
  func resumption() async throws {
    let answers = Script([
      .success(Self.events("id: 7\nretry: 900\n" + Self.next)), .success(Self.events(":\n\n")),
      .success(Self.events("id\n" + Self.next)), .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    // The third delay is half of 2 seconds: an event does not shorten it.
    await connectAgain(transport, after: [900, 900, 1000])
    #expect(await results.value == ["1", "1", "1"])
    #expect(transport.requests.map { $0.headers["last-event-id"] } == [nil, "7", "7", nil])
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

  @Test("A subscription that cannot resume ends with the error (H6)")
  func givesUp() async throws {
    let answers = Script([.success(Self.events(Self.next))])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport) { $0.reconnection?.maximumAttempts = 2 }
    let results = Task { await collect(client.subscribe(counter)) }
    for attempt in 1...2 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(60))
      await transport.received(attempt + 1)
    }
    #expect(await results.value == ["1", "transport"])
    #expect(transport.requests.count == 3)
  }

  @Test(
    "After 30 connected seconds a loss counts as the first one, even without an event (H6)",
    arguments: [(29_999, 500), (30_000, 250)])
  func stable(connected: Int, delay: Int) async throws {
    let asked = Gate()
    let lost = Gate()
    let answers = Script([
      .success(Self.events(Self.next)),
      .success(
        HTTPResponse(
          status: 200, headers: ["content-type": "text/event-stream"],
          body: HTTPBody(
            AsyncStream<[UInt8]> {
              asked.open()
              await lost.pass()
              return nil
            }))),
      .success(Self.events(Self.next + Self.end)),
    ])
    let transport = ScriptedTransport { _ in try answers.next() }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(250))
    await asked.pass()
    clock.advance(by: .milliseconds(connected))
    lost.open()
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(delay - 1))
    #expect(clock.sleeperCount == 1 && transport.requests.count == 2)
    clock.advance(by: .milliseconds(1))
    #expect(clock.sleeperCount == 0)
    clock.advance(by: .seconds(60))
    #expect(await results.value == ["1", "1"])
  }

  @Test("Without reconnection a loss is the last result, and an invalid event always is (H6)")
  func noReconnection() async throws {
    let lost = ScriptedTransport { _ in Self.events(Self.next) }
    #expect(
      await collect(try client(lost) { $0.reconnection = nil }.subscribe(counter))
        == ["1", "transport"])
    let bad = ScriptedTransport { _ in Self.events(Self.next + "event: next\ndata: 7\n\n") }
    #expect(await collect(try client(bad).subscribe(counter)) == ["1", "malformedResponse"])
    #expect(bad.requests.count == 1)
  }

  @Test("When a lost subscription resumes, watches are refetched (H6)")
  func refresh() async throws {
    let connections = Counter()
    let queries = Counter()
    let gate = Gate()
    let transport = ScriptedTransport { request in
      if request.text.contains("subscription") {
        return connections.next() == 1
          ? Self.events(Self.next)
          : HTTPResponse(
            status: 200, headers: ["content-type": "text/event-stream"],
            body: HTTPBody(AsyncStream<[UInt8]> { _ in }))
      }
      let number = queries.next()
      if number == 2 { await gate.pass() }
      let body = #"{"data":{"post":{"id":"1","title":"\#(number)","__typename":"Post"}}}"#
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/json"], body: HTTPBody(Array(body.utf8))
      )
    }
    let client = try client(transport, cached: true)
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["1"])
    let subscription = Watcher(client.subscribe(counter))
    #expect(await subscription.next(1) == ["data more"])
    await clock.sleepers(1)
    #expect(queries.count == 1)
    clock.advance(by: .seconds(1))
    #expect(await watcher.next(1) == ["1 stale"])
    gate.open()
    #expect(await watcher.next(1) == ["2"])
    #expect(queries.count == 2)
    subscription.cancel()
  }

  @Test("Leaving a subscription that waits to reconnect ends it (H9)")
  func leave() async throws {
    let transport = ScriptedTransport { _ in Self.events(Self.next) }
    let client = try client(transport)
    let results = Task { await collect(client.subscribe(counter)) }
    await clock.sleepers(1)
    results.cancel()
    #expect(await results.value.prefix(1) == ["1"])
    #expect(transport.requests.count == 1)
  }

  @Test("A deferred query that is cancelled or truncated stores nothing (C7)")
  func cancelledDefer() async throws {
    let first =
      "---\r\n\r\n"
      + #"{"data":{"post":{"id":"1","title":"1","__typename":"Post"}},"hasNext":true}"# + "\r\n---"
    var storing = DocumentCacheConfiguration()
    storing.storesPartialResults = true
    let isCut = Locked(false)
    let transport = ScriptedTransport { _ in
      let chunks = AsyncStream<[UInt8]> { continuation in
        continuation.yield(Array(first.utf8))
        if isCut.withLock({ $0 }) { continuation.finish() }
      }
      return HTTPResponse(
        status: 200, headers: ["content-type": "multipart/mixed; boundary=\"-\""],
        body: HTTPBody(chunks))
    }
    var configuration = FetchConfiguration()
    configuration.transport = transport
    let url = try #require(URL(string: "https://example.org/graphql"))
    let client = GraphQLClient([.dedup, .documentCache(storing), .fetch(url, configuration)])
    for await result in client.results(of: postQuery()) {
      #expect(result.summary == "1 more")
      break
    }
    #expect(client.peek(postQuery()) == nil)
    isCut.withLock { $0 = true }
    #expect(await client.results(of: postQuery()).all() == ["1 more", "1 error"])
    #expect(client.peek(postQuery()) == nil)
    #expect(await client.query(postQuery()).error?.code == .transport)
    #expect(transport.requests.count == 3)
  }
}

/// Records the sessions of its subscriptions, and completes each immediately.
private final class SessionTransport: SubscriptionTransport {
  private let seen = Locked<[Session]>([])

  var sessions: [Session] { seen.withLock { $0 } }

  func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
    seen.withLock { $0.append(operation.context.session) }
    return SubscriptionEvents { nil }
  }
}

/// Answers in order, and then with failures.
private final class Script: Sendable {
  private let answers: Locked<[Result<HTTPResponse, HTTPTransportError>]>

  init(_ answers: [Result<HTTPResponse, HTTPTransportError>]) {
    self.answers = Locked(answers)
  }

  func next() throws -> HTTPResponse {
    let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let answer else { throw HTTPTransportError(.connectionLost, "") }
    return try answer.get()
  }
}
