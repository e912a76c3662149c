import Foundation
import TestSupport
import Testing
@testable import Weir
import WeirTesting

@Suite("Heads of responses", .timeLimit(.minutes(10)))
struct ResponseHeadTests {
  private static let data = #"{"data":{"name":"x"}}"#
  private let heads = Locked<[String]>([])
  private let url = LocalServer.url

  /// Notes the operations, the status and the field `x-id` of each response.
  private func configuration(_ transport: ScriptedTransport) -> FetchConfiguration {
    var configuration = FetchConfiguration()
    configuration.transport = transport
    configuration.reconnection?.initialDelay = .zero
    configuration.onResponse = { [heads] operations, status, headers in
      let names = operations.map { $0.name ?? "" }.joined(separator: "+")
      heads.withLock { $0.append("\(names) \(status) \(headers["X-Id"] ?? "none")") }
    }
    return configuration
  }

  private var noted: [String] { heads.withLock { $0 } }

  private static func response(_ body: String, type: String = "application/json") -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["content-type": type, "x-id": "7"], body: HTTPBody(Array(body.utf8)))
  }

  @Test(
    "The head of each response is reported, whatever the status and the body are",
    arguments: [200, 204, 307, 401, 503], [data, "", "<html>"])
  func statuses(status: Int, body: String) async {
    let transport = ScriptedTransport(body, status: status, headers: ["x-id": "7"])
    let client = GraphQLClient([.dedup, .documentCache, .fetch(url, configuration(transport))])
    _ = await client.query(GraphQLOperation("query Q { name }"))
    #expect(noted == ["Q \(status) 7"])
    _ = await client.mutate(GraphQLOperation("mutation M { name }"))
    #expect(noted == ["Q \(status) 7", "M \(status) 7"])
  }

  @Test("It is reported before the body has arrived, and also if the body is lost")
  func lostBody() async {
    let transport = ScriptedTransport { [heads] _ in
      let body = AsyncThrowingStream { () -> [UInt8]? in
        #expect(heads.withLock { $0 } == ["Q 200 none"])
        throw HTTPTransportError(.connectionLost, "Gone.")
      }
      return HTTPResponse(status: 200, body: HTTPBody(body))
    }
    let client = GraphQLClient([.fetch(url, configuration(transport))])
    #expect(await client.query(GraphQLOperation("query Q { name }")).error?.code == .transport)
    #expect(noted == ["Q 200 none"])
  }

  @Test("Nothing is reported if no response arrives, or if a cache answers")
  func noResponse() async {
    let isOnline = Locked(true)
    let transport = ScriptedTransport { _ in
      guard isOnline.withLock(\.self) else { throw HTTPTransportError(.offline, "") }
      return Self.response(Self.data)
    }
    let client = GraphQLClient([.dedup, .documentCache, .fetch(url, configuration(transport))])
    for _ in 1...2 { _ = await client.query(GraphQLOperation("query Q { name }")) }
    isOnline.withLock { $0 = false }
    _ = await client.query(GraphQLOperation("query Q { name }").with(.networkOnly))
    #expect(noted == ["Q 200 7"])
  }

  @Test("A streamed response is reported once, and each connection of a subscription")
  func streamed() async {
    let event = "event: next\ndata: \(Self.data)\n\n"
    let connections = Counter()
    let transport = ScriptedTransport { request in
      if request.text.contains("query D") {
        let rest = #"{"incremental":[{"path":[],"data":{"more":1}}],"hasNext":false}"#
        let first = #"{"data":{"name":"x"},"hasNext":true}"#
        let parts = [first, rest].map { "--b\r\ncontent-type: application/json\r\n\r\n\($0)\r\n" }
        return Self.response(parts.joined() + "--b--", type: "multipart/mixed; boundary=b")
      }
      let isLast = connections.next() == 2
      return Self.response(
        isLast ? event + "event: complete\ndata:\n\n" : event + event, type: "text/event-stream")
    }
    let client = GraphQLClient([.fetch(url, configuration(transport))])
    let deferred = await client.results(
      of: GraphQLOperation("query D { name ... @defer { more } }")
    )
    .reduce(into: []) { $0.append($1.hasNext) }
    #expect(deferred == [true, false])
    #expect(noted == ["D 200 7"])
    let events = await client.subscribe(GraphQLOperation("subscription S { name }")).reduce(0) {
      count, _ in count + 1
    }
    #expect(events == 3)
    #expect(noted == ["D 200 7", "S 200 7", "S 200 7"])
  }

  @Test("Both responses of a persisted query are reported, and those of all attempts")
  func severalRequests() async {
    let requests = Counter()
    let transport = ScriptedTransport { _ in
      switch requests.next() {
      case 1: HTTPResponse(status: 503)
      case 2: Self.response(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
      default: Self.response(Self.data)
      }
    }
    var retry = RetryConfiguration()
    retry.initialDelay = .zero
    let client = GraphQLClient([
      .retry(retry), .persistedOperations(), .fetch(url, configuration(transport)),
    ])
    #expect(await client.query(GraphQLOperation("query Q { name }")).error == nil)
    #expect(noted == ["Q 503 none", "Q 200 7", "Q 200 7"])
  }

  @Test("The response to a batch is reported once with its operations, also to a batch of one")
  func batch() async {
    let transport = ScriptedTransport { request in
      Self.response(request.text.hasPrefix("[") ? "[\(Self.data),\(Self.data)]" : Self.data)
    }
    var batching = BatchConfiguration()
    let clock = ManualClock()
    batching.window = .duration(.milliseconds(10), clock: clock)
    let batch = BatchFetchExchange(
      url, configuration: configuration(transport), batching: batching)
    let client = GraphQLClient([batch])
    for names in [["A"], ["B", "C"]] {
      var tasks: [Task<OperationResult, Never>] = []
      for name in names {
        let query = GraphQLOperation(GraphQLDocument("query \(name) { name }"))
        tasks.append(Task { await client.query(query) })
        await eventually { batch.waitingCount == tasks.count }
      }
      await clock.sleepers(1)
      clock.advance(by: .milliseconds(10))
      for task in tasks { #expect(await task.value.error == nil) }
    }
    #expect(noted == ["A 200 7", "B+C 200 7"])
  }
}
