import Foundation
import Testing
import Weir

@Suite("URLSessionTransport")
struct URLSessionTransportTests {
  let transport = URLSessionTransport()

  @Test("POST sends headers and body, and answers with status, headers and body")
  func post() async throws {
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

  @Test("Where the body ends is not for the caller's header fields to say")
  func framing() async throws {
    let space = try await Space()
    for field: HTTPHeaders in [["Content-Length": "5"], ["transfer-encoding": "chunked"]] {
      var request = HTTPRequest.query("{ method }", to: space.graphQL)
      for field in field { request.headers.add(field.name, field.value) }
      let response = try await transport.send(request)
      #expect(try await text(response) == #"{"data":{"method":"POST"}}"#)
    }
    #expect(try await space.stats().chunked == 0)
  }

  @Test("GET carries the query in the URL")
  func get() async throws {
    let space = try await Space()
    let url = space.graphQL.appending(queryItems: [URLQueryItem(name: "query", value: "{ method }")]
    )
    let response = try await transport.send(HTTPRequest(method: .get, url: url))
    #expect(try await text(response) == #"{"data":{"method":"GET"}}"#)
  }

  @Test("A large body arrives whole, both ways")
  func large() async throws {
    let space = try await Space()
    let long = String(repeating: "0123456789", count: 300_000)
    let request = HTTPRequest.query("{ hello(name: \"\(long)\") }", to: space.graphQL)
    #expect(try await text(transport.send(request)) == #"{"data":{"hello":"Hello, \#(long)!"}}"#)
  }

  @Test("An error status is a response", arguments: [401, 404, 500, 503])
  func status(code: Int) async throws {
    let space = try await Space()
    let response = try await transport.send(HTTPRequest(url: space.broken("html-\(code)")))
    #expect(response.status == code)
    #expect(try await text(response) == "<html><h1>No</h1></html>")
  }

  @Test("A body streams: what has come is there before the rest is sent")
  func streaming() async throws {
    let space = try await Space()
    var request = HTTPRequest.query("subscription S { todoEvents { kind } }", to: space.graphQL)
    request.headers["accept"] = "text/event-stream"
    let response = try await transport.send(request)
    var received = ""
    let event = #"data: {"data":{"todoEvents":{"kind":"created"}}}"#
    // The server sends no event before this mutation, and this mutation is sent after the head.
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

  @Test("H9 Cancelling the task that waits for the head closes the connection")
  func cancelBeforeHead() async throws {
    let space = try await Space()
    let request = HTTPRequest.query("query Slow { slow(ms: 60000) }", to: space.graphQL)
    let task = Task { [transport] in try await transport.send(request).status }
    _ = try await space.stats(when: "inFlight", reaches: 1)
    task.cancel()
    await expectError(.cancelled) { _ = try await task.value }
    #expect(try await space.stats(when: "closedEarly", reaches: 1).total == 1)
  }

  @Test("H9 Cancelling the task that reads the body closes the connection")
  func cancelInBody() async throws {
    let space = try await Space()
    var request = HTTPRequest.query("subscription S { todoEvents { kind } }", to: space.graphQL)
    request.headers["accept"] = "text/event-stream"
    let response = try await transport.send(request)
    let task = Task { try await response.body.collect().count }
    _ = try await space.stats(when: "subscribers", reaches: 1)
    task.cancel()
    await expectError(.cancelled) { _ = try await task.value }
    #expect(try await space.stats(when: "closedEarly", reaches: 1).closedEarly == 1)
  }

  @Test("H9 Dropping a body unread closes the connection")
  func dropBody() async throws {
    let space = try await Space()
    var request = HTTPRequest.query("subscription S { todoEvents { kind } }", to: space.graphQL)
    request.headers["accept"] = "text/event-stream"
    #expect(try await transport.send(request).status == 200)
    #expect(try await space.stats(when: "closedEarly", reaches: 1).closedEarly == 1)
  }

  @Test("A task that is cancelled already sends nothing")
  func cancelledBefore() async throws {
    let space = try await Space()
    let task = Task { [transport] in
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await transport.send(HTTPRequest.query("{ hello }", to: space.graphQL))
    }
    await expectError(.cancelled) { try await task.value }
    #expect(try await space.stats().total == 0)
  }

  @Test(
    "H3 Time-outs end silent and slow responses",
    arguments: ["hang", "hang-in-status", "hang-in-head", "hang-after-head", "chunk-no-end-hang"])
  func idleTimeout(kind: String) async throws {
    let space = try await Space()
    var request = HTTPRequest(url: space.broken(kind))
    request.idleTimeout = .milliseconds(150)
    await expectError(.timedOut) { _ = try await transport.send(request).body.collect() }
  }

  @Test("H3 The time-out of the whole exchange ends a body that trickles for ever")
  func totalTimeout() async throws {
    let space = try await Space()
    var request = HTTPRequest(url: space.broken("drip-for-ever"))
    (request.idleTimeout, request.timeout) = (.seconds(60), .milliseconds(300))
    await expectError(.timedOut) { [request] in
      _ = try await transport.send(request).body.collect()
    }
  }

  @Test("H3 Redirects take their time from the whole exchange's, they get none of their own")
  func totalTimeoutOfRedirects() async throws {
    let space = try await Space()
    var options = URLSessionTransport.Options()
    // All of them would take as many tenths of a second.
    options.redirectLimit = 30
    let transport = URLSessionTransport(options: options)
    let request = HTTPRequest(url: space.broken("redirect-slow"), timeout: .seconds(1))
    await expectError(.timedOut) { _ = try await transport.send(request) }
  }

  @Test(
    "H2 Early hints are not the response: status and header fields are those of what follows",
    arguments: [
      ("early-hints", 200, "application/json"), ("early-hints-401", 401, "text/plain"),
      ("early-hints-events", 200, "text/event-stream"),
    ])
  func interim(kind: String, status: Int, mediaType: String) async throws {
    let space = try await Space()
    let response = try await transport.send(HTTPRequest(url: space.broken(kind)))
    #expect(response.status == status)
    #expect(response.headers["content-type"] == mediaType)
    #expect(try await response.body.collect().count > 0)
  }

  @Test("H3 A connection that drops in mid-body leaves what came, then throws")
  func drop() async throws {
    let space = try await Space()
    let response = try await transport.send(HTTPRequest(url: space.broken("chunk-no-end")))
    var received: [UInt8] = []
    await expectError(.connectionLost) {
      for try await chunk in response.body { received += chunk }
    }
    #expect(String(decoding: received, as: UTF8.self) == #"{"data":{"hello":"Hello, world!"}}"#)
  }

  @Test(
    "H3 A body over the limit is refused, told or not, packed or not",
    arguments: ["huge-length", "huge-endless", "huge-chunks", "huge-bomb"])
  func limit(kind: String) async throws {
    let space = try await Space()
    let request = HTTPRequest(url: space.broken(kind), responseBodyLimit: 100_000)
    await expectError(.tooLarge) { _ = try await transport.send(request).body.collect() }
  }

  @Test("A body as large as the limit is not refused")
  func atLimit() async throws {
    let space = try await Space()
    var request = HTTPRequest(url: space.broken("type-text"), responseBodyLimit: 34)
    #expect(try await text(transport.send(request)).utf8.count == 34)
    request.responseBodyLimit = 33
    await expectError(.tooLarge) { [request] in
      _ = try await transport.send(request).body.collect()
    }
  }

  #if canImport(FoundationNetworking)
    @Test("A body that comes much faster than it is read is given up; what is held stays readable")
    func unread() async throws {
      let space = try await Space()
      var options = URLSessionTransport.Options()
      options.unreadLimit = 300_000
      options.unreadFileLimit = 700_000
      let transport = URLSessionTransport(options: options)
      let response = try await transport.send(HTTPRequest(url: space.broken("huge-endless")))
      _ = try await space.stats(when: "closedEarly", reaches: 1)
      var received = 0
      await expectError(.tooLarge) {
        for try await chunk in response.body { received += chunk.count }
      }
      #expect(received > 900_000)
      #expect(received <= 1_000_000)
    }
  #endif

  @Test("H3 What cannot be sent is refused before it is sent")
  func invalidRequests() async throws {
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

  @Test("H3 A closed port is no connection, an unknown host is no host")
  func unreachable() async throws {
    let closed = try #require(URL(string: "http://127.0.0.1:1/"))
    await expectError(.cannotConnect) { _ = try await transport.send(HTTPRequest(url: closed)) }
    let unknown = try #require(URL(string: "http://nowhere.invalid/"))
    await expectError(.hostNotFound) { _ = try await transport.send(HTTPRequest(url: unknown)) }
  }

  #if canImport(FoundationNetworking)
    @Test("H3 A server that goes in the middle of the TLS handshake is a lost connection")
    func handshake() async throws {
      var components = try #require(
        URLComponents(url: try await Space().broken("data-200"), resolvingAgainstBaseURL: true))
      components.scheme = "https"
      let url = try #require(components.url)
      await expectError(.connectionLost) { _ = try await transport.send(HTTPRequest(url: url)) }
    }
  #endif

  @Test("Redirects: the same request to the same origin, and no other")
  func redirects() async throws {
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

  @Test("An idempotent request survives a connection that the server closes under it")
  func staleConnection() async throws {
    let space = try await Space()
    for _ in 1...4 {
      let request = HTTPRequest(
        url: space.stale, body: [1, 2, 3], timeout: .seconds(120), isIdempotent: true)
      #expect(try await transport.send(request).body.collect().count == 34)
    }
  }

  @Test("128 requests at once all get their own answer")
  func concurrent() async throws {
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

  @Test("H9 Cancelling at any moment ends every request, and none of the others")
  func cancelStorm() async throws {
    let space = try await Space()
    var outcomes: [Bool] = []
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 {
        if number >= 32, let done = try await group.next() { outcomes.append(done) }
        group.addTask { [transport] in
          let task = Task { [transport] in
            try await text(transport.send(.query("{ hello }", to: space.graphQL)))
          }
          for _ in 0..<(number % 50) { await Task.yield() }
          if number % 2 == 0 { task.cancel() }
          do {
            return try await task.value == #"{"data":{"hello":"Hello, world!"}}"#
          } catch let error as HTTPTransportError {
            return number % 2 == 0 && error.code == .cancelled
          }
        }
      }
      for try await done in group { outcomes.append(done) }
    }
    #expect(outcomes == Array(repeating: true, count: 1_000))
  }

  @Test("H9 Cancelling while a redirect arrives ends the request, and not the process")
  func cancelInRedirect() async throws {
    let space = try await Space()
    let url = space.broken("redirect-elsewhere-307")
    var outcomes: Set<String> = []
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<1_500 {
        if number >= 32, let outcome = try await group.next() { outcomes.insert(outcome) }
        group.addTask { [transport] in
          let task = Task { [transport] in try await transport.send(HTTPRequest(url: url)).status }
          for _ in 0..<(number % 300) { await Task.yield() }
          task.cancel()
          do {
            return "\(try await task.value)"
          } catch let error as HTTPTransportError {
            return error.code.description
          }
        }
      }
      for try await outcome in group { outcomes.insert(outcome) }
    }
    #expect(outcomes.isSubset(of: ["307", "cancelled"]))
  }

  @Test("A transport that goes away finishes what it has begun")
  func transportGoesAway() async throws {
    let space = try await Space()
    for _ in 0..<20 {
      let response = try await URLSessionTransport().send(.query("{ hello }", to: space.graphQL))
      #expect(try await text(response) == #"{"data":{"hello":"Hello, world!"}}"#)
    }
  }

  @Test("H3 Every broken response ends: as a response or as a typed error")
  func brokenResponses() async throws {
    let space = try await Space()
    let kinds = try await space.brokenKinds()
    #expect(kinds.count > 200)
    for kind in kinds {
      let timeout: Duration = kind.outcomes.contains("timedOut") ? .milliseconds(300) : .seconds(60)
      let request = HTTPRequest(
        url: space.broken(kind.name), timeout: timeout, responseBodyLimit: 1_000_000)
      var outcome = "response"
      do {
        let response = try await transport.send(request)
        _ = try await response.body.collect()
      } catch {
        outcome = try #require(error as? HTTPTransportError, "\(kind)").code.description
      }
      let endsAsResponse = !kind.outcomes.isDisjoint(with: ["data", "errors", "http", "malformed"])
      #expect(
        kind.expected == "any" || kind.outcomes.contains(outcome)
          || (outcome == "response" && endsAsResponse), "\(kind): \(outcome), not \(kind.expected)")
    }
  }
}

private func text(_ response: HTTPResponse) async throws -> String {
  String(decoding: try await response.body.collect(), as: UTF8.self)
}

private func expectError(
  _ code: HTTPTransportError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  let error = await #expect(throws: HTTPTransportError.self, sourceLocation: sourceLocation) {
    try await body()
  }
  #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
}

extension HTTPRequest {
  fileprivate static func query(_ text: String, to url: URL) -> HTTPRequest {
    let body = (try? JSONEncoder().encode(["query": text])) ?? Data()
    return HTTPRequest(
      url: url, headers: ["content-type": "application/json"], body: [UInt8](body),
      timeout: .seconds(60), isIdempotent: true)
  }
}
