import TestSupport
import Testing
import Weir
import WeirTesting

extension DocumentCacheTests {
  // MARK: - Bounds (C9)

  @Test("The least recently used entries are evicted first, and watched ones stay (C9)")
  func bounds() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumCount = 3
    let cache = DocumentCacheExchange(configuration)
    // It answers at once: the task of a request may hold its result, and so count as a watch, after the
    // query has returned.
    let server = InlineExchange { _, _ in .just(post("title")) }
    let client = GraphQLClient([DedupExchange(), cache, server])
    var watch = client.watch(postQuery("0")).makeAsyncIterator()
    _ = await watch.next()
    for id in 1...2 { _ = await client.query(postQuery("\(id)")) }
    _ = await client.query(postQuery("1"))
    for id in 3...4 { _ = await client.query(postQuery("\(id)")) }
    let held = (0...4).filter { client.peek(postQuery("\($0)")) != nil }
    #expect(held == [0, 3, 4])
    #expect(cache.statistics.evictions == 2)
    // This use keeps the watch alive until here.
    client.invalidate(postQuery("0"))
    #expect(await watch.next()?.isStale == true)
  }

  @Test("A cache without room stores nothing, but still wakes watches (C9)")
  func noRoom() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumCount = 0
    let cache = DocumentCacheExchange(configuration)
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, cache, postServer()])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    await dedup.landed()
    #expect(await client.query(postQuery()).summary == "title 2")
    #expect(cache.statistics.entryCount == 0 && client.peek(postQuery()) == nil)
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title 1 stale", "title 3"])
  }

  @Test("The bytes of the entries are bounded, and released when they are cleared (C9)")
  func bytes() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumBytes = 100_000
    let cache = DocumentCacheExchange(configuration)
    let text = String(repeating: "x", count: 10_000)
    let server = ScriptedExchange { _ in post(text) }
    let client = GraphQLClient([DedupExchange(), cache, server])
    for id in 0..<100 { _ = await client.query(postQuery("\(id)")) }
    #expect((5...9).contains(cache.statistics.entryCount))
    #expect((50_000...100_000).contains(cache.statistics.bytes))
    client.clear()
    // The last execution may still be leaving dedup.
    await eventually { cache.statistics.keyCount == 0 }
    let after = cache.statistics
    #expect(after.bytes == 0 && after.entryCount == 0 && after.nameCount == 0)
  }

  @Test("Variables count as bytes of the entries (C9)")
  func variables() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumBytes = 100_000
    let cache = DocumentCacheExchange(configuration)
    let client = GraphQLClient([DedupExchange(), cache, postServer()])
    let text = String(repeating: "x", count: 10_000)
    for id in 0..<100 { _ = await client.query(postQuery("\(id)\(text)")) }
    #expect((5...9).contains(cache.statistics.entryCount))
    #expect((50_000...100_000).contains(cache.statistics.bytes))
  }

  @Test("Entries expire after their time to live, or after an execution's shorter maximum age (C9)")
  func timeToLive() async {
    let clock = ManualClock()
    var configuration = DocumentCacheConfiguration()
    configuration.timeToLive = .seconds(60)
    let client = GraphQLClient([
      DedupExchange(), DocumentCacheExchange(configuration, clock: clock), postServer(),
    ])
    _ = await client.query(postQuery())
    clock.advance(by: .seconds(59))
    #expect(client.peek(postQuery()) != nil)
    #expect(client.peek(postQuery().with { $0.maximumAge = .seconds(30) }) == nil)
    clock.advance(by: .seconds(1))
    #expect(client.peek(postQuery()) == nil)
    #expect(await client.query(postQuery()).summary == "title 2")
  }
}
