import Foundation
import Testing
import Weir
import WeirTesting

@Suite("A connection that is lost in mid-stream", .timeLimit(.minutes(10)))
struct LostConnectionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var server: Server
    var types: StreamedMediaTypes
    var kind: String

    var testDescription: String {
      "\(server), \(types == .eventStream ? "event stream" : "multipart"), \(kind)"
    }
  }

  private static func cases(_ pairs: [(Server, StreamedMediaTypes)]) -> [Case] {
    pairs.flatMap { server, types in
      // The server closes in the middle of a chunked body, or resets the connection.
      ["", "&abruptly"].map { Case(server: server, types: types, kind: $0) }
    }
  }

  static let queries = cases([
    (.strawberry, .multipart), (.core, .multipart), (.core2022, .multipart),
    (.core2020, .multipart), (.strawberry, .eventStream), (.core, .eventStream),
    (.core2022, .eventStream),
  ])

  static let subscriptions = cases([
    (.strawberry, .eventStream), (.ariadne, .eventStream), (.core, .eventStream),
    (.multipart, .multipart), (.core, .multipart),
  ])

  private func client(
    _ url: URL, _ types: StreamedMediaTypes, _ sender: Sender, reconnection: Reconnection? = nil,
    cached: Bool = false
  ) -> GraphQLClient {
    var configuration = sender.configuration
    configuration.reconnection = reconnection
    configuration.subscriptionMediaTypes = types
    let fetch = FetchExchange(url, configuration: configuration)
    // However long the test takes, the losses are closer together than two refetches.
    let cache = DocumentCacheExchange(clock: ManualClock())
    return GraphQLClient(cached ? [.dedup, cache, fetch] : [fetch])
  }

  @Test(
    "The data that a deferred query has received stays, with the error beside it (H4)",
    arguments: queries, Sender.allCases)
  func query(test: Case, sender: Sender) async throws {
    let space = try await Space()
    let client = client(space.url(of: test.server, "cut=1\(test.kind)"), test.types, sender)
    var operation = GraphQLOperation(
      "query Q { post(id: \"p1\") { id ... @defer { slowBody } } }")
    if test.types == .eventStream { operation.context.headers["accept"] = "text/event-stream" }
    let post = #"{"post":{"__typename":"Post","id":"p1"}}"#
    let found = await lines(client.results(of: operation))
    #expect(
      found == [
        post + " more", post + " transport: connectionLost",
      ])
    // The query is not retried, because the server may have executed it.
    #expect(try await space.stats().operations == ["Q": 1])
  }

  @Test(
    "Before the first result, the error is the result (H3)", arguments: queries, Sender.allCases)
  func nothing(test: Case, sender: Sender) async throws {
    let space = try await Space()
    let client = client(space.url(of: test.server, "cut=0\(test.kind)"), test.types, sender)
    var operation = GraphQLOperation("query Q { post(id: \"p1\") { id ... @defer { slowBody } } }")
    if test.types == .eventStream { operation.context.headers["accept"] = "text/event-stream" }
    let result = await client.query(operation)
    #expect(result.error?.code == .transport)
    #expect((result.error?.underlying as? HTTPTransportError)?.code == .connectionLost)
    #expect(result.data == nil)
  }

  @Test(
    "Without reconnection, a subscription's last result is the error (H6)",
    arguments: subscriptions,
    Sender.allCases)
  func subscription(test: Case, sender: Sender) async throws {
    let space = try await Space()
    let client = client(space.url(of: test.server, "cut=2\(test.kind)"), test.types, sender)
    let operation = GraphQLOperation("subscription S { count(to: 3) }")
    let found = await lines(client.subscribe(operation))
    #expect(
      found == [
        #"{"count":1} more"#, #"{"count":2} more"#, "transport: connectionLost",
      ])
    #expect(try await space.stats().operations == ["S": 1])
  }

  @Test(
    "With reconnection, a subscription resumes after back-off, and watches are refetched (H6)",
    arguments: subscriptions, Sender.allCases)
  func reconnection(test: Case, sender: Sender) async throws {
    let space = try await Space()
    let clock = ManualClock()
    let client = client(
      space.url(of: test.server, "cut=2,0,1&of=S\(test.kind)"), test.types, sender,
      reconnection: Reconnection(clock: clock, random: { 0.5 }), cached: true)
    var watched = client.watch(
      GraphQLOperation("query W { post(id: \"p1\") { title } }")
    ).makeAsyncIterator()
    let post = #"{"post":{"__typename":"Post","title":"Post 1"}}"#
    #expect(await watched.next()?.line == post)
    let subscription = Task {
      await lines(client.subscribe(GraphQLOperation("subscription S { count(to: 3) }")))
    }
    // Half of 0.5, 1 and 2 seconds. An event does not reset the delay.
    for (delay, before) in [(250, 1), (500, 2), (1000, 3)] {
      await clock.sleepers(1)
      #expect(try await space.stats().operations["S"] == before)
      clock.advance(by: .milliseconds(delay - 1))
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .milliseconds(1))
    }
    #expect(
      await subscription.value == [1, 2, 1, 1, 2, 3].map { #"{"count":\#($0)} more"# })
    #expect(await watched.next()?.isStale == true)
    let refreshed = await watched.next()
    #expect(refreshed?.line == post)
    #expect(refreshed?.isStale == false)
    let stats = try await space.stats()
    #expect(stats.operations["S"] == 4)
    #expect(stats.operations["W"] == 2)
  }
}
