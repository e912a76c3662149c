import Testing
@testable import Weir
import WeirTesting

/// The eight rules of watching (W): every result carries a signal that fires when it is superseded.
@Suite("Watching a query", .timeLimit(.minutes(10)))
struct WatchTests {
  // MARK: - What wakes a watch (W1, W3, W4)

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
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    let watchers = [
      Watcher(client.watch(postQuery())), Watcher(client.watch(postQuery(policy: .cacheOnly))),
    ]
    #expect(await watchers[0].next(1) == ["title 1"])
    var first = await watchers[1].next(1)
    if first == ["error"] { first = await watchers[1].next(1) }
    #expect(first == ["title 1"])
    await dedup.landed()
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

  @Test("A watch whose refetches fail for hours keeps nothing of them (W5)")
  func failures() async {
    let refresh = RefreshSource()
    let executions = Counter()
    let client = GraphQLClient([
      InlineExchange { _, _ in
        ResultStream { yield in
          let signal = refresh.signal
          let result =
            executions.next() == 1
            ? post("title")
            : OperationResult(error: OperationError(code: .transport, message: "Offline"))
          yield(result.refreshed(by: signal))
        }
      }
    ])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.title == "title")
    // A result that holds the one before would make a chain of all of them.
    weak var first: ResultPayload?
    for _ in 0..<10 {
      refresh.fire()
      #expect(await watch.next()?.isStale == true)
      let failed = await watch.next()
      #expect(failed?.error != nil && failed?.title == "title")
      if executions.count == 2 { first = failed?.payload }
    }
    #expect(executions.count == 11)
    #expect(first == nil)
    withExtendedLifetime(watch) {}
  }
}
