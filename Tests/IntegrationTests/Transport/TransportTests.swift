import Foundation
import Testing
import Weir

@Suite("Transports", .timeLimit(.minutes(10)))
struct TransportTests {
  func text(_ response: HTTPResponse) async throws -> String {
    String(decoding: try await response.body.collect(), as: UTF8.self)
  }

  // MARK: - Requests and responses

  @Test(
    "POST sends headers and body, and returns status, headers and body", arguments: Sender.allCases)
  func post(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest.query(
      "query Q { header(name: \"x-mine\") method }", to: space.graphQL)
    request.headers["X-Mine"] = "a, b"
    let response = try await transport.send(request)
    #expect(response.status == 200)
    #expect(response.headers["CONTENT-TYPE"] == "application/json")
    #expect(try await text(response) == #"{"data":{"header":"a, b","method":"POST"}}"#)
    #expect(try await space.stats().operations == ["Q": 1])
  }

  @Test(
    "The caller's header fields cannot change the framing of the body", arguments: Sender.allCases)
  func framing(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    for field: HTTPHeaders in [["Content-Length": "5"], ["transfer-encoding": "chunked"]] {
      var request = HTTPRequest.query("{ method }", to: space.graphQL)
      for field in field { request.headers.add(field.name, field.value) }
      let response = try await transport.send(request)
      #expect(try await text(response) == #"{"data":{"method":"POST"}}"#)
    }
    #expect(try await space.stats().chunked == 0)
  }

  @Test("GET sends the query in the URL", arguments: Sender.allCases)
  func get(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let url = space.graphQL.appending(queryItems: [URLQueryItem(name: "query", value: "{ method }")]
    )
    let response = try await transport.send(HTTPRequest(method: .get, url: url))
    #expect(try await text(response) == #"{"data":{"method":"GET"}}"#)
  }

  @Test("A large body arrives complete in both directions", arguments: Sender.allCases)
  func large(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let long = String(repeating: "0123456789", count: 300_000)
    let request = HTTPRequest.query("{ hello(name: \"\(long)\") }", to: space.graphQL)
    #expect(try await text(transport.send(request)) == #"{"data":{"hello":"Hello, \#(long)!"}}"#)
  }

  @Test(
    "An error status is returned as a response", arguments: Sender.allCases, [401, 404, 500, 503])
  func status(sender: Sender, code: Int) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let response = try await transport.send(HTTPRequest(url: space.broken("html-\(code)")))
    #expect(response.status == code)
    #expect(try await text(response) == "<html><h1>No</h1></html>")
  }

  @Test(
    "Early hints are skipped: status and header fields come from the final response (H2)",
    arguments: Sender.allCases,
    [
      ("early-hints", 200, "application/json"), ("early-hints-401", 401, "text/plain"),
      ("early-hints-events", 200, "text/event-stream"),
    ])
  func interim(
    sender: Sender, expected: (kind: String, status: Int, mediaType: String)
  ) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let response = try await transport.send(HTTPRequest(url: space.broken(expected.kind)))
    #expect(response.status == expected.status)
    #expect(response.headers["content-type"] == expected.mediaType)
    #expect(try await response.body.collect().count > 0)
  }

  @Test(
    "A chunk of the body can be read before the server sends the rest", arguments: Sender.allCases)
  func streaming(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest.query("subscription S { todoEvents { kind } }", to: space.graphQL)
    request.headers["accept"] = "text/event-stream"
    let response = try await transport.send(request)
    var received = ""
    let event = #"data: {"data":{"todoEvents":{"kind":"created"}}}"#
    // The server sends no event before this mutation, and the mutation is sent after the head
    // arrived.
    _ = try await space.stats(when: "subscribers", reaches: 1)
    let mutation = HTTPRequest.query(
      "mutation { createTodo(text: \"x\") { id } }", to: space.graphQL)
    _ = try await text(transport.send(mutation))
    for try await chunk in response.body {
      received += String(decoding: chunk, as: UTF8.self)
      // Keep-alive comments (`: ping`) may arrive before the event.
      if received.contains(event) { break }
    }
    #expect(received.contains(event))
    let stats = try await space.stats(when: "closedEarly", reaches: 1)
    #expect(stats.closedEarlyByOperation == ["S": 1])
  }

  @Test("An invalid request is refused before it is sent (H3)", arguments: Sender.allCases)
  func invalidRequests(sender: Sender) async throws {
    let transport = sender.transport()
    for text in ["file:///etc/passwd", "http:///x", "ftp://localhost/", "graphql", "http:x"] {
      let url = try #require(URL(string: text))
      await expectError(.invalidRequest) { _ = try await transport.send(HTTPRequest(url: url)) }
    }
    let space = try await Space()
    for (name, value) in [
      ("x", "a\r\nb: c"), ("x\r\ny", "a"), ("", "a"), ("x y", "a"), ("x", "\0"),
    ] {
      var request = HTTPRequest.query("{ hello }", to: space.graphQL)
      request.headers[name] = value
      await expectError(.invalidRequest) { [request] in _ = try await transport.send(request) }
    }
    #expect(try await space.stats().total == 0)
  }

  // MARK: - Connections

  @Test(
    "Redirects are followed only within the origin, and only with the same request",
    arguments: Sender.allCases)
  func redirects(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    func status(_ kind: String, _ method: HTTPMethod = .post) async throws -> Int {
      try await transport.send(HTTPRequest(method: method, url: space.broken(kind))).status
    }
    for code in [307, 308] {
      #expect(try await status("redirect-same-\(code)") == 200)
      #expect(try await status("redirect-elsewhere-\(code)") == code)
    }
    for code in [301, 302, 303] {
      #expect(try await status("redirect-post-\(code)") == code)
      #expect(try await status("redirect-post-\(code)", .get) == 200)
      #expect(try await status("redirect-elsewhere-\(code)", .get) == code)
    }
    await expectError(.tooManyRedirects) { _ = try await status("redirect-loop") }
    #expect(try await space.stats().operations["redirect-loop"] == 6)
  }

  @Test(
    "An idempotent request is sent again, however often the server has just closed its connection",
    arguments: Sender.allCases)
  func staleConnection(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    for _ in 1...20 {
      let request = HTTPRequest(
        url: space.stale, body: [1, 2, 3], timeout: .seconds(600), isIdempotent: true)
      #expect(try await transport.send(request).body.collect().count == 34)
    }
  }

  @Test("128 concurrent requests each get their own response", arguments: Sender.allCases)
  func concurrent(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<128 {
        group.addTask { [transport] in
          let query = "query C { slow(ms: 20) hello(name: \"\(number)\") }"
          let answer = try await text(transport.send(.query(query, to: space.graphQL)))
          return answer.hasSuffix("\"Hello, \(number)!\"}}")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: true, count: 128))
    #expect(try await space.stats().operations == ["C": 128])
  }

  @Test(
    "A transport that is released finishes the requests that it has started",
    arguments: Sender.allCases)
  func transportGoesAway(sender: Sender) async throws {
    let space = try await Space()
    for _ in 0..<20 {
      let response = try await sender.transport().send(.query("{ hello }", to: space.graphQL))
      #expect(try await text(response) == #"{"data":{"hello":"Hello, world!"}}"#)
    }
  }
}

extension HTTPRequest {
  static func query(_ text: String, to url: URL) -> HTTPRequest {
    let body = (try? JSONEncoder().encode(["query": text])) ?? Data()
    return HTTPRequest(
      url: url, headers: ["content-type": "application/json"], body: [UInt8](body),
      timeout: .seconds(600), isIdempotent: true)
  }
}
