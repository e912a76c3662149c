import Foundation
import Testing
import Weir

@Suite("Leaving an operation closes its connection (H9)", .timeLimit(.minutes(10)))
struct CancellationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var server: Server
    var document: String
    var types: StreamedMediaTypes = []
    /// Whether a result arrives before the consumer leaves.
    var hasFirst = true

    var testDescription: String { "\(server): \(document)" }
  }

  static let cases =
    [Server.strawberry, .ariadne, .core].map {
      Case(server: $0, document: "query Q { never }", hasFirst: false)
    }
    + [Server.strawberry, .core, .core2022, .core2020].map {
      Case(server: $0, document: "query Q { post(id: \"p1\") { id ... @defer { never } } }")
    }
    + [Server.strawberry, .ariadne, .core].map {
      Case(server: $0, document: "subscription Q { endless }", types: .eventStream)
    }
    + [Server.multipart, .core].map {
      Case(server: $0, document: "subscription Q { endless }", types: .multipart)
    }

  private func client(_ space: Space, _ test: Case, _ sender: Sender) -> GraphQLClient {
    var configuration = sender.configuration
    configuration.subscriptionMediaTypes = test.types
    return GraphQLClient([
      .dedup, .documentCache, .fetch(space.url(of: test.server), configuration),
    ])
  }

  @Test(
    "Cancelling the task that iterates closes the connection", arguments: cases, Sender.allCases)
  func cancelTask(test: Case, sender: Sender) async throws {
    let space = try await Space()
    let stream = client(space, test, sender).results(
      of: GraphQLOperation(GraphQLDocument(test.document)))
    let (received, signal) = AsyncStream.makeStream(of: OperationResult.self)
    let task = Task {
      for await result in stream { signal.yield(result) }
      signal.finish()
    }
    var results = received.makeAsyncIterator()
    if test.hasFirst { #expect(await results.next()?.error == nil) }
    _ = try await space.stats(when: "inFlight", reaches: 1)
    task.cancel()
    await task.value
    #expect(await results.next() == nil)
    let stats = try await space.stats(when: "closedEarly", reaches: 1)
    #expect(stats.closedEarlyByOperation == ["Q": 1])
  }

  @Test(
    "Dropping the iterator closes the connection", arguments: cases.filter(\.hasFirst),
    Sender.allCases)
  func dropIterator(test: Case, sender: Sender) async throws {
    let space = try await Space()
    let client = client(space, test, sender)
    for await result in client.results(of: GraphQLOperation(GraphQLDocument(test.document))) {
      #expect(result.hasNext)
      break
    }
    let stats = try await space.stats(when: "closedEarly", reaches: 1)
    #expect(stats.closedEarlyByOperation == ["Q": 1])
  }

  @Test(
    "Cancelling a task that awaits a query closes the connection",
    arguments: cases.filter { $0.types == [] }, Sender.allCases)
  func cancelQuery(test: Case, sender: Sender) async throws {
    let space = try await Space()
    let client = client(space, test, sender)
    let task = Task { await client.query(GraphQLOperation(GraphQLDocument(test.document))) }
    _ = try await space.stats(when: "inFlight", reaches: 1)
    task.cancel()
    #expect(await task.value.error == .cancelled)
    let stats = try await space.stats(when: "closedEarly", reaches: 1)
    #expect(stats.closedEarlyByOperation == ["Q": 1])
  }

  @Test(
    "A shared deferred query stays connected while one of its two consumers remains",
    arguments: Sender.allCases)
  func shared(sender: Sender) async throws {
    let space = try await Space()
    let client = client(
      space,
      Case(server: .core, document: "query Q { post(id: \"p1\") { id ... @defer { never } } }"),
      sender)
    let query = GraphQLOperation("query Q { post(id: \"p1\") { id ... @defer { never } } }")
    var second = client.results(of: query).makeAsyncIterator()
    do {
      var first = client.results(of: query).makeAsyncIterator()
      #expect(await first.next()?.hasNext == true)
      #expect(await second.next()?.hasNext == true)
    }
    try await space.release()
    #expect(await second.next()?.data?["post"]?["never"]?.string == "released")
    #expect(await second.next() == nil)
    let stats = try await space.stats()
    #expect(stats.operations == ["Q": 1])
    #expect(stats.closedEarly == 0)
  }
}
