import Foundation
import Testing
import Weir
import WeirTesting

@Suite("Subscriptions over HTTP", .timeLimit(.minutes(10)))
struct SubscriptionTests {
  /// Answers in order, and then with failures.
  final class Script: Sendable {
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

  let counter = GraphQLOperation("subscription { counter }")
  let clock = ManualClock()

  func client(
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

  static let next = "event: next\ndata: {\"data\":{\"counter\":1}}\n\n"
  static let end = "event: complete\ndata:\n\n"
  static let refusal =
    "data: {\"errors\":[{\"message\":\"\",\"extensions\":{\"code\":\"UNAUTHENTICATED\"}}]}\n\n"

  static func events(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "text/event-stream"],
      body: HTTPBody(Array(text.utf8)))
  }

  /// The counter of each event, or its error's code.
  func collect(_ stream: ResultStream) async -> [String] {
    var found: [String] = []
    for await result in stream {
      found.append(
        result.error?.code.description ?? result.data?["counter"]?.int.map(String.init) ?? "none")
    }
    return found
  }

  @Test("A subscription's request has its own accepted types, timeouts and limits (H6)")
  func request() async throws {
    let json = "application/graphql-response+json, application/json;q=0.9"
    for (types, accept) in [
      // Some servers compare the whole field.
      (StreamedMediaTypes.eventStream, "text/event-stream"),
      (.multipart, "multipart/mixed;subscriptionSpec=1.0, " + json),
      (
        [.eventStream, .multipart],
        "multipart/mixed;subscriptionSpec=1.0, text/event-stream, " + json
      ),
    ] {
      let transport = ScriptedTransport { _ in Self.events(Self.next + Self.end) }
      let client = try client(transport) {
        $0.subscriptionMediaTypes = types
        $0.subscriptionIdleTimeout = .seconds(30)
      }
      #expect(await collect(client.subscribe(counter)) == ["1"])
      let request = try #require(transport.requests.first)
      #expect(transport.requests.count == 1)
      #expect(request.headers["accept"] == accept)
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

  @Test("The duration of a streamed response begins when the request is sent (C11)")
  func duration() async throws {
    let transport = ScriptedTransport { _ in
      try await Task.sleep(for: .milliseconds(20))
      return Self.events(Self.next + Self.end)
    }
    let result = try await client(transport).query(GraphQLOperation("{ counter }"))
    #expect(result.data?["counter"]?.int == 1)
    #expect(try #require(result.timing).duration >= .milliseconds(20))
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
