import Foundation
import Testing
import Weir

extension FetchExchangeTests {
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

  @Test("A text that the server has cut within an emoji does not spoil the response (H2)")
  func halfEmoji() async throws {
    let result = try await answer(#"{"data":{"posts":[{"title":"ab\ud83d"},{"title":"ok"}]}}"#)
    #expect(result.error == nil)
    let titles = result.data?["posts"]?.elements.map { $0["title"]?.string }
    #expect(titles == ["ab\u{FFFD}", "ok"])
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
    "Members of an error that the specification does not define arrive unchanged (H2)",
    arguments: [
      (#""type":"NOT_FOUND""#, ["type": "NOT_FOUND"]), ("", [:]),
      (
        #""data":null,"errorType":"Unauthorized","errorInfo":{"id":[1]}"#,
        ["data": nil, "errorType": "Unauthorized", "errorInfo": ["id": [1]]]
      ), (#""code":1,"code":21"#, ["code": 21]),
    ] as [(String, JSONObject)])
  func otherMembers(text: String, expected: JSONObject) async throws {
    let known = #""message":"No","path":["hello"],"locations":[],"extensions":null"#
    for entry in [text, [known, text].filter { !$0.isEmpty }.joined(separator: ",")] {
      let error = try await answer(#"{"data":{"hello":null},"errors":[{\#(entry)}]}"#).error
      #expect(error?.graphQLErrors.map(\.otherMembers) == [expected])
    }
  }

  @Test("Credentials are renewed after an error that only a member of the server's own tells (A1)")
  func ownMember() async throws {
    let transport = ScriptedTransport { request in
      let isNew = request.headers["authorization"] == "new"
      let rejection = #"{"errors":[{"message":"","errorType":"Unauthorized"}]}"#
      return HTTPResponse(
        status: 200, body: HTTPBody(Array((isNew ? Self.helloText : rejection).utf8)))
    }
    var configuration = FetchConfiguration()
    configuration.transport = transport
    var auth = AuthConfiguration<String>(
      load: { "old" }, attach: { $1.headers["authorization"] = $0 }, refresh: { _ in "new" })
    auth.isRejection = { error, _ in
      error.graphQLErrors.contains { $0.otherMembers["errorType"]?.string == "Unauthorized" }
    }
    let url = try #require(URL(string: "https://example.org/graphql"))
    let client = GraphQLClient([.auth(auth), .fetch(url, configuration)])
    #expect(await client.query(hello).data?["hello"]?.string == "x")
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
        + (code == 302 ? "a redirect that is not followed." : "the status \(code).")
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
    // More is not parsed.
    let unlimited = ScriptedTransport(Self.helloText)
    _ = try await client(unlimited) { $0.maximumResponseBytes = .max }.query(hello)
    #expect(unlimited.requests.first?.responseBodyLimit == (1 << 28) - 1)
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
}
