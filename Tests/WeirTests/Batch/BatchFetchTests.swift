import Foundation
import Testing
import Weir
import WeirTesting

/// A client whose batching window is controlled by a manual clock, and a server that accepts
/// batches and answers each operation with its name.
private struct Fixture {
  let transport: ScriptedTransport
  let exchange: BatchFetchExchange
  let client: GraphQLClient
  let clock = ManualClock()

  init(
    answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse = {
      try Fixture.names($0)
    },
    _ configure: (inout FetchConfiguration) -> Void = { _ in },
    batching configureBatches: (inout BatchConfiguration) -> Void = { _ in }
  ) throws {
    transport = ScriptedTransport(answer)
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configure(&configuration)
    var batching = BatchConfiguration()
    batching.window = .duration(.milliseconds(10), clock: clock)
    configureBatches(&batching)
    let url = try #require(URL(string: "https://example.org/graphql"))
    exchange = BatchFetchExchange(url, configuration: configuration, batching: batching)
    client = GraphQLClient([exchange])
  }

  /// A server that gives the same response to every request.
  init(body: String, status: Int = 200) throws {
    try self.init(answer: { _ in
      HTTPResponse(
        status: status, headers: ["content-type": "x/y"], body: HTTPBody(Array(body.utf8)))
    })
  }

  static func names(_ request: HTTPRequest) throws -> HTTPResponse {
    let json = try JSON(parsing: request.body)
    func result(_ operation: JSON) -> String {
      #"{"data":{"name":"\#(operation["operationName"]?.string ?? "none")"}}"#
    }
    let body =
      json.kind == .array
      ? "[" + json.elements.map(result).joined(separator: " ,\n") + "]" : result(json)
    return HTTPResponse(status: 200, body: HTTPBody(Array(body.utf8)))
  }

  /// Starts operations one after the other. When it returns, the first `seated` of them wait in a
  /// batch.
  func start(
    _ operations: [GraphQLOperation], seated: Int? = nil
  ) async -> [Task<OperationResult, Never>] {
    var tasks: [Task<OperationResult, Never>] = []
    for (number, operation) in operations.enumerated() {
      tasks.append(Task { [client] in await client.query(operation) })
      while exchange.waitingCount < min(number + 1, seated ?? .max) { await Task.yield() }
    }
    return tasks
  }

  /// Closes the window of every waiting batch.
  func closeWindow(batches: Int = 1) async {
    await clock.sleepers(batches)
    clock.advance(by: .milliseconds(10))
  }

  /// The operation names in each request. A single operation is sent without a list.
  var sent: [[String]] {
    get throws {
      try transport.requests.map { request in
        let json = try JSON(parsing: request.body)
        return (json.kind == .array ? Array(json.elements) : [json])
          .map { $0["operationName"]?.string ?? "none" }
      }
    }
  }
}

private func query(_ name: String) -> GraphQLOperation {
  GraphQLOperation(GraphQLDocument("query \(name) { name }"))
}

private func mutation(_ name: String) -> GraphQLOperation {
  GraphQLOperation(GraphQLDocument("mutation \(name) { name }"))
}

/// The name in each operation's response, or the code of its error.
private func outcomes(_ tasks: [Task<OperationResult, Never>]) async -> [String] {
  var outcomes: [String] = []
  for task in tasks {
    let result = await task.value
    outcomes.append(
      result.data?["name"]?.string ?? result.error?.code.description ?? "nothing")
  }
  return outcomes
}

@Suite("Batch fetch exchange")
struct BatchFetchTests {
  // MARK: Batches

  @Test("An operation is kept out of a batch only by a real @defer, not by the word in a text")
  func incremental() async throws {
    let fixture = try Fixture()
    let word = GraphQLOperation("query Word { name(text: \"@defer @stream\") }")
    let real = GraphQLOperation("query Real { ... @defer { name } }")
    let alone = await fixture.client.query(real)
    #expect(alone.data?["name"]?.string == "Real")
    let tasks = await fixture.start([word, query("B")])
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["Word", "B"])
    #expect(try fixture.sent == [["Real"], ["Word", "B"]])
  }

  @Test("A batch may be retried only if each of its operations may")
  func idempotence() async throws {
    let fixture = try Fixture()
    for operations in [
      [query("A"), query("B")], [query("C"), query("D").with { $0.isIdempotent = false }],
      [mutation("E").with { $0.isIdempotent = true }, mutation("F")],
      [mutation("G"), mutation("H")].map { $0.with { $0.isIdempotent = true } },
    ] {
      let tasks = await fixture.start(operations)
      await fixture.closeWindow()
      for task in tasks { _ = await task.value }
    }
    #expect(fixture.transport.requests.map(\.isIdempotent) == [true, false, false, true])
  }

  @Test("Operations within one window share a request, and each gets its own response")
  func together() async throws {
    let fixture = try Fixture()
    let tasks = await fixture.start([query("A"), query("B"), query("C")])
    #expect(fixture.transport.requests.isEmpty)
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["A", "B", "C"])
    let request = try #require(fixture.transport.requests.first)
    #expect(fixture.transport.requests.count == 1)
    #expect(request.method == .post)
    #expect(request.isIdempotent)
    #expect(request.headers["content-type"] == "application/json")
    #expect(
      request.text == #"[{"operationName":"A","query":"query A {\n  name\n}"},"#
        + #"{"operationName":"B","query":"query B {\n  name\n}"},"#
        + #"{"operationName":"C","query":"query C {\n  name\n}"}]"#)
    #expect(fixture.exchange.waitingCount == 0)
  }

  @Test("A single operation is sent exactly as the fetch exchange sends it")
  func alone() async throws {
    let fixture = try Fixture(
      answer: { try Fixture.names($0) }, { $0.headers = { _ in ["x-token": "1"] } })
    let tasks = await fixture.start([query("A")])
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["A"])
    let plain = ScriptedTransport { try Fixture.names($0) }
    var configuration = FetchConfiguration()
    configuration.transport = plain
    configuration.headers = { _ in ["x-token": "1"] }
    let url = try #require(URL(string: "https://example.org/graphql"))
    _ = await GraphQLClient([.fetch(url, configuration)]).query(query("A"))
    let (sent, expected) = (fixture.transport.requests.first, plain.requests.first)
    #expect(sent?.text == expected?.text)
    #expect(sent?.headers.count == expected?.headers.count)
    for field in expected?.headers ?? [:] { #expect(sent?.headers[field.name] == field.value) }
  }

  @Test("Operations that start in one turn of an actor share a request")
  @MainActor
  func turn() async throws {
    let fixture = try Fixture(batching: { $0.window = .turn })
    let tasks = (0..<8).map { number in
      Task { @MainActor in await fixture.client.query(query("Q\(number)")) }
    }
    #expect(await outcomes(tasks) == (0..<8).map { "Q\($0)" })
    #expect(fixture.transport.requests.count == 1)
  }

  @Test("A full batch leaves immediately, and the next operation waits for its own window")
  func limit() async throws {
    let fixture = try Fixture(batching: { $0.maximumCount = 2 })
    let tasks = await fixture.start([query("A"), query("B")], seated: 1)
    #expect(await outcomes(tasks) == ["A", "B"])
    // The timer of the full batch is cancelled.
    while fixture.clock.sleeperCount > 0 { await Task.yield() }
    let more = await fixture.start([query("C")])
    #expect(try fixture.sent == [["A", "B"]])
    await fixture.closeWindow()
    #expect(await outcomes(more) == ["C"])
    #expect(try fixture.sent == [["A", "B"], ["C"]])
  }

  @Test("Mutations keep their order and never share a request with queries")
  func mutations() async throws {
    let fixture = try Fixture()
    let tasks = await fixture.start([
      mutation("M1"), query("Q1"), mutation("M2"), query("Q2"), mutation("M3"),
    ])
    await fixture.closeWindow(batches: 2)
    #expect(await outcomes(tasks) == ["M1", "Q1", "M2", "Q2", "M3"])
    #expect(Set(try fixture.sent) == [["M1", "M2", "M3"], ["Q1", "Q2"]])
    #expect(
      Set(fixture.transport.requests.map { "\($0.isIdempotent) \($0.text.contains("M1"))" })
        == ["false true", "true false"])
  }

  @Test("Operations with different header fields or endpoints do not share a request")
  func groups() async throws {
    let other = try #require(URL(string: "https://other.example/"))
    let fixture = try Fixture(
      answer: { try Fixture.names($0) },
      { $0.headers = { ["x-name": $0.name == "C" ? "c" : "other", "x-more": "1"] } })
    let tasks = await fixture.start([
      query("A"), query("B"), query("C"), query("D").with { $0.headers = ["x-more": "2"] },
      query("E").with { $0.headers = ["x-more": "1"] }, query("F").with { $0.endpoint = other },
    ])
    await fixture.closeWindow(batches: 4)
    #expect(await outcomes(tasks) == ["A", "B", "C", "D", "E", "F"])
    #expect(fixture.transport.requests.count == 4)
    let shared = try #require(fixture.transport.requests.first { $0.text.contains("\"A\"") })
    // E sets the same header fields itself, so A, B and E share a request.
    #expect(try JSON(parsing: shared.body).count == 3)
    #expect(shared.headers["x-name"] == "other")
    #expect(fixture.transport.requests.filter { $0.url == other }.count == 1)
  }

  @Test("Operations that cannot be batched are sent without waiting")
  func neverBatched() async throws {
    let fixture = try Fixture(batching: { $0.kinds = [.query] })
    let file = Upload(bytes: [1], filename: "x")
    for operation in [
      query("A").with { $0.prefersGET = true }, mutation("B"),
      GraphQLOperation("query C($f: Upload) { name(f: $f) }", variables: ["f": file]),
      GraphQLOperation("query D { ... @defer { name } }"),
      GraphQLOperation("query E { names @stream { name } }"),
    ] {
      _ = await fixture.client.query(operation)
    }
    #expect(fixture.transport.requests.count == 5)
    let events = fixture.client.subscribe(GraphQLOperation("subscription { name }"))
    for await _ in events {}
    #expect(fixture.clock.sleeperCount == 0)
  }

  @Test("An operation that cannot be encoded fails alone")
  func oneUnsendable() async throws {
    struct NoToken: Error {}
    let fixture = try Fixture(
      answer: { try Fixture.names($0) },
      {
        $0.headers = { operation in
          if operation.name == "X" { throw NoToken() }
          return [:]
        }
      })
    let endless = query("B").with { $0.requestParameters.extensions = ["x": .double(.nan)] }
    #expect(await fixture.client.query(query("X")).error?.underlying is NoToken)
    let tasks = await fixture.start([query("A"), endless, query("C")])
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["A", "variables", "C"])
    #expect(try fixture.sent == [["A", "C"]])
  }

  // MARK: Cancellation

  @Test("An operation that is cancelled before its request leaves is left out")
  func leftOut() async throws {
    let fixture = try Fixture()
    let tasks = await fixture.start([query("A"), query("B"), query("C")])
    tasks[1].cancel()
    #expect(await outcomes([tasks[1]]) == ["cancelled"])
    while fixture.exchange.waitingCount > 2 { await Task.yield() }
    await fixture.closeWindow()
    #expect(await outcomes([tasks[0], tasks[2]]) == ["A", "C"])
    #expect(try fixture.sent == [["A", "C"]])
  }

  @Test("Nothing is sent if all operations are cancelled before the request leaves")
  func allLeftOut() async throws {
    let fixture = try Fixture()
    let tasks = await fixture.start([query("A"), query("B")])
    for task in tasks { task.cancel() }
    #expect(await outcomes(tasks) == ["cancelled", "cancelled"])
    while fixture.exchange.waitingCount > 0 { await Task.yield() }
    await fixture.closeWindow()
    let more = await fixture.start([query("C")])
    await fixture.closeWindow()
    #expect(await outcomes(more) == ["C"])
    #expect(try fixture.sent == [["C"]])
  }

  @Test("Cancelling one operation in flight keeps the request; cancelling all cancels it")
  func cancelled() async throws {
    let (arrived, answered, ended) = (Gate(), Gate(), Gate())
    let fixture = try Fixture(answer: { request in
      arrived.open()
      await answered.pass()
      if Task.isCancelled { ended.open() }
      try Task.checkCancellation()
      return try Fixture.names(request)
    })
    for cancelsAll in [false, true] {
      arrived.close()
      answered.close()
      let tasks = await fixture.start([query("A"), query("B")])
      await fixture.closeWindow()
      await arrived.pass()
      tasks[0].cancel()
      #expect(await outcomes([tasks[0]]) == ["cancelled"])
      if cancelsAll {
        tasks[1].cancel()
        await ended.pass()
      } else {
        answered.open()
      }
      #expect(await outcomes([tasks[1]]) == [cancelsAll ? "cancelled" : "B"])
    }
    #expect(fixture.transport.requests.count == 2)
  }

  // MARK: Responses

  @Test(
    "If a response does not answer every operation, every operation fails",
    arguments: [
      ("[]", "malformedResponse"), (#"[{"data":{"name":"x"}}]"#, "malformedResponse"),
      (#"[{"data":{}},{"data":{}},{"data":{}}]"#, "malformedResponse"),
      (#"{"data":{"name":"x"}}"#, "malformedResponse"), ("<html>", "malformedResponse"),
      ("", "malformedResponse"), (#"[{"data":{"name":"x"}},"#, "malformedResponse"),
      ("7", "malformedResponse"), (#"{"errors":[{"message":"No batches"}]}"#, "graphQL"),
    ])
  func mismatch(body: String, code: String) async throws {
    for (status, expected) in [(200, code), (500, code == "graphQL" ? code : "httpStatus")] {
      let fixture = try Fixture(body: body, status: status)
      let tasks = await fixture.start([query("A"), mutation("M"), query("B")])
      await fixture.closeWindow(batches: 2)
      #expect(await outcomes([tasks[0], tasks[2]]) == [expected, expected], "\(body) \(status)")
      let error = await tasks[0].value.error
      if expected != "graphQL" {
        #expect(error?.httpStatus == status)
        #expect(error?.bodyPrefix == body)
        #expect(error?.mediaType == "x/y")
      }
      #expect((error?.underlying is HTTPStatusError) == (status == 500), "\(body)")
      // The mutation is alone, so its request is not a list, and it does not accept a list as the response.
      _ = await tasks[1].value
    }
  }

  @Test("An invalid entry in a batch response fails only its own operation")
  func badEntry() async throws {
    let fixture = try Fixture(
      body: #"[{"data":{"name":"A"}},7,{"errors":[{"message":"No"}]},{"data":{"name":"D"}}]"#)
    let tasks = await fixture.start(["A", "B", "C", "D"].map { query($0) })
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["A", "malformedResponse", "graphQL", "D"])
    let (first, last) = (await tasks[0].value, await tasks[3].value)
    #expect(first.data?.document.bytes == Array(#"{"data":{"name":"A"}}"#.utf8))
    #expect(first.timing != nil && first.timing == last.timing)
  }

  @Test("A byte order mark before a batch response is ignored (H2)")
  func byteOrderMark() async throws {
    let fixture = try Fixture(
      body: "\u{FEFF}[{\"data\":{\"name\":\"A\"}},{\"data\":{\"name\":\"B\"}}]")
    let tasks = await fixture.start([query("A"), query("B")])
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["A", "B"])
  }

  @Test("A transport error fails every operation of the batch")
  func transportError() async throws {
    let fixture = try Fixture(answer: { _ in throw HTTPTransportError(.timedOut, "Too long.") })
    let tasks = await fixture.start([query("A"), query("B")])
    await fixture.closeWindow()
    #expect(await outcomes(tasks) == ["transport", "transport"])
  }

  @Test("An error of the header fields is that of a fetch exchange", arguments: [true, false])
  func headerError(isBatched: Bool) async throws {
    let lost = HTTPTransportError(.connectionLost, "The token did not arrive.")
    let fixture = try Fixture(
      answer: { try Fixture.names($0) }, { $0.headers = { _ in throw lost } },
      batching: { $0.maximumCount = isBatched ? 10 : 1 })
    let error = await fixture.client.query(query("A")).error
    #expect(error?.code == .transport && error?.isTransient == true)
  }

  // MARK: In a chain

  @Test("Hashes are sent in one batch, and after a miss so are the full texts")
  func persisted() async throws {
    let fixture = try Fixture(answer: { request in
      let entries = try JSON(parsing: request.body).elements.map { entry in
        entry["query"] == nil
          ? #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#
          : #"{"data":{"name":"\#(entry["operationName"]?.string ?? "")"}}"#
      }
      return HTTPResponse(
        status: 200, body: HTTPBody(Array("[\(entries.joined(separator: ","))]".utf8)))
    })
    let client = GraphQLClient([.dedup, .persistedOperations(), fixture.exchange])
    let tasks = [query("A"), query("B")].map { operation in
      Task { await client.query(operation) }
    }
    for _ in 1...2 {
      while fixture.exchange.waitingCount < 2 { await Task.yield() }
      await fixture.closeWindow()
    }
    #expect(await outcomes(tasks) == ["A", "B"])
    #expect(fixture.transport.requests.count == 2)
  }

  @Test("A thousand operations each get their own response, however they are batched")
  func many() async throws {
    let fixture = try Fixture(batching: { $0.window = .turn })
    let client = GraphQLClient([.dedup, .documentCache, fixture.exchange])
    let isRight = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let task = Task { await client.query(query("Q\(number)")) }
          if number % 3 == 0 { task.cancel() }
          let result = await task.value
          return result.data?["name"]?.string == "Q\(number)"
            || (number % 3 == 0 && result.error == .cancelled)
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(isRight)
    #expect(try fixture.sent.allSatisfy { (1...10).contains($0.count) })
    #expect(fixture.exchange.waitingCount == 0)
  }
}
