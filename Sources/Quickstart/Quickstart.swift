import Foundation
import Weir
import WeirLocalServer

/// An example of your own exchange: it reports each request and its duration. It is below the cache, so
/// it does not see cache hits.
struct RequestReport: Exchange {
  let timeline: Timeline

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    let start = ContinuousClock.now
    return forward(operation).map { result in
      timeline.request(operation, took: ContinuousClock.now - start)
      return result
    }
  }
}

@main
struct Quickstart {
  static func main() async throws {
    let options = Options.fromCommandLine()
    let timeline = Timeline()
    timeline.giveUp(after: .seconds(30))

    // The last exchange sends requests, to a real server or to one within this process.
    let server: FetchExchange =
      if let url = options.url { .fetch(url) } else { .fetch(from: try blogServer()) }

    // The client is a chain: operations go from left to right, and results come back.
    let client = GraphQLClient([
      .dedup, .documentCache, RequestReport(timeline: timeline), server,
    ])
    let query =
      options.query
      ?? GraphQLOperation(options.isDemo ? "query Posts { posts { id title } }" : "{ __typename }")

    timeline.step("A query: the cache is empty, so a request is sent.")
    let first = await client.query(query)
    timeline.show(first)
    timeline.expect(first.error == nil, "a result without errors")
    if first.error != nil { timeline.end() }
    timeline.expect(first.outcome == .miss && timeline.requestCount == 1, "a miss, 1 request")

    timeline.step("The same query: the cache has the result.")
    let second = await client.query(query)
    timeline.show(second)
    timeline.expect(second.outcome == .hit && timeline.requestCount == 1, "a hit, no request")

    timeline.step("Three queries at once that need the network: dedup sends one request.")
    let fresh = query.with { $0.requestPolicy = .networkOnly }
    async let a = client.query(fresh)
    async let b = client.query(fresh)
    async let c = client.query(fresh)
    for result in await [a, b, c] { timeline.show(result) }
    if options.isDemo { timeline.expect(timeline.requestCount == 2, "1 request for three queries") }

    timeline.step("A watch: it shows the cached result until that becomes stale.")
    let before = timeline.requestCount
    var seen: [OperationResult] = []
    for await result in client.watch(query) {
      timeline.show(result)
      seen.append(result)
      if seen.count == 1 { await invalidate(query, client, timeline, options) }
      if seen.count == 3 { break }  // Leaving the loop ends the watch.
    }
    timeline.expect(seen.map(\.isStale) == [false, true, false], "cached, then stale, then fresh")
    let requests = timeline.requestCount - before
    timeline.expect(requests == (options.isDemo ? 2 : 1), "the query was sent once more")
    timeline.end()
  }

  /// Makes the watched result stale: by a mutation that returns an object of one of its types, or, on
  /// another server, by a call.
  static func invalidate(
    _ query: GraphQLOperation, _ client: GraphQLClient, _ timeline: Timeline, _ options: Options
  ) async {
    guard options.isDemo else {
      timeline.step("The program invalidates the cached result.")
      return client.invalidate(query)
    }
    timeline.step("A mutation returns a Post; the watched query shows Posts.")
    let rename = GraphQLOperation(
      "mutation Rename($id: ID!, $title: String!) { rename(id: $id, title: $title) { id title } }",
      variables: ["id": "1", "title": "Hello, Weir"])
    timeline.show(await client.mutate(rename))
  }
}
