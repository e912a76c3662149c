import Foundation
import Testing
import Weir

@Suite("Fetch exchange", .timeLimit(.minutes(10)))
struct FetchExchangeTests {
  static let helloText = #"{"data":{"hello":"x"}}"#
  let hello = GraphQLOperation("{ hello }")

  func client(
    _ transport: ScriptedTransport, at url: String = "https://example.org/graphql",
    _ configure: (inout FetchConfiguration) -> Void = { _ in }
  ) throws -> GraphQLClient {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configure(&configuration)
    return GraphQLClient([.fetch(try #require(URL(string: url)), configuration)])
  }

  func answer(
    _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) async throws -> OperationResult {
    let transport = ScriptedTransport(body, status: status, headers: headers)
    return try await client(transport).query(hello)
  }

  func outcome(_ thrown: any Error) async throws -> OperationError? {
    let transport = ScriptedTransport { _ in throw thrown }
    return try await client(transport).query(hello).error
  }

  // MARK: Requests (H1)

  @Test("A query is a POST with text, name and variables, and accepts a GraphQL response (H1)")
  func post() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let operation = GraphQLOperation(
      "query Hello($name: String) { hello(name: $name) author { id } }",
      variables: ["name": "a \"b\"\n\u{1}é"])
    #expect(try await client(transport).query(operation).data?["hello"]?.string == "x")
    let request = try #require(transport.requests.first)
    #expect(transport.requests.count == 1)
    #expect(request.method == .post)
    #expect(request.url.absoluteString == "https://example.org/graphql")
    #expect(
      request.headers == [
        "accept": "application/graphql-response+json, application/json;q=0.9",
        "content-type": "application/json",
      ])
    let body = try JSON(parsing: request.body)
    #expect(body.count == 3)
    #expect(body["query"]?.string == operation.text)
    #expect(body["operationName"]?.string == "Hello")
    #expect(body["variables"]?.value == ["name": "a \"b\"\n\u{1}é"])
    #expect(request.isIdempotent)
  }

  @Test(
    "A request may be retried if its operation says so, or by default for its kind (H1)",
    arguments: [
      ("query { a }", nil, true), ("query { a }", false, false), ("mutation { a }", nil, false),
      ("mutation { a }", true, true), ("subscription { a }", nil, true),
      ("subscription { a }", false, false),
    ] as [(String, Bool?, Bool)])
  func idempotence(document: String, declared: Bool?, expected: Bool) async throws {
    let transport = ScriptedTransport(#"{"data":{"a":1}}"#)
    let operation = GraphQLOperation(GraphQLDocument(document)).with { $0.isIdempotent = declared }
    _ = try await client(transport).query(operation)
    #expect(transport.requests.map(\.isIdempotent) == [expected])
  }

  @Test("The body omits absent parts (H1)")
  func absent() async throws {
    let transport = ScriptedTransport(Self.helloText)
    _ = try await client(transport).query(hello)
    #expect(transport.requests.first?.text == #"{"query":"{\n  hello\n}"}"#)
  }

  @Test("A GET escapes everything and keeps the endpoint's own query items (H1)")
  func get() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let client = try client(transport, at: "https://example.org/graphql?key=a%20b#top") {
      $0.prefersGET = true
    }
    _ = await client.query(
      GraphQLOperation(
        "query H($n: String) { hello(name: $n) }", variables: ["n": "a+b&c=é #\u{1F600}"]))
    let request = try #require(transport.requests.first)
    #expect(request.method == .get)
    #expect(request.body.isEmpty)
    #expect(request.headers.map(\.name) == ["accept", "apollo-require-preflight"])
    #expect(
      request.url.absoluteString == "https://example.org/graphql?key=a%20b"
        + "&query=query%20H%28%24n%3A%20String%29%20%7B%0A%20%20hello%28name%3A%20%24n%29%0A%7D"
        + "&operationName=H&variables=%7B%22n%22%3A%22a%2Bb%26c%3D%C3%A9%20%23%F0%9F%98%80%22%7D")
  }

  @Test("GETs and forms have the fields that servers require, unless others replace them (H1, H7)")
  func preflight() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let client = try client(transport)
    let file = Upload(bytes: [1], filename: "x")
    let form = GraphQLOperation(
      "query ($f: F) { a(f: $f) }", variables: ["f": nil], uploads: ["f": file])
    for operation in [
      hello, hello.with { $0.prefersGET = true }, form,
      form.with { $0.headers = ["Apollo-Require-Preflight": "yes", "GraphQL-Preflight": "2"] },
    ] {
      _ = await client.query(operation)
    }
    let names = ["apollo-require-preflight", "graphql-preflight"]
    #expect(
      transport.requests.map { request in names.map { request.headers[$0] } }
        == [[nil, nil], ["true", nil], ["true", "1"], ["yes", "2"]])
  }

  @Test("A GET whose URL is one byte too long is sent as a POST (H1)")
  func limit() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let length = "https://example.org/graphql?query=%7B%0A%20%20hello%0A%7D".utf8.count
    for limit in [length, length - 1] {
      let client = try client(transport) {
        $0.prefersGET = true
        $0.maximumURLLength = limit
      }
      _ = await client.query(hello)
    }
    #expect(transport.requests.map(\.method) == [.get, .post])
  }

  @Test("An execution can choose the method, but a mutation is never a GET (H1)")
  func method() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let client = try client(transport)
    _ = await client.query(hello.with { $0.prefersGET = true })
    _ = await client.query(hello.with { $0.prefersGET = false })
    _ = await client.mutate(
      GraphQLOperation("mutation { hello }").with { $0.prefersGET = true })
    #expect(transport.requests.map(\.method) == [.get, .post, .post])
    #expect(transport.requests.map(\.isIdempotent) == [true, true, false])
  }

  @Test("An execution's time limit replaces that of the exchange, but limits no subscription (H1)")
  func requestTimeout() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let client = try client(transport) { $0.timeout = .seconds(9) }
    let report = hello.with { $0.requestTimeout = .seconds(180) }
    _ = await client.query(hello)
    _ = await client.query(report)
    _ = await client.query(report.with { $0.prefersGET = true })
    _ = await client.query(
      GraphQLOperation("{ ... @defer { hello } }", context: report.context))
    _ = await client.mutate(
      GraphQLOperation("mutation { hello }").with { $0.requestTimeout = .seconds(1) })
    _ = await client.subscribe(
      GraphQLOperation("subscription { hello }", context: report.context)
    ).all()
    #expect(
      transport.requests.map(\.timeout) == [
        .seconds(9), .seconds(180), .seconds(180), .seconds(180), .seconds(1), nil,
      ])
    #expect(transport.requests.allSatisfy { $0.idleTimeout == nil })
    #expect(transport.requests.map(\.isLongLived) == [Bool](repeating: false, count: 5) + [true])
  }

  @Test("An execution's header fields replace the closure's, which replace the exchange's (H1)")
  func headers() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let client = try client(transport) {
      $0.headers = { operation in
        ["Accept": "application/json", "X-Name": operation.name ?? "", "X-More": "1"]
      }
    }
    _ = await client.query(
      GraphQLOperation("query Q { hello }").with { $0.headers = ["x-more": "2"] })
    #expect(
      transport.requests.first?.headers == [
        "content-type": "application/json", "accept": "application/json", "x-name": "Q",
        "x-more": "2",
      ])
  }

  @Test("An operation can name another endpoint (H1)")
  func endpoint() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let other = try #require(URL(string: "https://other.example/x"))
    _ = try await client(transport).query(
      GraphQLOperation("{ hello }").with { $0.endpoint = other })
    #expect(transport.requests.map(\.url) == [other])
  }

  @Test("A subscription passes through an exchange that is configured without streaming types")
  func subscription() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let events = try client(transport) { $0.subscriptionMediaTypes = [] }
      .subscribe(GraphQLOperation("subscription { hello }"))
    #expect(await events.reduce(into: []) { $0.append($1.error?.code) } == [.unhandled])
    #expect(transport.requests.isEmpty)
  }

  @Test("Each iteration sends one request, and peeking sends none")
  func cold() async throws {
    let transport = ScriptedTransport(Self.helloText)
    let client = try client(transport)
    let stream = client.results(of: hello)
    #expect(client.peek(hello) == nil)
    #expect(transport.requests.isEmpty)
    for count in 1...2 {
      #expect(await stream.reduce(0) { count, _ in count + 1 } == 1)
      #expect(transport.requests.count == count)
    }
  }
}
