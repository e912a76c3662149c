import Foundation
import Testing
import Weir
import WeirTesting

/// Records events in the form "1 →", "1 ← miss", "1 finished".
private final class Recorder: Sendable {
  private let events = Locked([DebugExchange.Event]())

  var all: [DebugExchange.Event] { events.withLock { $0 } }
  var summary: [String] { all.map(\.summary) }

  func record(_ event: DebugExchange.Event) { events.withLock { $0.append(event) } }
}

extension DebugExchange.Event {
  fileprivate var summary: String {
    switch kind {
    case .operation: "\(execution) →"
    case .result(let result): "\(execution) ← \(result.outcome)\(result.isStale ? " stale" : "")"
    case .end(let ending): "\(execution) \(ending.rawValue)"
    }
  }
}

@Suite("Debug events and traces", .timeLimit(.minutes(10)))
struct DebugTests {
  @Test("Each execution reports its start, its results and its end, for cache hits too (A3)")
  func events() async {
    let app = Recorder()
    let network = Recorder()
    let client = GraphQLClient([
      .debug("app", report: app.record), .dedup, .documentCache,
      .debug("network", report: network.record), postServer(),
    ])
    _ = await client.results(of: postQuery()).all()
    _ = await client.query(postQuery())
    _ = await client.results(of: postQuery(policy: .cacheAndNetwork)).all()
    #expect(network.summary == ["1 →", "1 ← miss", "1 finished", "2 →", "2 ← miss", "2 finished"])
    #expect(
      app.summary == [
        "1 →", "1 ← miss", "1 finished", "2 →", "2 ← hit", "2 finished", "3 →", "3 ← hit stale",
        "3 ← miss", "3 finished",
      ])
    #expect(client.peek(postQuery())?.title == "title 2")
  }

  @Test("An execution without its last result is reported as cancelled, with it as finished (A3)")
  func cancelled() async {
    let recorder = Recorder()
    let server = postServer { operation in
      if operation.key == postQuery("stuck").key { await Gate().pass() }
    }
    let client = GraphQLClient([.debug("x", report: recorder.record), server])
    let task = Task { await client.query(postQuery("stuck")) }
    await server.received(1)
    task.cancel()
    _ = await task.value
    _ = await client.query(postQuery("2"))
    #expect(recorder.summary == ["1 →", "1 cancelled", "2 →", "2 ← miss", "2 finished"])
  }

  @Test("A watch above a deferred stream makes it once, and reports it once (A3)")
  func deferred() async {
    let recorder = Recorder()
    let made = Locked(0)
    let deferring = InlineExchange { operation, forward in
      .deferred {
        made.withLock { $0 += 1 }
        return forward(operation)
      }
    }
    let client = GraphQLClient([
      .debug("x", report: recorder.record), deferring, postServer { _ in await Task.yield() },
    ])
    _ = await client.watch(postQuery()).first { _ in true }
    #expect(made.withLock { $0 } == 1)
    #expect(recorder.summary == ["1 →", "1 ← miss", "1 finished"])
  }

  @Test("An event has the time since the start of its execution (A3)")
  func elapsed() async {
    let (clock, recorder) = (ManualClock(), Recorder())
    let server = ScriptedExchange { _ in
      clock.advance(by: .seconds(2))
      return post("title")
    }
    let client = GraphQLClient([
      DebugExchange("x", clock: clock, report: recorder.record), server,
    ])
    for _ in 0..<2 { _ = await client.results(of: postQuery()).all() }
    #expect(recorder.all.map(\.time) == [0, 2, 2, 2, 4, 4].map { .seconds($0) })
    #expect(recorder.all.map(\.elapsed) == [0, 2, 2, 0, 2, 2].map { .seconds($0) })
  }

  @Test("An event's description contains neither data nor variables (A3)")
  func description() async {
    let recorder = Recorder()
    let client = GraphQLClient([.debug("x", report: recorder.record), postServer()])
    _ = await client.query(postQuery("secret"))
    #expect(recorder.all.count == 3)
    for event in recorder.all {
      #expect(event.description.contains("x #1: query Post"))
      #expect(!event.description.contains("secret") && !event.description.contains("title"))
    }
  }

  @Test("Descriptions of operations and results contain no data, variables or headers")
  func descriptions() async {
    let operation = postQuery("secret").with { $0.headers["authorization"] = "secret" }
    #expect("\(operation)" == "query Post \(operation.key)")
    let data = #"{"post":{"title":"secret"}}"#
    let client = GraphQLClient([
      .documentCache, ScriptedExchange { _ in .data(data, errors: [GraphQLError(message: "No")]) },
    ])
    #expect("\(await client.query(operation))" == "miss, 27 bytes of data, graphQL: No")
    var nothing = await client.query(operation.with { $0.requestPolicy = .cacheOnly })
    nothing.isStale = true
    nothing.error = nil
    #expect("\(nothing)" == "miss, stale, no data")
  }

  @Test(
    "Every event sequence gets all events, and ends with the exchange (A3)")
  func sequences() async {
    var readers: [AsyncStream<DebugExchange.Event>] = []
    do {
      let debug = DebugExchange("x", report: nil)
      let client = GraphQLClient([debug, postServer()])
      readers = [debug.events(), debug.events(bufferingNewest: 2)]
      _ = await client.query(postQuery())
    }
    var found: [[String]] = []
    for reader in readers {
      found.append(await reader.reduce(into: []) { $0.append($1.summary) })
    }
    #expect(found == [["1 →", "1 ← miss", "1 finished"], ["1 ← miss", "1 finished"]])
  }

  @Test(
    "A trace is valid JSON with a span per execution and a track per exchange, without data (A3)")
  func trace() async throws {
    let clock = ManualClock()
    let trace = TraceRecorder()
    let server = ScriptedExchange { operation in
      clock.advance(by: .microseconds(1_500))
      if operation.kind == .mutation {
        return OperationResult(
          error: OperationError(code: .httpStatus, message: "secret", httpStatus: 503))
      }
      return post("secret")
    }
    let client = GraphQLClient([
      DebugExchange(#"the "app""#, clock: clock, report: trace.record), .dedup, .documentCache,
      DebugExchange("network", clock: clock, report: trace.record), server,
    ])
    for _ in 0..<2 { _ = await client.results(of: postQuery("secret")).all() }
    _ = await client.mutate(updatePost)

    let file = URL(filePath: NSTemporaryDirectory()).appending(path: "\(UUID()).trace.json")
    defer { try? FileManager.default.removeItem(at: file) }
    try trace.write(to: file)
    let bytes = Array(try Data(contentsOf: file))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
    // Foundation must accept it, too.
    #expect(try JSONSerialization.jsonObject(with: Data(bytes)) is [String: Any])
    let events = try JSON(parsing: bytes)["traceEvents"]?.elements.map(\.self) ?? []
    let phases = events.map { $0["ph"]?.string ?? "none" }.joined()
    #expect(phases.filter { $0 == "M" }.count == 2)
    #expect(phases.filter { $0 == "b" }.count == 5 && phases.filter { $0 == "e" }.count == 5)
    #expect(phases.filter { $0 == "n" }.count == 5)

    let spans = Dictionary(grouping: events.filter { $0["ph"]?.string != "M" }) {
      $0["id"]?.string ?? "none"
    }
    #expect(spans.count == 5)
    for span in spans.values {
      #expect(span.first?["ph"]?.string == "b" && span.last?["ph"]?.string == "e")
      let times = span.compactMap { $0["ts"]?.double }
      #expect(times.count == 3 && times == times.sorted())
      #expect(Set(span.compactMap { $0["tid"]?.int }).count == 1)
    }
    let first = try #require(spans["1-1"])
    #expect(first[0]["name"]?.string == "query Post")
    #expect(first[0]["ts"]?.double == 0 && first[2]["ts"]?.double == 1_500)
    let failed = events.compactMap { $0["args"]?["status"]?.int }
    #expect(failed == [503, 503])
  }

  @Test("A trace keeps the newest events (A3)")
  func traceBound() async throws {
    let trace = TraceRecorder(maximumCount: 4)
    let client = GraphQLClient([.debug("x", trace: trace), postServer()])
    for id in 1...5 { _ = await client.query(postQuery("\(id)")) }
    let events = try JSON(parsing: trace.json)["traceEvents"]?.elements.map(\.self) ?? []
    #expect(events.compactMap { $0["id"]?.string } == ["1-4", "1-5", "1-5", "1-5"])
  }

  @Test("Events that somebody keeps do not keep a cache from evicting (A3, C9)")
  func keptEvents() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumCount = 10
    let cache = DocumentCacheExchange(configuration)
    let recorder = Recorder()
    let client = GraphQLClient([.debug("app", report: recorder.record), cache, postServer()])
    for id in 0..<100 { _ = await client.query(postQuery("\(id)")) }
    #expect(recorder.all.count == 300)
    #expect(cache.statistics.entryCount <= 10)
  }

  @Test("Exchanges of equal names have tracks of their own in a trace (A3)")
  func equalNames() async throws {
    let trace = TraceRecorder()
    for _ in 0..<2 {
      let client = GraphQLClient([.debug("app", trace: trace), postServer()])
      _ = await client.query(postQuery())
    }
    let events = try JSON(parsing: trace.json)["traceEvents"]?.elements.map(\.self) ?? []
    let beginnings = events.filter { $0["ph"]?.string == "b" }.compactMap { $0["id"]?.string }
    #expect(beginnings == ["1-1", "2-1"])
  }
}
