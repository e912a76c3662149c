import Foundation
import Testing
import Weir
import WeirTesting

private let query = GraphQLOperation("query Post { post(id: 1) { id title } }")

@Suite("A local server as a transport", .timeLimit(.minutes(10)))
struct LocalServerTransportTests {
  private func request(
    _ body: String, accept: String = "application/graphql-response+json",
    type: String = "application/json", method: HTTPMethod = .post
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, url: LocalServer.url,
      headers: ["accept": accept, "content-type": type], body: Array(body.utf8))
  }

  @Test("A whole chain runs against a local server, with a miss, a hit and counters")
  func chain() async throws {
    let server = try LocalServer.blog()
    let client = GraphQLClient([.dedup, .documentCache, .fetch(from: server)])
    let miss = await client.query(query)
    #expect(miss.outcome == .miss && miss.data?["post"]?["__typename"]?.string == "Post")
    #expect(await client.query(query).outcome == .hit)
    #expect(server.requestCount == 1 && server.requestCount(of: "Post") == 1)
    #expect(server.requests[0].headers["accept"]?.contains("graphql-response") == true)
    await server.received(1)
  }

  @Test("GET requests may contain queries, but not mutations")
  func get() async throws {
    let server = try LocalServer.blog()
    var configuration = FetchConfiguration()
    configuration.prefersGET = true
    let client = GraphQLClient([.fetch(from: server, configuration)])
    let byID = GraphQLOperation(
      "query ($id: ID!) { post(id: $id) { id } }", variables: ["id": "ü&1"])
    #expect(await client.query(byID).data?["post"]?["id"]?.string == "ü&1")
    // "GraphQL over HTTP", section "GET": an empty name is none.
    let unnamed = try #require(
      URL(string: "http://localhost/graphql?query=%7B__typename%7D&operationName="))
    #expect(try await server.send(HTTPRequest(method: .get, url: unnamed)).status == 200)
    let mutation = "mutation%20%7B%20log(word%3A%22a%22)%20%7D"
    let url = try #require(URL(string: "http://localhost/graphql?query=\(mutation)"))
    let refused = try await server.send(HTTPRequest(method: .get, url: url))
    #expect(refused.status == 405 && refused.headers["allow"] == "POST")
  }

  @Test(
    "Status and media type follow GraphQL over HTTP",
    arguments: [
      (#"{"query":"{ post(id: 1) { id } }"}"#, "application/graphql-response+json", 200),
      (#"{"query":"{ nope }"}"#, "application/graphql-response+json", 400),
      (#"{"query":"{ nope }"}"#, "application/json", 200),
      (#"{"query":"{"}"#, "application/graphql-response+json, application/json;q=0.9", 400),
      (#"{"query":"{ strict { one } }"}"#, "*/*", 200),
      (#"{"query":1}"#, "application/json", 400),
      (#"{"query":"{ __typename }","variables":[]}"#, "application/json", 400),
      ("{", "application/json", 400),
      (#"{"query":"subscription { counted(to: 1) { number } }"}"#, "application/json", 406),
    ])
  func statuses(body: String, accept: String, status: Int) async throws {
    let response = try await LocalServer.blog().send(request(body, accept: accept))
    #expect(response.status == status)
    #expect(
      response.headers["content-type"]?.hasPrefix(
        accept == "application/json" ? accept : "application/graphql-response+json") == true)
    let text = try await response.text()
    #expect(text.contains(status == 200 && !body.contains("nope") ? "\"data\"" : "\"errors\""))
  }

  @Test("Other methods and content types are refused")
  func refusals() async throws {
    let server = try LocalServer.blog()
    let body = #"{"query":"{ __typename }"}"#
    #expect(try await server.send(request(body, type: "text/plain")).status == 415)
    let put = request(body, method: HTTPMethod(rawValue: "PUT"))
    let refused = try await server.send(put)
    #expect(refused.status == 405 && refused.headers["allow"] == "GET, POST")
  }

  @Test("Requests fail in the requested order, and then succeed again")
  func failures() async throws {
    let server = try LocalServer.blog()
    let client = GraphQLClient([.fetch(from: server)])
    server.fail(.status(503, body: "busy"), times: 2)
    server.fail(.noResponse(.offline))
    server.fail(.truncated(afterBytes: 10))
    var codes: [OperationError.Code?] = []
    for _ in 0..<5 { codes.append(await client.query(query).error?.code) }
    #expect(codes == [.httpStatus, .httpStatus, .transport, .transport, nil])
    #expect(server.requestCount == 5)
  }

  @Test("All further requests can fail")
  func permanentFailure() async throws {
    let server = try LocalServer.blog()
    let client = GraphQLClient([.fetch(from: server)])
    server.fail(.status(503), times: .max)
    for _ in 0..<3 { #expect(await client.query(query).error?.httpStatus == 503) }
  }

  @Test("A server that was offline is online again")
  func endedFailure() async throws {
    let server = try LocalServer.blog()
    let client = GraphQLClient([.fetch(from: server)])
    server.fail(.noResponse(.offline), times: .max)
    server.fail(.status(503))
    for _ in 0..<3 { #expect(await client.query(query).error?.code == .transport) }
    server.endFailures()
    #expect(await client.query(query).error == nil)
    server.fail(.status(503))
    #expect(await client.query(query).error?.httpStatus == 503)
    #expect(server.requestCount == 5)
  }

  @Test("The latency passes on the server's clock")
  func latency() async throws {
    let clock = ManualClock()
    let server = try LocalServer.blog(clock: clock)
    server.latency = .seconds(3)
    let client = GraphQLClient([.fetch(from: server)])
    async let result = client.query(query)
    await clock.sleepers(1)
    #expect(server.requestCount == 1)
    clock.advance(by: .seconds(3))
    #expect(await result.error == nil)
  }

  @Test("A cancelled request ends, and so do its resolvers")
  func cancellation() async throws {
    let clock = ManualClock()
    let server = try LocalServer.blog(clock: clock) {
      $0.query("node") { request in
        try await request.sleep(for: .seconds(1))
        return .object("Post", ["id": 1])
      }
    }
    let body = request(#"{"query":"{ node { id } }"}"#)
    let task = Task { try await server.send(body) }
    await clock.sleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("A batch is refused with a message that says so, and persisted operations are sent as text")
  func unsupported() async throws {
    let server = try LocalServer.blog()
    let batch = try await server.send(request(#"[{"query":"{ __typename }"}]"#))
    #expect(batch.status == 400)
    let body = try await JSON(parsing: batch.body.collect())
    #expect(body["errors"]?[0]?["message"]?.string?.contains("batches") == true)
    for prefersGET in [false, true] {
      var configuration = PersistedOperationsConfiguration()
      configuration.prefersGET = prefersGET
      let client = GraphQLClient([.persistedOperations(configuration), .fetch(from: server)])
      #expect(await client.query(query).data?["post"] != nil)
    }
  }

  @Test("A closure that updates the server itself is not called without end")
  func nestedUpdate() async throws {
    let server = LocalServer { _ in }
    try server.update { resolvers in
      try? server.update { $0.query("inner") { _ in 1 } }
      resolvers.query("outer") { _ in 2 }
    }
    let data = await server.execute(GraphQLOperation("{ outer }"))["data"]
    #expect(data?["outer"]?.int == 2)
  }

  @Test("Resolvers that are added at the same time are all there afterwards")
  func concurrentUpdates() async throws {
    let server = LocalServer { _ in }
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask { try? server.update { $0.query("f\(number)") { _ in 1 } } }
      }
    }
    for number in 0..<50 {
      let data = await server.execute(GraphQLOperation(GraphQLDocument("{ f\(number) }")))["data"]
      #expect(data?["f\(number)"]?.int == 1)
    }
  }
}

@Suite("A local server's subscriptions", .timeLimit(.minutes(10)))
struct LocalServerSubscriptionTests {
  struct Failure: Error, CustomStringConvertible { let description = "broken" }

  private func stream(
    _ text: String, from server: LocalServer, accept: String = "text/event-stream"
  ) async throws -> HTTPResponse {
    try await server.send(
      HTTPRequest(
        url: LocalServer.url,
        headers: ["accept": accept, "content-type": "application/json"],
        body: JSON.encode(["query": text])))
  }

  private func server() throws -> LocalServer {
    try LocalServer.blog {
      $0.subscription("counted") { request in
        let last = try request.argument("to", as: Int.self)
        return AsyncThrowingStream<[String: Int?], any Error> { continuation in
          for number in 0..<max(last, 0) { continuation.yield(["number": number]) }
          if last < 0 { continuation.yield(["number": nil]) }
          continuation.finish(throwing: last == 1 ? Failure() : nil)
        }
      }
    }
  }

  @Test(
    "Event streams contain events, failures and completion; invalid subscriptions are refused",
    arguments: [
      (
        "subscription { counted(to: 2) { n: number } }",
        [#"{"data":{"counted":{"n":0}}}"#, #"{"data":{"counted":{"n":1}}}"#]
      ),
      ("subscription { counted(to: 0) { number } }", []),
      (
        "subscription { counted(to: 1) { number } }",
        [
          #"{"data":{"counted":{"number":0}}}"#,
          #"{"errors":[{"message":"broken","locations":[{"line":1,"column":16}],"#
            + #""path":["counted"]}]}"#,
        ]
      ),
      (
        "subscription { a: counted(to: 1) { number } b: counted(to: 1) { number } }",
        [
          #"{"errors":[{"message":"Anonymous Subscription must select only one top level field.","#
            + #""locations":[{"line":1,"column":45}]}]}"#
        ]
      ),
      ("{ post(id: 1) { id } }", [#"{"data":{"post":{"id":"1"}}}"#]),
    ])
  func events(text: String, events: [String]) async throws {
    let response = try await stream(text, from: server())
    #expect(response.status == 200 && response.headers["content-type"] == "text/event-stream")
    let expected = events.map { "event: next\ndata: \($0)\n\n" }.joined()
    #expect(try await response.text() == expected + "event: complete\ndata:\n\n")
  }

  @Test("A client subscribes through a whole chain")
  func chain() async throws {
    let client = GraphQLClient([.dedup, .documentCache, .fetch(from: try server())])
    let counted = GraphQLOperation("subscription { counted(to: 3) { number } }")
    var numbers: [Int64?] = []
    for await result in client.subscribe(counted) {
      numbers.append(result.data?["counted"]?["number"]?.int)
    }
    #expect(numbers == [0, 1, 2])
  }

  @Test("A null in an event propagates only within that event")
  func nullInEvent() async throws {
    let response = try await stream(
      "subscription { counted(to: -1) { number } }", from: server(),
      accept: "application/graphql-response+json, text/event-stream")
    #expect(try await response.text().contains(#""data":{"counted":null}}"#))
  }

  @Test("The server drops the source of events when the client leaves")
  func leaving() async throws {
    let gate = Gate()
    let server = try LocalServer.blog {
      $0.subscription("counted") { _ in
        AsyncStream<[String: Int]> { continuation in
          continuation.onTermination = { _ in gate.open() }
          continuation.yield(["number": 1])
        }
      }
    }
    var response: HTTPResponse? = try await stream(
      "subscription { counted(to: 1) { number } }", from: server)
    for try await _ in try #require(response).body { break }
    response = nil
    await gate.pass()
  }

  @Test("An error that ends a subscription's events keeps its extensions, and has a path")
  func errorOfEvents() async throws {
    let error = GraphQLError(message: "Log in.", extensions: ["code": "UNAUTHENTICATED"])
    let server = LocalServer {
      $0.subscription("ticks") { _ in
        AsyncThrowingStream<JSONValue, any Error> { $0.finish(throwing: error) }
      }
    }
    let client = GraphQLClient([.fetch(from: server)])
    var results = client.subscribe(GraphQLOperation("subscription { ticks }")).makeAsyncIterator()
    let reported = await results.next()?.error?.graphQLErrors.first
    #expect(reported?.message == "Log in.")
    #expect(reported?.extensions?["code"]?.string == "UNAUTHENTICATED")
    #expect(reported?.path == [.key("ticks")])
  }
}
