import Foundation
import TestSupport
import Testing
@testable import Weir
import WeirTesting

@Suite("Batch fetch exchange", .timeLimit(.minutes(10)))
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
    await eventually { fixture.clock.sleeperCount == 0 }
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

  @Test("Neutral header fields do not keep operations apart, but idempotency keys do")
  func neutralHeaders() async throws {
    let fixture = try Fixture()
    let traced = ["A", "B"].map { name in
      query(name).with { $0.headers["traceparent"] = "00-\(name)" }
    }
    let queries = await fixture.start(traced)
    await fixture.closeWindow()
    #expect(await outcomes(queries) == ["A", "B"])
    #expect(fixture.transport.requests.map { $0.headers["traceparent"] } == ["00-A"])
    let keyed = ["C", "D"].map { name in
      mutation(name).with { $0.headers["idempotency-key"] = name }
    }
    let mutations = await fixture.start(keyed)
    await fixture.closeWindow(batches: 2)
    #expect(await outcomes(mutations) == ["C", "D"])
    #expect(try fixture.sent == [["A", "B"], ["C"], ["D"]])
    let tokens = ["E", "F"].map { name in
      query(name).with {
        $0.headerRules.neutral.insert("authorization")
        $0.headers["authorization"] = name
      }
    }
    let users = await fixture.start(tokens)
    await fixture.closeWindow(batches: 2)
    #expect(await outcomes(users) == ["E", "F"])
    #expect(fixture.transport.requests.suffix(2).map { $0.headers["authorization"] } == ["E", "F"])
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
      query("F").with { $0.requestTimeout = .seconds(180) },
      GraphQLOperation("query C($f: Upload) { name(f: $f) }", variables: ["f": file]),
      GraphQLOperation("query D { ... @defer { name } }"),
      GraphQLOperation("query E { names @stream { name } }"),
    ] {
      _ = await fixture.client.query(operation)
    }
    #expect(fixture.transport.requests.count == 6)
    #expect(fixture.transport.requests.filter { $0.timeout == .seconds(180) }.count == 1)
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
    for round in 1...2 {
      // Those of the round before count as waiting until their request has left.
      await eventually {
        fixture.transport.requests.count >= round - 1 && fixture.exchange.waitingCount >= 2
      }
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
