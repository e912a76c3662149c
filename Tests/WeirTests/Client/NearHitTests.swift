import Testing
import Weir
import WeirTesting

/// A hit of a cache that only dedup precedes does not pass the chain.
@Suite("Hits that need not pass the chain", .timeLimit(.minutes(10)))
struct NearHitTests {
  private func server() -> ScriptedExchange { .immediate { _ in post("title") } }

  @Test(
    "An exchange above the cache sees every hit, wherever dedup is", arguments: [true, false])
  func above(isFirst: Bool) async {
    let seen = Locked(0)
    let counting = InlineExchange { operation, forward in
      seen.withLock { $0 += 1 }
      return forward(operation)
    }
    let front: [any Exchange] = isFirst ? [counting, .dedup] : [.dedup, counting]
    let client = GraphQLClient(front + [.documentCache, server()])
    for _ in 0..<3 { _ = await client.query(postQuery()) }
    _ = client.peek(postQuery())
    // The miss looks twice: before its flight, and in it.
    #expect(seen.withLock { $0 } >= 4)
    let before = seen.withLock { $0 }
    _ = await client.query(postQuery())
    #expect(seen.withLock { $0 } == before + 1)
  }

  @Test("A hit is the same as one that has passed the chain, and counts once")
  func same() async throws {
    let cache = DocumentCacheExchange()
    let server = server()
    let near = GraphQLClient([.dedup, cache, server])
    let far = GraphQLClient([InlineExchange { $1($0) }, cache, server])
    _ = await near.query(postQuery())
    let hits = cache.statistics.hits
    let (one, other) = (await near.query(postQuery()), await far.query(postQuery()))
    #expect(cache.statistics.hits == hits + 2 && server.operations.count == 1)
    #expect(one.outcome == .hit && other.outcome == .hit)
    #expect(one.data == other.data && one.timing == other.timing)
    #expect(!one.isStale && !one.hasNext && one.refreshSignal == nil)
    let peeked = try #require(near.peek(postQuery()))
    #expect(peeked.data == one.data && peeked.outcome == .hit)
  }

  @Test("Only the settings that allow any hit skip the chain")
  func settings() async {
    let clock = ManualClock()
    let cache = DocumentCacheExchange(clock: clock)
    let server = server()
    let client = GraphQLClient([.dedup, cache, server])
    func requests(_ change: (inout OperationContext) -> Void) async -> Int {
      let before = server.operations.count
      _ = await client.query(postQuery().with(change))
      return server.operations.count - before
    }
    #expect(await requests { _ in } == 1)
    #expect(await requests { _ in } == 0)
    #expect(await requests { $0.requestPolicy = .cacheOnly } == 0)
    #expect(await requests { $0.requestPolicy = .networkOnly } == 1)
    #expect(await requests { $0.headers = ["x-tenant": "2"] } == 1)
    clock.advance(by: .seconds(10))
    #expect(await requests { $0.maximumAge = .seconds(5) } == 1)
    // A tag of a hit invalidates the result from then on.
    #expect(await requests { $0.additionalTypenames = ["Tag"] } == 0)
    client.invalidate(types: "Tag")
    #expect(await requests { _ in } == 1)
    client.switchSession()
    #expect(await requests { _ in } == 1)
  }

  @Test("The limits of time of results hold for hits, too")
  func ages() async {
    let clock = ManualClock()
    var configuration = DocumentCacheConfiguration()
    configuration.timeToLive = .seconds(5)
    let server = server()
    let client = GraphQLClient([
      .dedup, DocumentCacheExchange(configuration, clock: clock), server,
    ])
    for (wait, requests) in [(0, 1), (4, 1), (2, 2), (4, 2)] {
      clock.advance(by: .seconds(wait))
      _ = await client.query(postQuery())
      #expect(server.operations.count == requests)
    }
  }

  @Test("A hit keeps the error that came beside partial data, and typed results show it")
  func partial() async {
    let error = OperationError(graphQLErrors: [GraphQLError(message: "No author.")])
    var configuration = DocumentCacheConfiguration()
    configuration.storesPartialResults = true
    let server = ScriptedExchange.immediate { _ in
      OperationResult(data: post("title").data, error: error)
    }
    let client = GraphQLClient([.dedup, .documentCache(configuration), server])
    struct Data: Decodable, Sendable { var post: [String: String] }
    struct Variables: Encodable, Sendable { var id = "1" }
    let document: GraphQLDocument = "query Post($id: ID!) { post(id: $id) { id title } }"
    let query = Query<Data, Variables>(document)
    for outcome in [CacheOutcome.miss, .hit] {
      let result = await client.query(query, Variables())
      #expect(result.outcome == outcome && result.data?.post["id"] == "1")
      #expect(result.error?.graphQLErrors.map(\.message) == ["No author."])
    }
    struct Wrong: Decodable, Sendable { var post: Int }
    let wrong = await client.query(Query<Wrong, Variables>(document), Variables())
    #expect(wrong.data == nil && wrong.error?.code == .decoding && wrong.outcome == .hit)
  }
}
