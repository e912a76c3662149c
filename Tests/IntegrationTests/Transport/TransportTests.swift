import Foundation
import Testing
import Weir

@Suite("Transports", .timeLimit(.minutes(10)))
struct TransportTests {
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

  @Test(
    "Cancelling a task that waits for the response head closes the connection (H9)",
    arguments: Sender.allCases)
  func cancelBeforeHead(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let request = HTTPRequest.query("query Slow { slow(ms: 600000) }", to: space.graphQL)
    let task = Task { [transport] in try await transport.send(request).status }
    _ = try await space.stats(when: "inFlight", reaches: 1)
    task.cancel()
    await expectError(.cancelled) { _ = try await task.value }
    #expect(try await space.stats(when: "closedEarly", reaches: 1).total == 1)
  }

  @Test(
    "Cancelling a task that reads the body closes the connection (H9)", arguments: Sender.allCases)
  func cancelInBody(sender: Sender) async throws {
    let transport = sender.transport()
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

  @Test("Discarding an unread body closes the connection (H9)", arguments: Sender.allCases)
  func dropBody(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest.query("subscription S { todoEvents { kind } }", to: space.graphQL)
    request.headers["accept"] = "text/event-stream"
    #expect(try await transport.send(request).status == 200)
    #expect(try await space.stats(when: "closedEarly", reaches: 1).closedEarly == 1)
  }

  @Test("A task that is already cancelled sends nothing", arguments: Sender.allCases)
  func cancelledBefore(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let task = Task { [transport] in
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await transport.send(HTTPRequest.query("{ hello }", to: space.graphQL))
    }
    await expectError(.cancelled) { try await task.value }
    #expect(try await space.stats().total == 0)
  }

  @Test(
    "Silent and slow responses time out (H3)",
    arguments: Sender.allCases,
    ["hang", "hang-in-status", "hang-in-head", "hang-after-head", "chunk-no-end-hang"])
  func idleTimeout(sender: Sender, kind: String) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest(url: space.broken(kind))
    request.idleTimeout = .milliseconds(150)
    await expectError(.timedOut) { _ = try await transport.send(request).body.collect() }
  }

  @Test(
    "The total timeout ends a body that arrives slowly without an end (H3)",
    arguments: Sender.allCases)
  func totalTimeout(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest(url: space.broken("drip-for-ever"))
    (request.idleTimeout, request.timeout) = (.seconds(600), .milliseconds(300))
    await expectError(.timedOut) { [request] in
      _ = try await transport.send(request).body.collect()
    }
  }

  @Test("The total timeout includes redirects (H3)", arguments: Sender.allCases)
  func totalTimeoutOfRedirects(sender: Sender) async throws {
    let space = try await Space()
    // All 30 redirects would take 3 seconds.
    let transport = sender.transport(redirectLimit: 30)
    let request = HTTPRequest(url: space.broken("redirect-slow"), timeout: .seconds(1))
    await expectError(.timedOut) { _ = try await transport.send(request) }
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
    "If the connection drops in mid-body, the received bytes are delivered before the error (H3)",
    arguments: Sender.allCases)
  func drop(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let response = try await transport.send(HTTPRequest(url: space.broken("chunk-no-end")))
    var received: [UInt8] = []
    await expectError(.connectionLost) {
      for try await chunk in response.body { received += chunk }
    }
    #expect(String(decoding: received, as: UTF8.self) == #"{"data":{"hello":"Hello, world!"}}"#)
  }

  @Test(
    "A body over the limit is refused, with or without a length, compressed or not (H3)",
    arguments: Sender.allCases, ["huge-length", "huge-endless", "huge-chunks", "huge-bomb"])
  func limit(sender: Sender, kind: String) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let request = HTTPRequest(url: space.broken(kind), responseBodyLimit: 100_000)
    await expectError(.tooLarge) { _ = try await transport.send(request).body.collect() }
  }

  @Test("A body of exactly the limit is accepted", arguments: Sender.allCases)
  func atLimit(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    var request = HTTPRequest(url: space.broken("type-text"), responseBodyLimit: 34)
    #expect(try await text(transport.send(request)).utf8.count == 34)
    request.responseBodyLimit = 33
    await expectError(.tooLarge) { [request] in
      _ = try await transport.send(request).body.collect()
    }
  }

  #if canImport(FoundationNetworking)
    @Test("A body that outruns its reader is abandoned; the bytes held so far stay readable")
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

  @Test(
    "A closed port is cannotConnect, and an unknown host is hostNotFound (H3)",
    arguments: Sender.allCases)
  func unreachable(sender: Sender) async throws {
    let transport = sender.transport()
    let closed = try #require(URL(string: "http://127.0.0.1:1/"))
    await expectError(.cannotConnect) { _ = try await transport.send(HTTPRequest(url: closed)) }
    let unknown = try #require(URL(string: "http://nowhere.invalid/"))
    await expectError(.hostNotFound) { _ = try await transport.send(HTTPRequest(url: unknown)) }
  }

  #if canImport(FoundationNetworking)
    @Test(
      "A connection that ends during the TLS handshake is a lost connection (H3)",
      arguments: Sender.allCases)
    func handshake(sender: Sender) async throws {
      let transport = sender.transport()
      var components = try #require(
        URLComponents(url: try await Space().broken("data-200"), resolvingAgainstBaseURL: true))
      components.scheme = "https"
      let url = try #require(components.url)
      await expectError(.connectionLost) { _ = try await transport.send(HTTPRequest(url: url)) }
    }
  #endif

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
    "An idempotent request survives a connection that the server has just closed",
    arguments: Sender.allCases)
  func staleConnection(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    for _ in 1...4 {
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

  @Test("Cancelling at any moment ends that request and no other (H9)", arguments: Sender.allCases)
  func cancelStorm(sender: Sender) async throws {
    let transport = sender.transport()
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

  @Test(
    "Cancelling while a redirect arrives ends the request and does not crash (H9)",
    arguments: Sender.allCases)
  func cancelInRedirect(sender: Sender) async throws {
    let transport = sender.transport()
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

  @Test(
    "Every broken response ends as a response or as a typed error (H3)", arguments: Sender.allCases)
  func brokenResponses(sender: Sender) async throws {
    let transport = sender.transport()
    let space = try await Space()
    let kinds = try await space.brokenKinds(for: sender)
    #expect(kinds.count > 200)
    for kind in kinds {
      let timeout: Duration =
        kind.outcomes.contains("timedOut") ? .milliseconds(300) : .seconds(600)
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

extension HTTPRequest {
  fileprivate static func query(_ text: String, to url: URL) -> HTTPRequest {
    let body = (try? JSONEncoder().encode(["query": text])) ?? Data()
    return HTTPRequest(
      url: url, headers: ["content-type": "application/json"], body: [UInt8](body),
      timeout: .seconds(600), isIdempotent: true)
  }
}
