import Foundation
import TestSupport
import Testing
import Weir
import WeirTesting

@Suite("Request policies: the results of one execution", .timeLimit(.minutes(10)))
struct RequestPolicyTests {
  @Test(
    "Each policy yields the documented results, cold and warm (P)",
    arguments: [
      (RequestPolicy.cacheFirst, ["title 1"], ["title 1"], 1),
      (.cacheAndNetwork, ["title 1"], ["title 1 stale", "title 2"], 2),
      (.networkOnly, ["title 1"], ["title 2"], 2),
      (.networkFirst, ["title 1"], ["title 2"], 2),
    ])
  func table(policy: RequestPolicy, cold: [String], warm: [String], requests: Int) async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    #expect(await client.results(of: postQuery(policy: policy)).all() == cold)
    #expect(await client.results(of: postQuery(policy: policy)).all() == warm)
    #expect(server.operations.count == requests)
    #expect(client.peek(postQuery())?.title == "title \(requests)")
  }

  @Test("cacheOnly yields an error without a request, and a hit if something is cached (P, Q2)")
  func cacheOnly() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    let only = postQuery(policy: .cacheOnly)
    let miss = await client.query(only)
    #expect(miss.summary == "error" && miss.outcome == .miss)
    #expect(miss.error?.code == .notCached)
    #expect(
      miss.error?.message
        == "Nothing is cached for the query Post, and its policy cacheOnly sends no request.")
    #expect(await client.results(of: only).all() == ["error"])
    #expect(client.peek(only) == nil)
    #expect(server.operations.isEmpty)
    _ = await client.query(postQuery())
    let hit = await client.query(only)
    #expect(hit.summary == "title 1" && hit.outcome == .hit)
    #expect(server.operations.count == 1)
  }

  @Test("If an exchange sets cacheOnly, a query for which nothing is cached has the same error (P)")
  func cacheOnlyOfExchange() async {
    let only = MapExchange(operation: { $0.with(.cacheOnly) })
    var configuration = FetchConfiguration()
    configuration.transport = ScriptedTransport(#"{"data":{"post":null}}"#)
    let chains: [[any Exchange]] = [
      [only, .dedup, .documentCache, postServer()], [.dedup, only, .documentCache, postServer()],
      [only, .fetch(SessionHeadersTests.url, configuration)],
      [only, .batchFetch(SessionHeadersTests.url, configuration)],
    ]
    for chain in chains {
      let client = GraphQLClient(chain)
      #expect(await client.query(postQuery()).error?.code == .notCached)
      #expect(await client.results(of: postQuery()).all() == ["error"])
      var watch = client.watch(postQuery()).makeAsyncIterator()
      #expect(await watch.next()?.error?.code == .notCached)
    }
  }

  @Test("Without a cache, cacheOnly sends nothing, either (P, Q2)")
  func cacheOnlyWithoutCache() async throws {
    let transport = ScriptedTransport(#"{"data":{"post":null}}"#)
    var configuration = FetchConfiguration()
    configuration.transport = transport
    let url = try #require(URL(string: "https://example.org/graphql"))
    for exchange in [
      FetchExchange(url, configuration: configuration),
      BatchFetchExchange(url, configuration: configuration),
    ] as [any Exchange] {
      let result = await GraphQLClient([.dedup, exchange]).query(postQuery(policy: .cacheOnly))
      #expect(result.error?.code == .notCached)
    }
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "A policy that an exchange gives each query does not make watches refetch without end (P, W4)",
    arguments: [RequestPolicy.cacheAndNetwork, .networkOnly, .networkFirst])
  func mappedPolicy(policy: RequestPolicy) async {
    let server = postServer()
    let client = GraphQLClient([
      MapExchange(operation: { $0.with { $0.requestPolicy = policy } }), .dedup, .documentCache,
      server,
    ])
    let first = Watcher(client.watch(postQuery()))
    #expect(await first.next(1) == ["title 1"])
    let second = Watcher(client.watch(postQuery()))
    for watch in [second, first] {
      let shown = await reach({ await watch.next(1).first }, until: { !$0.hasPrefix("title 1") })
      #expect(shown == "title 2")
    }
    // Each response would cause another request.
    _ = await client.query(postQuery("2"))
    #expect(server.operations.count == 3)
  }

  @Test("Each policy yields the same results without dedup (P)", arguments: RequestPolicy.allCases)
  func withoutDedup(policy: RequestPolicy) async {
    let client = GraphQLClient([.documentCache, postServer()])
    _ = await client.query(postQuery())
    let results = await client.results(of: postQuery(policy: policy)).all()
    let expected =
      switch policy {
      case .cacheFirst, .cacheOnly: ["title 1"]
      case .cacheAndNetwork: ["title 1 stale", "title 2"]
      case .networkOnly, .networkFirst: ["title 2"]
      }
    #expect(results == expected)
  }

  @Test(
    "cacheAndNetwork sends its request without waiting until the consumer asks for more (P)",
    arguments: [true, false])
  func requestLeavesAtOnce(dedups: Bool) async {
    let server = postServer()
    let client = GraphQLClient(
      dedups ? [.dedup, .documentCache, server] : [.documentCache, server])
    _ = await client.query(postQuery())
    var iterator = client.results(of: postQuery(policy: .cacheAndNetwork)).makeAsyncIterator()
    #expect(await iterator.next()?.summary == "title 1 stale")
    await server.received(2)
  }

  @Test("query skips stale and incomplete results (P1)")
  func queryWaitsForTheFinalResult() async {
    let server = ScriptedExchange(streaming: { _ in
      var stale = post("old")
      stale.isStale = true
      var partial = post("half")
      partial.hasNext = true
      return .just([stale, partial, post("whole")])
    })
    let client = GraphQLClient([.dedup, .documentCache, server])
    #expect(await client.query(postQuery()).summary == "whole")
  }

  @Test("query always returns: the last result if none is final, an error if there is none (P1)")
  func queryAlwaysReturns() async {
    var partial = post("half")
    partial.hasNext = true
    let incomplete = ScriptedExchange(streaming: { [partial] _ in .just(partial) })
    let silent = ScriptedExchange(streaming: { _ in .just([]) })
    for chain: [any Exchange] in [[.dedup, .documentCache], [.dedup], [.documentCache], []] {
      let half = await GraphQLClient(chain + [incomplete]).query(postQuery())
      #expect(half.summary == "half more")
      let nothing = await GraphQLClient(chain + [silent]).query(postQuery())
      #expect(nothing.error?.code == .noResult)
      let unhandled = await GraphQLClient(chain).query(postQuery())
      #expect(unhandled.error?.code == .unhandled)
    }
  }

  @Test("query returns the cancelled error immediately if its caller is cancelled (P1)")
  func cancelledCaller() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let task = Task { await client.query(postQuery()) }
    await server.received(1)
    task.cancel()
    #expect(await task.value.error?.code == .cancelled)
  }

  @Test("peek returns what is cached and never sends a request (P2)")
  func peek() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    #expect(client.peek(postQuery()) == nil)
    #expect(server.operations.isEmpty)
    _ = await client.query(postQuery())
    #expect(client.peek(postQuery(policy: .networkOnly))?.title == "title 1")
    #expect(server.operations.count == 1)
  }

  @Test("peek executes no mutation and no subscription (P2)")
  func peekOfOtherKinds() {
    let executions = Counter()
    let server = InlineExchange { _, _ in
      _ = executions.next()
      return .just(updated)
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    #expect(client.peek(updatePost) == nil)
    #expect(client.peek(GraphQLOperation("subscription { post { id } }")) == nil)
    #expect(executions.count == 0)
  }

  @Test("Mutations and subscriptions are always sent (P3)", arguments: RequestPolicy.allCases)
  func policiesAreForQueries(policy: RequestPolicy) async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    for _ in 0..<2 {
      let result = await client.mutate(updatePost.with { $0.requestPolicy = policy })
      #expect(result.data != nil && result.outcome == .miss)
    }
    #expect(server.operations.count == 2)
  }

  @Test("A failed refetch keeps the data beside the error, not stale (P4)")
  func failedRefetch() async {
    let fetches = Counter()
    let server = ScriptedExchange { _ in fetches.next() == 1 ? post("title 1") : .failure("no") }
    let client = GraphQLClient([.dedup, .documentCache, server])
    _ = await client.query(postQuery())
    let results = await client.results(of: postQuery(policy: .cacheAndNetwork)).all()
    #expect(results == ["title 1 stale", "title 1 error"])
    #expect(await client.query(postQuery()).summary == "title 1")
  }

  @Test("networkFirst falls back to the cache, and storesResult can switch storing off (P5)")
  func apollo() async {
    let fetches = Counter()
    let server = ScriptedExchange { _ in fetches.next() < 3 ? post("title 1") : .failure("no") }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let unstored = postQuery(policy: .networkOnly).with { $0.storesResult = false }
    #expect(await client.query(unstored).summary == "title 1")
    #expect(client.peek(postQuery()) == nil)

    _ = await client.query(postQuery())
    let fallback = await client.query(postQuery(policy: .networkFirst))
    #expect(fallback.summary == "title 1 error" && fallback.outcome == .hit)
  }

  @Test("A policy can be named where an execution begins (P3)")
  func names() async {
    struct Posts: Decodable, Sendable { var post: [String: String] }
    let typed = Query<Posts, NoVariables>("{ post { id title } }")
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    #expect(await client.query(typed, context: .cacheOnly).data == nil)
    #expect(await client.query(typed).data?.post["title"] == "title 1")
    #expect(await client.query(typed, context: .networkOnly).data?.post["title"] == "title 2")
    #expect(await client.query(typed, context: .networkFirst).data?.post["title"] == "title 3")
    #expect(await client.query(typed, context: .cacheAndNetwork).data?.post["title"] == "title 4")
    let operation = postQuery()
    #expect(await client.query(operation).title == "title 5")
    #expect(await client.query(operation.with(.networkOnly)).title == "title 6")
  }
}
