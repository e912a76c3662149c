import TestSupport
import Testing
@testable import Weir
import WeirTesting

/// An invalidation notes an instant. What it has outdated is found and freed later.
@Suite("Entries that an invalidation has outdated", .timeLimit(.minutes(10)))
struct OutdatedEntryTests {
  private static func user(_ id: Int) -> GraphQLOperation {
    GraphQLOperation(
      "query User($id: ID!) { user(id: $id) { id name } }", variables: ["id": "\(id)"])
  }

  private static var server: ScriptedExchange {
    .immediate { operation in
      switch operation.name {
      case "User": .data(#"{"user":{"id":"1","name":"n","__typename":"User"}}"#)
      case "Post": post("title")
      default: updated
      }
    }
  }

  private static func entryCount(_ cache: DocumentCacheExchange) -> Int {
    cache.state.withLock { $0.slots.entryCount }
  }

  @Test("Later requests free the memory of entries that a mutation has outdated (C4, C9)")
  func requestsFree() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([cache, Self.server])
    for id in 0..<1_000 { _ = await client.query(postQuery("\(id)")) }
    _ = await client.mutate(updatePost)
    #expect(client.peek(postQuery("1")) == nil)
    // The mutation does not depend on the number of entries.
    #expect(Self.entryCount(cache) > 900)
    for id in 0..<300 { _ = await client.query(Self.user(id)) }
    #expect(Self.entryCount(cache) == 300)
  }

  @Test(
    "A mutation supersedes a list of unknown type that is requested for the first time (C2, C5)",
    arguments: [true, false])
  func firstRequestOfList(isInvalidatedByHand: Bool) async {
    let gate = Gate()
    let requests = Counter()
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else { return updated }
      if requests.next() > 1 { return .data(#"{"posts":[{"id":"1","__typename":"Post"}]}"#) }
      await gate.pass()
      return .data(#"{"posts":[]}"#)
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let list = GraphQLOperation("{ posts { id } }")
    async let result = client.query(list)
    await server.received(1)
    if isInvalidatedByHand {
      client.invalidate(types: "Post")
    } else {
      _ = await client.mutate(updatePost)
    }
    gate.open()
    #expect(await result.data?["posts"]?.count == 1)
    #expect(client.peek(list)?.data?["posts"]?.count == 1)
  }

  @Test("Later mutations free them, too (C4, C9)")
  func mutationsFree() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([cache, Self.server])
    for id in 0..<1_000 { _ = await client.query(postQuery("\(id)")) }
    for _ in 0..<300 { _ = await client.mutate(updatePost) }
    #expect(Self.entryCount(cache) == 0)
  }

  @Test("Refetches of a watch free them, too, but slowly (C4, C9)")
  func refetchesFree() async {
    let cache = DocumentCacheExchange()
    let server = Self.server
    let client = GraphQLClient([cache, server])
    for id in 0..<20 { _ = await client.query(postQuery("\(id)")) }
    let user = Self.user(1)
    let watch = Task { for await _ in client.watch(user) {} }
    defer { watch.cancel() }
    func waits() -> Bool {
      cache.state.withLock { $0.table[user.identity].map($0.index.isAwaited) ?? false }
    }
    await eventually { waits() }
    client.invalidate(types: "Post")
    #expect(Self.entryCount(cache) == 21)
    for _ in 0..<100 {
      let sent = server.operations.count
      client.invalidate(.operation(user))
      await server.received(sent + 1)
    }
    await eventually { Self.entryCount(cache) == 1 }
  }

  @Test("An outdated entry is not counted as a result, and is in no snapshot (C4, C9)")
  func notCounted() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([cache, Self.server])
    for id in 0..<100 { _ = await client.query(postQuery("\(id)")) }
    _ = await client.query(Self.user(1))
    client.invalidate(types: "Post")
    #expect(cache.entries.map(\.names) == [["User"]])
    for id in 0..<100 { _ = await client.query(postQuery("\(id)")) }
    client.invalidate(types: "Post")
    #expect(cache.snapshot().count == 1)
    #expect(cache.statistics.entryCount == 1 && cache.statistics.nameCount == 1)
  }

  @Test("Outdated entries make room before any other entry is evicted (C9)")
  func evictedFirst() async {
    var configuration = DocumentCacheConfiguration()
    configuration.maximumCount = 100
    let cache = DocumentCacheExchange(configuration)
    let client = GraphQLClient([cache, Self.server])
    for id in 0..<50 { _ = await client.query(Self.user(id)) }
    for id in 0..<50 { _ = await client.query(postQuery("\(id)")) }
    client.invalidate(types: "Post")
    for id in 50..<100 { _ = await client.query(Self.user(id)) }
    #expect((0..<100).allSatisfy { client.peek(Self.user($0)) != nil })
    #expect(cache.statistics.evictions == 0)
  }

  @Test("A tag that a hit adds counts from then on, not for the past (C2)")
  func addedTag() async {
    let client = GraphQLClient([.documentCache, Self.server])
    let tagged = postQuery().with { $0.additionalTypenames = ["tag"] }
    _ = await client.query(postQuery("2").with { $0.additionalTypenames = ["tag"] })
    _ = await client.query(postQuery())
    client.invalidate(types: "tag")
    #expect(await client.query(tagged).outcome == .hit)
    #expect(client.peek(postQuery()) != nil)
    client.invalidate(types: "tag")
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("A watch that does not wait yet learns of an invalidation in between (W3, C5)")
  func betweenResults() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([DedupExchange(), cache, postServer()])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 1")
    client.invalidate(types: "Post")
    // The cache frees the entry before the watch looks.
    #expect(cache.statistics.entryCount == 0)
    #expect(await watch.next()?.summary == "title 1 stale")
    #expect(await watch.next()?.summary == "title 2")
  }
}
