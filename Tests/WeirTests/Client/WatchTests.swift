import Testing
import WeirTesting

@testable import Weir

/// The eight rules of watching (W): every result carries a signal that fires when it is superseded.
@Suite("Watching a query", .timeLimit(.minutes(10)))
struct WatchTests {
  @Test("An invalidation between a result and the wait for the next one is not lost (W1)")
  func stateNotEvent() async {
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 1")
    // The iterator is not waiting now.
    client.invalidate(types: "Post")
    client.invalidate(types: "Post")
    #expect(await watch.next()?.summary == "title 1 stale")
    #expect(await watch.next()?.summary == "title 2")
  }

  @Test("If several signals have fired, the latest instant counts (W1)")
  func latestInstant() async {
    let (first, second) = (RefreshSource(), RefreshSource())
    let seen = Locked([LogicalInstant]())
    let last = ScriptedExchange { operation in
      seen.withLock { $0.append(operation.context.notBefore) }
      return post("\(seen.withLock { $0.count })")
        .refreshed(by: first.signal).refreshed(by: second.signal)
    }
    var watch = GraphQLClient([last]).watch(postQuery()).makeAsyncIterator()
    _ = await watch.next()
    let (early, late) = (LogicalInstant.next(), LogicalInstant.next())
    second.fire(at: late)
    first.fire(at: early)
    #expect(await watch.next()?.summary == "1 stale")
    #expect(await watch.next()?.summary == "2")
    #expect(seen.withLock { $0 } == [.distantPast, late])
  }

  @Test(
    "If a newer result is already cached, the watch emits it without a stale result before (W2)")
  func immediateRefresh() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 1")
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

  @Test("Every query result can be refreshed: errors, partial data, cacheOnly misses (W3)")
  func everyResult() async {
    let errors = [GraphQLError(message: "no")]
    let answers = [
      OperationResult.failure("no"),
      .data(#"{"post":{"title":"half","__typename":"Post"}}"#, errors: errors), post("whole"),
    ]
    let fetches = Counter()
    let server = ScriptedExchange { _ in answers[fetches.next() - 1] }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["error"])
    client.invalidate(types: "Post")
    #expect(await watcher.next(1) == ["half error"])
    client.invalidate(types: "Post")
    #expect(await watcher.next(2) == ["half error stale", "whole"])
  }

  @Test("A write to a cached result reaches its watchers, whichever operation made it (W3)")
  func writesReachWatchers() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watchers = [
      Watcher(client.watch(postQuery())), Watcher(client.watch(postQuery(policy: .cacheOnly))),
    ]
    #expect(await watchers[0].next(1) == ["title 1"])
    var first = await watchers[1].next(1)
    if first == ["error"] { first = await watchers[1].next(1) }
    #expect(first == ["title 1"])
    _ = await client.query(postQuery(policy: .networkOnly))
    for watcher in watchers { #expect(await watcher.next(1) == ["title 2"]) }
  }

  @Test("A key without an entry is still woken by the types of its last entry (W3, W4)")
  func keptTypes() async {
    let fetches = Counter()
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else { return updated }
      return fetches.next() == 2 ? .failure("no") : post("title")
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title"])
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title stale", "title error"])
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title error stale", "title"])
  }

  @Test(
    "A result that is not stored is woken by its own types, not by those of earlier results (W3)")
  func typesOfUnkept() async {
    let fetches = Counter()
    let server = ScriptedExchange { _ in
      .data(#"{"found":{"__typename":"\#(fetches.next() == 1 ? "Cat" : "Dog")"}}"#)
    }
    let cache = DocumentCacheExchange()
    let chain = Forward([cache, server])
    var context = OperationContext()
    context.storesResult = false
    let search = GraphQLOperation("{ found { __typename } }", context: context)
    var (first, second) = (chain(search).makeAsyncIterator(), chain(search).makeAsyncIterator())
    // Each consumer of a result holds that result's signal.
    let (cat, dog) = (await first.next()?.refreshSignal, await second.next()?.refreshSignal)
    #expect(dog?.firedInstant == nil)
    cache.invalidate(.types(["Dog"]))
    #expect(dog?.firedInstant != nil)
    cache.invalidate(.types(["Cat"]))
    #expect(cat?.firedInstant != nil)
  }

  @Test("Results outside a watch carry no signal, and a watch goes on after a stale result (W4)")
  func signals() async {
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    let query = await client.query(postQuery())
    let peek = client.peek(postQuery())
    #expect(query.refreshSignal == nil && peek?.refreshSignal == nil)
    for await result in client.results(of: postQuery(policy: .cacheAndNetwork)) {
      #expect(result.refreshSignal == nil)
    }
    var watch = client.watch(postQuery(policy: .cacheAndNetwork)).makeAsyncIterator()
    let results = [await watch.next(), await watch.next()]
    #expect(results.map { $0?.summary } == ["title 2 stale", "title 3"])
    #expect(results.allSatisfy { $0?.refreshSignal == nil })
  }

  @Test("A stale result carries a signal that has fired (W4)")
  func staleSignal() async {
    let cache = DocumentCacheExchange()
    let chain = Forward([cache, postServer()])
    _ = await chain(postQuery()).all()
    var iterator = chain(postQuery(policy: .cacheAndNetwork)).makeAsyncIterator()
    let stale = await iterator.next()
    #expect(stale?.isStale == true && stale?.refreshSignal?.firedInstant != nil)
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

  @Test("A watch ends if an execution yields no result that can be refreshed (W6)")
  func ends() async {
    let silent = ScriptedExchange(streaming: { _ in .just([]) })
    #expect(await GraphQLClient([silent]).watch(postQuery()).all() == [])
    #expect(await GraphQLClient([postServer()]).watch(postQuery()).all() == ["title 1"])
    #expect(await GraphQLClient([]).watch(postQuery()).all() == ["error"])
  }

  @Test("A cancelled watch ends, whether it is waiting or not (W6)")
  func cancellation() async {
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    let first = Gate()
    let task = Task {
      var count = 0
      for await _ in client.watch(postQuery()) {
        count += 1
        first.open()
      }
      return count
    }
    await first.pass()
    task.cancel()
    #expect(await task.value == 1)
  }

  @Test("A watch that has ended holds nothing, even if its iterator is kept (W6, C9)")
  func keptIterator() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([cache, postServer()])
    let hasStarted = Gate()
    let task = Task {
      var watch = client.watch(postQuery()).makeAsyncIterator()
      _ = await watch.next()
      hasStarted.open()
      #expect(await watch.next() == nil)
      client.clear()
      #expect(cache.statistics.keyCount == 0)
      #expect(await watch.next() == nil)
    }
    await hasStarted.pass()
    #expect(cache.statistics.keyCount == 1)
    task.cancel()
    await task.value
  }

  @Test("Creating a stream does nothing; its first result is as new as its iteration (W7)")
  func cold() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    let streams = [client.watch(postQuery()), client.results(of: postQuery())]
    #expect(server.operations.isEmpty)
    _ = await client.query(postQuery())
    client.invalidate(types: "Post")
    _ = await client.query(postQuery())
    for stream in streams {
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next()?.summary == "title 2")
    }
  }

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
    let client = GraphQLClient(
      (limit == .policy ? [.requestPolicy(maximumAge: .zero)] : []) + [
        .dedup, DocumentCacheExchange(configuration, clock: clock),
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
    var second = client.watch(query).makeAsyncIterator()
    if limit == .policy { #expect(await second.next()?.summary == "title 1 stale") }
    #expect(await second.next()?.summary == "title 2")
    clock.advance(by: .milliseconds(1))
    #expect(await first.next()?.summary == "title 2")
    #expect(server.operations.count == 2)
    // What arrived long before the refetch is too old for it.
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

  @Test("An exchange can refresh a watch with its own signal, and the cache's signal still works")
  func ownSignal() async {
    let focus = RefreshSource()
    let refresh = InlineExchange { operation, forward in
      let signal = focus.signal
      return forward(operation).map { $0.refreshed(by: signal) }
    }
    let server = postServer()
    let client = GraphQLClient([refresh, .dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    focus.fire()
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title 2 stale", "title 3"])
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
