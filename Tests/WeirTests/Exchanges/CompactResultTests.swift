import Testing
@testable import Weir
import WeirTesting

/// A large document cache keeps only the text and the decoded value of small results.
@Suite("Results that are kept as text", .timeLimit(.minutes(10)))
struct CompactResultTests {
  private struct Post: Decodable, Sendable {
    struct Fields: Decodable, Sendable { let title: String }
    let post: Fields
  }

  /// A client whose cache is large at once, and that has just looked at each of its entries.
  private func client(
    typed: Bool, server: ScriptedExchange = .immediate { _ in post("title") }
  ) async -> (GraphQLClient, DocumentCacheExchange) {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumBytes = 100_000
    let cache = DocumentCacheExchange(configuration)
    let client = GraphQLClient([.dedup, cache, server])
    for id in 0..<50 {
      let result = await client.query(postQuery("\(id)"))
      if typed { _ = TypedResult<Post>(decoding: result) }
    }
    _ = cache.statistics
    return (client, cache)
  }

  private func payload(
    _ id: Int, in cache: DocumentCacheExchange
  ) -> ResultPayload? {
    cache.state.withLock { state in
      state.table[postQuery("\(id)").identity].flatMap { state.slots[$0].entry?.payload }
    }
  }

  @Test("What is kept as text reads like what was stored (C15)")
  func text() async throws {
    let (client, cache) = await client(typed: false)
    #expect(payload(7, in: cache)?.compacted() == nil)
    for _ in 0..<2 {
      let result = await client.query(postQuery("7"))
      #expect(result.outcome == .hit && result.title == "title")
      #expect(result.looksLike(post("title").withSignal(nil)))
    }
    let (first, second) = (client.peek(postQuery("7")), client.peek(postQuery("7")))
    #expect(first?.data?.document === second?.data?.document)
    // Read data is parsed until the cache looks at the entry again.
    #expect(payload(7, in: cache)?.compacted() != nil)
    _ = cache.statistics
    #expect(payload(7, in: cache)?.compacted() == nil)
    #expect(first?.title == "title" && client.peek(postQuery("7"))?.title == "title")
  }

  @Test("Most results that are requested again in turn are kept as text, too (C15)")
  func inTurn() async {
    let (client, cache) = await client(typed: false)
    for _ in 0..<3 {
      for id in 0..<50 { _ = await client.query(postQuery("\(id)", policy: .networkOnly)) }
    }
    #expect((0..<50).count { payload($0, in: cache)?.compacted() != nil } < 25)
  }

  @Test("A decoded value is kept, and needs no parsing (C15)")
  func value() async {
    let (client, cache) = await client(typed: true)
    let hit = await client.query(postQuery("7"))
    #expect(TypedResult<Post>(decoding: hit).data?.post.title == "title")
    #expect(payload(7, in: cache)?.compacted() == nil)
    struct Other: Decodable, Sendable { let post: Post.Fields }
    #expect(TypedResult<Other>(decoding: hit).data?.post.title == "title")
  }

  @Test("A watched result stays parsed, and a small cache keeps everything (C15)")
  func watched() async {
    let (client, cache) = await client(typed: false)
    var watch = client.watch(postQuery("7")).makeAsyncIterator()
    #expect(await watch.next()?.title == "title")
    _ = cache.statistics
    #expect(payload(7, in: cache)?.compacted() != nil)
    client.invalidate(postQuery("7"))
    #expect(await watch.next()?.isStale == true)

    let small = DocumentCacheExchange()
    let other = GraphQLClient([small, ScriptedExchange.immediate { _ in post("title") }])
    _ = await other.query(postQuery("7"))
    _ = small.statistics
    #expect(payload(7, in: small)?.compacted() != nil)
  }
}
