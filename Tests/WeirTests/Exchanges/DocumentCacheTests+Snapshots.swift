import Foundation
import Testing
import Weir
import WeirTesting

extension DocumentCacheTests {
  // MARK: - Snapshots (C9)

  @Test("A snapshot restores results with their types (C9)")
  func snapshot() async throws {
    let first = DocumentCacheExchange()
    let (client, _) = client(
      [
        "Post": #"{"post":{"id":"1","title":"kept","__typename":"Post"}}"#,
        "Todos": #"{"todos":[]}"#,
      ],
      cache: first)
    _ = await client.query(postQuery())
    _ = await client.query(postQuery("2").with { $0.additionalTypenames = ["Feed"] })
    _ = await client.query(Self.todos)
    let bytes = try JSONEncoder().encode(first.snapshot())
    let snapshot = try JSONDecoder().decode(DocumentCacheSnapshot.self, from: bytes)
    #expect(snapshot.count == 3)

    let second = DocumentCacheExchange()
    let (restarted, server) = self.client(["Log": #"{"log":1}"#], cache: second)
    #expect(second.restore(snapshot) == 3)
    #expect(second.restore(snapshot) == 0)
    #expect(await restarted.query(postQuery()).title == "kept")
    restarted.invalidate(types: "Feed")
    #expect(restarted.peek(postQuery("2")) == nil && restarted.peek(postQuery()) != nil)
    // The element type of the list is still unknown.
    #expect(restarted.peek(Self.todos) == nil)
    restarted.invalidate(types: "Post")
    #expect(restarted.peek(postQuery()) == nil)
    #expect(server.operations.isEmpty)
  }

  @Test("A restored result has the timing of its response (C9, C11)")
  func timingInSnapshot() async throws {
    let date = Date(timeIntervalSinceNow: -5)
    for maximumAge in [nil, Duration.seconds(60)] {
      let timing = ResultTiming(
        receivedAt: date, duration: .seconds(2), maximumAge: maximumAge)
      let server = ScriptedExchange { _ in OperationResult(data: post("a").data, timing: timing) }
      let first = DocumentCacheExchange()
      let client = GraphQLClient([first, server])
      _ = await client.query(postQuery())
      let bytes = try JSONEncoder().encode(first.snapshot())
      let second = DocumentCacheExchange()
      second.restore(try JSONDecoder().decode(DocumentCacheSnapshot.self, from: bytes))
      #expect(GraphQLClient([second, server]).peek(postQuery())?.timing == timing)
    }
  }

  @Test("Damaged snapshot entries are skipped, and extreme times are accepted (C9)")
  func damagedSnapshot() throws {
    func entry(_ text: String, _ more: String) -> String {
      #"{"text":"\#(text)","variables":"{}","names":[],"unknownFields":[],\#(more)}"#
    }
    let entries = [
      entry("a", #""data":"{""#), entry("b", #""data":"[1]""#),
      entry("c", #""data":"{}","receivedAt":-1e300,"duration":1e300"#),
      entry("d", #""data":"{}","receivedAt":1e300,"duration":-1e300"#),
    ]
    let text = #"{"entries":[\#(entries.joined(separator: ","))]}"#
    let snapshot = try JSONDecoder().decode(DocumentCacheSnapshot.self, from: Data(text.utf8))
    let cache = DocumentCacheExchange()
    #expect(cache.restore(snapshot) == 2)
    #expect(Set(cache.entries.map(\.text)) == ["c", "d"])
  }

  @Test("A snapshot omits results that were stored with errors (C9)")
  func snapshotOfPartialData() async {
    var configuration = DocumentCacheConfiguration()
    configuration.storesPartialResults = true
    let cache = DocumentCacheExchange(configuration)
    let server = ScriptedExchange { _ in
      .data(#"{"post":null}"#, errors: [GraphQLError(message: "no", path: [.key("post")])])
    }
    let client = GraphQLClient([cache, server])
    _ = await client.query(postQuery())
    #expect(client.peek(postQuery()) != nil)
    #expect(cache.snapshot().count == 0)
  }

  @Test("A restored result keeps its age (C9)")
  func restoredAge() async {
    let first = DocumentCacheExchange()
    _ = await GraphQLClient([first, postServer()]).query(postQuery())
    var snapshot = first.snapshot()
    snapshot.entries[0].receivedAt = Date(timeIntervalSinceNow: -3600)
    var configuration = DocumentCacheConfiguration()
    configuration.timeToLive = .seconds(7200)
    let clock = ManualClock()
    let second = DocumentCacheExchange(configuration, clock: clock)
    #expect(second.restore(snapshot) == 1)
    let client = GraphQLClient([second])
    #expect(client.peek(postQuery()) != nil)
    clock.advance(by: .seconds(4000))
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("A snapshot that an earlier version has written is restored (C9)")
  func savedSnapshot() throws {
    // It must not be adapted to a change: see the article Internals.
    let text = #"""
      {"entries":[{"data":"{\"post\":{\"__typename\":\"Post\",\"id\":\"1\",\"title\":\"a\"}}",
      "duration":0.25,"extensions":"{\"cost\":1}","names":["Post"],"receivedAt":800000000,
      "retention":10000000000,
      "scope":"23:https://example.com/api15:accept-language32:959a45d44e6fcf58361ed004681556fe",
      "text":"query Post($id: ID!) {\n  post(id: $id) {\n    id\n    title\n    __typename\n  }\n}",
      "unknownFields":[],"variables":"{\"id\":\"1\"}"},
      {"data":"{\"a\":1}","names":[],"receivedAt":800000000,"retention":3600,"text":"{\n  a\n}",
      "unknownFields":[],"variables":"{}"},
      {"data":"{\"b\":1}","names":[],"receivedAt":800000000,"text":"{\n  b\n}",
      "unknownFields":[],"variables":"{}"}]}
      """#
    let snapshot = try JSONDecoder().decode(DocumentCacheSnapshot.self, from: Data(text.utf8))
    let cache = DocumentCacheExchange()
    cache.restore(snapshot)
    let client = GraphQLClient([cache])
    let query = postQuery().with {
      $0.endpoint = URL(string: "https://example.com/api")
      $0.headers["accept-language"] = "de"
    }
    let hit = client.peek(query)
    #expect(hit?.title == "a" && hit?.extensions?["cost"]?.int == 1)
    #expect(hit?.timing?.receivedAt == Date(timeIntervalSinceReferenceDate: 800_000_000))
    #expect(hit?.timing?.duration == .milliseconds(250))
    #expect(client.peek(GraphQLOperation("{ b }")) != nil)
    #expect(client.peek(GraphQLOperation("{ a }")) == nil, "Its retention is over")
    client.invalidate(types: "Post")
    #expect(client.peek(query) == nil)
  }

  @Test("A result of an exchange without timing does not become younger by a restart (C9)")
  func ageWithoutTiming() async {
    var configuration = DocumentCacheConfiguration()
    configuration.timeToLive = .seconds(60)
    let clock = ManualClock()
    let first = DocumentCacheExchange(configuration, clock: clock)
    _ = await GraphQLClient([first, postServer()]).query(postQuery())
    clock.advance(by: .seconds(40))
    let second = DocumentCacheExchange(configuration, clock: clock)
    #expect(second.restore(first.snapshot()) == 1)
    let client = GraphQLClient([second, postServer()])
    let hit = client.peek(postQuery())
    #expect(hit != nil && hit?.timing == nil)
    clock.advance(by: .seconds(30))
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("A result that was received when the system's clock was ahead is not fresh for ever (C9)")
  func clockAhead() async {
    let first = DocumentCacheExchange()
    _ = await GraphQLClient([first, postServer()]).query(postQuery())
    var snapshot = first.snapshot()
    snapshot.entries[0].receivedAt = Date(timeIntervalSinceNow: 1e6)
    var configuration = DocumentCacheConfiguration()
    for limit: Duration? in [nil, .seconds(3600)] {
      configuration.timeToLive = limit
      let second = DocumentCacheExchange(configuration)
      second.restore(snapshot)
      let hit = GraphQLClient([second, postServer()]).peek(postQuery())
      #expect((hit != nil) == (limit == nil))
    }
  }
}
