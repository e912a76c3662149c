import Foundation
import Testing
import Weir

@Suite("Fetch exchange")
struct FetchExchangeTests {
  private static let helloText = #"{"data":{"hello":"x"}}"#
  private let hello = GraphQLOperation("{ hello }")

  private func client(
    _ transport: ScriptedTransport, at url: String = "https://example.org/graphql",
    _ configure: (inout FetchConfiguration) -> Void = { _ in }
  ) throws -> GraphQLClient {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configure(&configuration)
    return GraphQLClient([.fetch(try #require(URL(string: url)), configuration)])
  }

  private func answer(
    _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) async throws -> OperationResult {
    let transport = ScriptedTransport(body, status: status, headers: headers)
    return try await client(transport).query(hello)
  }

  private func outcome(_ thrown: any Error) async throws -> OperationError? {
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
    #expect(request.headers.map(\.name) == ["accept"])
    #expect(
      request.url.absoluteString == "https://example.org/graphql?key=a%20b"
        + "&query=query%20H%28%24n%3A%20String%29%20%7B%0A%20%20hello%28name%3A%20%24n%29%0A%7D"
        + "&operationName=H&variables=%7B%22n%22%3A%22a%2Bb%26c%3D%C3%A9%20%23%F0%9F%98%80%22%7D")
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

  // MARK: Responses (H2)

  @Test("A GraphQL body is a result, whatever the status and media type are (H2)")
  func anyStatus() async throws {
    for status in [200, 201, 302, 400, 401, 404, 422, 500, 503, 999] {
      for mediaType in ["application/json", "application/graphql-response+json", "text/html", ""] {
        let result = try await answer(
          Self.helloText, status: status, headers: ["content-type": mediaType])
        #expect(result.error == nil, "\(status) \(mediaType)")
        #expect(result.data?["hello"]?.string == "x", "\(status) \(mediaType)")
      }
    }
  }

  @Test(
    "No error is reported if the server reports none (H2)",
    arguments: [
      #"{"errors":[],"data":{"hello":"x"}}"#, #"{"errors":null,"data":{"hello":"x"}}"#,
      #"{"data":{"hello":"x"},"extensions":null}"#, "\u{FEFF}" + #"{"data":{"hello":"x"}}"#,
    ])
  func noErrors(body: String) async throws {
    let result = try await answer(body)
    #expect(result.error == nil)
    #expect(result.extensions == nil)
    #expect(result.data?["hello"]?.string == "x")
  }

  @Test("Errors arrive with path, locations and extensions, beside the data (H2)")
  func partial() async throws {
    let result = try await answer(
      """
      {"data":{"hello":null},"errors":[{"message":"No","path":["hello",0,"x"],"locations":
      [{"line":1,"column":3}],"extensions":{"code":"REFUSED"}}],"extensions":{"cost":3}}
      """)
    #expect(result.data?["hello"]?.isNull == true)
    #expect(result.extensions?["cost"]?.int == 3)
    #expect(
      result.error
        == OperationError(graphQLErrors: [
          GraphQLError(
            message: "No", path: [.key("hello"), .index(0), .key("x")],
            locations: [.init(line: 1, column: 3)], extensions: ["code": "REFUSED"])
        ]))
  }

  @Test(
    "An invalid error entry is still an error (H2)",
    arguments: [
      "{}", "null", "\"No\"", "1", "[]", #"{"message":7}"#, #"{"message":"x","path":{"a":1}}"#,
      #"{"message":"x","path":[{},1.5,"a"],"locations":[7,{"line":"1"}],"extensions":[]}"#,
    ])
  func oddErrors(entry: String) async throws {
    let error = try await answer(#"{"data":null,"errors":[\#(entry)]}"#).error
    #expect(error?.code == .graphQL)
    #expect(error?.graphQLErrors.count == 1)
    #expect(error?.graphQLErrors.first?.message.isEmpty == false)
    // Absent extensions are nil, not a JSON null.
    #expect(error?.graphQLErrors.first?.extensions.map(\.isNull) != true)
  }

  @Test("Errors with an error status carry the status and the header fields (H2)")
  func errorsWithStatus() async throws {
    let error = try await answer(
      #"{"errors":[{"message":"No"}]}"#, status: 429, headers: ["retry-after": "3"]
    ).error
    #expect(error?.code == .graphQL)
    #expect(error?.httpStatus == 429)
    #expect((error?.underlying as? HTTPStatusError)?.headers["Retry-After"] == "3")
  }

  @Test(
    "A success without a GraphQL response is malformed, and its error shows how it begins (H2)",
    arguments: [
      "", " ", "[]", "1", "null", "{}", #"{"message":"ok"}"#, #"{"data":[]}"#, #"{"data":1}"#,
      #"{"data":null}"#, #"{"errors":{}}"#, #"{"errors":"No"}"#, #"{"errors":[]}"#,
      #"{"data":{"a":1},"errors":{}}"#, #"{"data":{"hello":"x""#, #"{"data":{}}x"#, "<html>Hi",
      #"[{"data":{}}]"#, "data: {}\n\n",
    ])
  func malformed(body: String) async throws {
    let result = try await answer(body, headers: ["content-type": "x/y"])
    #expect(result.data == nil)
    #expect(result.error?.code == .malformedResponse)
    #expect(result.error?.httpStatus == 200)
    #expect(result.error?.mediaType == "x/y")
    #expect(result.error?.bodyPrefix == body)
  }

  @Test(
    "An error status without a GraphQL body is a status error (H2)", arguments: [302, 401, 502])
  func status(code: Int) async throws {
    let long = "<html>" + String(repeating: "x", count: 1_000)
    let result = try await answer(
      long, status: code, headers: ["Content-Type": "text/html", "Retry-After": "9"])
    let error = try #require(result.error)
    #expect(error.code == .httpStatus)
    #expect(error.httpStatus == code)
    #expect(error.mediaType == "text/html")
    #expect(error.bodyPrefix == String(long.prefix(512)))
    #expect((error.underlying as? HTTPStatusError)?.headers["retry-after"] == "9")
    #expect(
      "\(error)" == "httpStatus: The server answered with "
        + (code == 302 ? "a redirect that is not followed." : "an error status.")
        + " (status \(code), text/html)")
  }

  @Test("The data is a value in the single document of the response")
  func oneDocument() async throws {
    let body = #"{"data":{"hello":"x"},"extensions":{"y":1}}"#
    let result = try await answer(body)
    #expect(result.data?.document.bytes == Array(body.utf8))
    #expect(result.data?.document === result.extensions?.document)
    #expect(result.timing != nil)
  }

  // MARK: Failures (H3)

  @Test("Any error that a transport throws becomes a transport error (H3)")
  func transportErrors() async throws {
    struct Broken: Error {}
    let timedOut = try await outcome(HTTPTransportError(.timedOut, "Too long."))
    #expect(timedOut?.code == .transport)
    #expect((timedOut?.underlying as? HTTPTransportError)?.code == .timedOut)
    let other = try await outcome(Broken())
    #expect(other?.code == .transport)
    #expect((other?.underlying as? HTTPTransportError)?.underlying is Broken)
    #expect(try await outcome(HTTPTransportError(.cancelled, "")) == .cancelled)
    #expect(try await outcome(CancellationError()) == .cancelled)
  }

  @Test("A body that breaks off or is too large is a transport error with the status (H3)")
  func bodyErrors() async throws {
    let breaking = ScriptedTransport { _ in
      let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
        continuation.yield(Array(#"{"data":{"hello":"x"}}"#.utf8))
        continuation.finish(throwing: HTTPTransportError(.connectionLost, "Lost."))
      }
      return HTTPResponse(status: 200, body: HTTPBody(chunks))
    }
    let lost = try await client(breaking).query(hello)
    #expect(lost.data == nil)
    #expect(lost.error?.httpStatus == 200)
    #expect((lost.error?.underlying as? HTTPTransportError)?.code == .connectionLost)
    let large = ScriptedTransport(Self.helloText)
    let result = try await client(large) { $0.maximumResponseBytes = 21 }.query(hello)
    #expect((result.error?.underlying as? HTTPTransportError)?.code == .tooLarge)
    #expect(large.requests.first?.responseBodyLimit == 21)
  }

  @Test("An error that the header closure throws becomes the result, and nothing is sent")
  func headerError() async throws {
    struct NoToken: Error { var expired = "topsecret" }
    let transport = ScriptedTransport(Self.helloText)
    let client = try client(transport) { $0.headers = { _ in throw NoToken() } }
    let error = await client.query(hello).error
    #expect(error?.code == .exchange)
    #expect(error?.underlying is NoToken)
    // The description may be logged, so it must not contain the secret.
    #expect(error.map { "\($0)" } == "exchange: An exchange failed: NoToken.")
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
