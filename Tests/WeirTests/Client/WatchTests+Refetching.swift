import Testing
import Weir
import WeirTesting

extension WatchTests {
  // MARK: - Stale and fresh results (W2, W5)

  @Test(
    "If a newer result is already cached, the watch emits it without a stale result before (W2)")
  func immediateRefresh() async {
    let server = postServer()
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 1")
    await dedup.landed()
    _ = await client.query(postQuery(policy: .networkOnly))
    #expect(await watch.next()?.summary == "title 2")
    #expect(server.operations.count == 2)
  }

  @Test(
    "If it is not cached, the request leaves, and then the last result is emitted as stale (W2)",
    arguments: [true, false])
  func staleThenFresh(dedups: Bool) async {
    let server = postServer()
    let client = GraphQLClient(
      dedups ? [.dedup, .documentCache, server] : [.documentCache, server])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 1")
    _ = await client.mutate(updatePost)
    #expect(await watch.next()?.summary == "title 1 stale")
    // The request has been sent although the consumer has not asked for more.
    await server.received(3)
    #expect(await watch.next()?.summary == "title 2")
  }

  @Test("A failure before a success that is not stored answers no watch (W3)")
  func unstoredSuccess() async {
    let count = Counter()
    let server = ScriptedExchange { _ in
      let number = count.next()
      if number == 2 { return .failure("Down.") }
      var result = post("title \(number)")
      if number == 3 { result.retention = .zero }
      return result
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    var slow = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 1")
    #expect(await slow.next()?.summary == "title 1")
    client.invalidate(postQuery())
    #expect(await watch.next()?.summary == "title 1 stale")
    #expect(await watch.next()?.summary == "title 1 error")
    await dedup.landed()
    #expect(await client.query(postQuery(policy: .networkOnly)).summary == "title 3")
    #expect(await slow.next()?.summary == "title 1 stale")
    #expect(await slow.next()?.summary == "title 4")
  }

  @Test("No stale result is emitted if nothing has been shown (W2)")
  func noStaleOfNothing() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    var only = client.watch(postQuery(policy: .cacheOnly)).makeAsyncIterator()
    #expect(await only.next()?.summary == "error")
    _ = await client.query(postQuery())
    #expect(await only.next()?.summary == "title 1")
  }

  @Test("A failed refetch keeps the last data beside the error (W2)")
  func failedRefetch() async {
    let fetches = Counter()
    let server = ScriptedExchange { _ in fetches.next() == 2 ? .failure("no") : post("title") }
    let client = GraphQLClient([.dedup, .documentCache, server])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    _ = await watch.next()
    client.invalidate(types: "Post")
    #expect(await watch.next()?.summary == "title stale")
    #expect(await watch.next()?.summary == "title error")
    client.invalidate(types: "Post")
    #expect(await watch.next()?.summary == "title error stale")
    #expect(await watch.next()?.summary == "title")
  }

  @Test("Equal results are not emitted again, but stale and fresh ones are (W5)")
  func equalResults() async {
    let server = ScriptedExchange { _ in post("same") }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["same"])
    _ = await client.query(postQuery(policy: .networkOnly))
    client.invalidate(types: "Post")
    #expect(await watcher.next(2) == ["same stale", "same"])
  }

  // MARK: - One refetch for many watchers (W8)

  @Test("Many watchers of unequal speed cause one refetch, and all see stale, then fresh (W8)")
  func oneRefetch() async {
    let gate = Gate(isOpen: true)
    let server = postServer { operation in if operation.kind == .query { await gate.pass() } }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watchers = (0..<1000).map { _ in Watcher(client.watch(postQuery())) }
    for watcher in watchers { #expect(await watcher.next(1) == ["title 1"]) }
    // This watcher reads only after everything is over.
    var slow = client.watch(postQuery()).makeAsyncIterator()
    #expect(await slow.next()?.summary == "title 1")
    gate.close()
    _ = await client.mutate(updatePost)
    for watcher in watchers { #expect(await watcher.next(1) == ["title 1 stale"]) }
    gate.open()
    for watcher in watchers { #expect(await watcher.next(1) == ["title 2"]) }
    #expect(await slow.next()?.summary == "title 2")
    #expect(server.operations.count == 3)
  }

  enum BriefLimit: CaseIterable { case timeToLive, retention, context, policy }

  @Test(
    "Watchers do not refetch each other's responses, however short the limits of ages are (W8)",
    arguments: BriefLimit.allCases)
  func briefLimits(_ limit: BriefLimit) async {
    let clock = ManualClock()
    var configuration = DocumentCacheConfiguration()
    if limit == .timeToLive { configuration.timeToLive = .zero }
    let server = postServer()
    let dedup = DedupExchange()
    let client = GraphQLClient(
      (limit == .policy ? [.requestPolicy(maximumAge: .zero)] : []) + [
        dedup, DocumentCacheExchange(configuration, clock: clock),
        MapExchange(result: { _, result in
          var result = result
          if limit == .retention { result.retention = .nanoseconds(1) }
          return result
        }), server,
      ])
    let query = postQuery().with { if limit == .context { $0.maximumAge = .zero } }
    var first = client.watch(query).makeAsyncIterator()
    #expect(await first.next()?.summary == "title 1")
    clock.advance(by: .milliseconds(1))
    await dedup.landed()
    var second = client.watch(query).makeAsyncIterator()
    if limit == .policy { #expect(await second.next()?.summary == "title 1 stale") }
    #expect(await second.next()?.summary == "title 2")
    clock.advance(by: .milliseconds(1))
    #expect(await first.next()?.summary == "title 2")
    #expect(server.operations.count == 2)
    // A result that arrived long before the refetch is too old for it.
    await dedup.landed()
    _ = await client.query(query.with(.networkOnly))
    clock.advance(by: .seconds(3))
    #expect(await first.next()?.isStale == true)
    #expect(await first.next()?.summary == "title 4")
  }

  @Test("Watchers that wake after a failed refetch do not repeat it (P4)")
  func sharedFailure() async {
    let fetches = Counter()
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else { return updated }
      return fetches.next() == 1 ? post("title") : .failure("no")
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    var watches = (0..<100).map { _ in client.watch(postQuery()).makeAsyncIterator() }
    for index in watches.indices { #expect(await watches[index].next()?.summary == "title") }
    _ = await client.mutate(updatePost)
    // The watches are read one after the other; all but the first find the failure.
    for index in watches.indices {
      var seen = await watches[index].next()?.summary
      if seen == "title stale" { seen = await watches[index].next()?.summary }
      #expect(seen == "title error")
    }
    #expect(fetches.count == 2)
  }

  @Test("A watch keeps its policy when it refetches: cacheOnly never sends a request (Q2)")
  func policies() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    _ = await client.query(postQuery())
    var watch = client.watch(postQuery(policy: .cacheOnly)).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 1")
    client.invalidate(types: "Post")
    #expect(await watch.next()?.summary == "title 1 stale")
    #expect(server.operations.count == 1)
    _ = await client.query(postQuery())
    #expect(await watch.next()?.summary == "title 2")
  }
}
