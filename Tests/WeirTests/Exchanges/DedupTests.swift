import Testing
import WeirTesting

@testable import Weir

@Suite("Dedup: equal queries share a request", .timeLimit(.minutes(10)))
struct DedupTests {
  @Test("A thousand concurrent identical queries share one request (D1)")
  func thousand() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let client = GraphQLClient([.dedup, .documentCache, server])
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<1000 { group.addTask { await client.query(postQuery()).summary } }
      await server.received(1)
      gate.open()
      for await summary in group { #expect(summary == "title 1") }
    }
    #expect(server.operations.count == 1)
  }

  @Test("An execution that starts after the shared request has ended finds the cache (D1)")
  func looksAgain() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    // The stream is created while nothing is cached, and iterated when something is.
    let stream = client.results(of: postQuery())
    _ = await client.query(postQuery())
    #expect(await stream.all() == ["title 1"])
    let chain = Forward([DocumentCacheExchange(), server])
    let cold = chain(postQuery("2"))
    _ = await chain(postQuery("2")).all()
    #expect(await cold.all() == ["title 2"])
    #expect(server.operations.count == 2)
  }

  @Test("A cold query executes the chain below dedup once, and looks into the cache twice (D1)")
  func coldQuery() async {
    let executions = Counter()
    let counting = InlineExchange { operation, forward in
      _ = executions.next()
      return forward(operation)
    }
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([.dedup, counting, cache, postServer()])
    #expect(await client.query(postQuery()).summary == "title 1")
    #expect(executions.count == 1)
    #expect(cache.statistics.lookUps == 2)
    #expect(await client.query(postQuery()).outcome == .hit)
    #expect(executions.count == 2)
    #expect(cache.statistics.lookUps == 3)
  }

  @Test("A request that waits for another one executes the chain again when it is sent (D4)")
  func executionOfFollowUp() async {
    let gate = Gate()
    let executions = Counter()
    let counting = InlineExchange { operation, forward in
      _ = executions.next()
      return forward(operation)
    }
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, counting, .documentCache, server])
    async let first = client.query(postQuery())
    await server.received(1)
    client.invalidate(types: "Post")
    async let second = client.query(postQuery())
    async let third = client.query(postQuery())
    await dedup.shares(3)
    // One look each, of which the first one is sent.
    #expect(executions.count == 3)
    gate.open()
    _ = await (first, second, third)
    #expect(executions.count == 4)
  }

  @Test(
    "A cancelled joiner leaves the others alone; the request ends when the last one leaves (D2)")
  func cancellation() async {
    let gate = Gate()
    let ended = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      if Task.isCancelled { ended.open() }
      return post("title 1")
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, DocumentCacheExchange(), server])
    let first = Task { await client.query(postQuery()).summary }
    await server.received(1)
    let second = Task { await client.query(postQuery()).summary }
    await dedup.shares(2)
    first.cancel()
    #expect(await first.value == "error")
    second.cancel()
    #expect(await second.value == "error")
    await ended.pass()
    #expect(server.operations.count == 1)
    #expect(dedup.flightCount == 0)
  }

  @Test("The remaining consumers still get the result after one is cancelled (D2)")
  func othersGetTheResult() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    let first = Task { await client.query(postQuery()).summary }
    await server.received(1)
    let second = Task { await client.query(postQuery()).summary }
    await dedup.shares(2)
    first.cancel()
    #expect(await first.value == "error")
    gate.open()
    #expect(await second.value == "title 1")
    #expect(server.operations.count == 1)
  }

  @Test("A networkOnly joiner rejects a result that the shared request found in a cache (D3)")
  func networkOnlyRejectsHits() async {
    // The shared result is a hit, like that of a cache that answers late.
    let gate = Gate()
    let server = postServer()
    let lateCache = InlineExchange { operation, forward in
      guard operation.context.requestPolicy == .cacheFirst else { return forward(operation) }
      return ResultStream { yield in
        await gate.pass()
        var hit = post("cached")
        hit.outcome = .hit
        yield(hit)
      }
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, lateCache, server])
    async let cached = client.query(postQuery())
    await dedup.shares(1)
    async let fresh = client.query(postQuery(policy: .networkOnly))
    await dedup.shares(2)
    gate.open()
    #expect(await cached.summary == "cached")
    #expect(await fresh.summary == "title 1")
  }

  @Test("A cacheOnly execution never joins a shared request (D3)")
  func cacheOnlyNeverJoins() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let client = GraphQLClient([.dedup, .documentCache, server])
    async let cold = client.query(postQuery())
    await server.received(1)
    #expect(await client.query(postQuery(policy: .cacheOnly)).summary == "error")
    gate.open()
    #expect(await cold.summary == "title 1")
  }

  @Test("The tags of a joiner apply to the stored result (D3)")
  func tags() async {
    let client = await clientThatSharedRequest([.documentCache])
    #expect(client.peek(postQuery()) != nil)
    client.invalidate(types: "Feed")
    #expect(client.peek(postQuery()) == nil)
  }

  @Test(
    "A request sent before a mutation or a tagged event is not joined after it (D3)",
    arguments: [true, false])
  func fences(isMutation: Bool) async {
    let gate = Gate()
    let server = postServer { operation in if operation.kind == .query { await gate.pass() } }
    let dedup = DedupExchange()
    // The chain has no cache, so this is dedup's own rule.
    let client = GraphQLClient([dedup, server])
    async let before = client.query(postQuery())
    await server.received(1)
    if isMutation {
      _ = await client.mutate(updatePost)
    } else {
      let events = GraphQLOperation("subscription { postChanged { id } }")
      _ = await client.subscribe(events.with { $0.additionalTypenames = ["Post"] }).all()
    }
    async let after = client.query(postQuery())
    async let alsoAfter = client.query(postQuery())
    await dedup.shares(3)
    #expect(server.operations.count == 2)
    gate.open()
    #expect(await before.summary == "title 1")
    #expect(await after.summary == "title 2")
    #expect(await alsoAfter.summary == "title 2")
    #expect(server.operations.count == 3)
  }

  @Test("A refetch does not join a request that was sent before the refetch was triggered (D3)")
  func refetchIsNewer() async {
    let gate = Gate(isOpen: true)
    let focus = RefreshSource()
    let refresh = InlineExchange { operation, forward in
      let signal = focus.signal
      return forward(operation).map { $0.refreshed(by: signal) }
    }
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([refresh, dedup, .documentCache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    gate.close()
    async let older = client.query(postQuery(policy: .networkOnly))
    await server.received(2)
    focus.fire()
    #expect(await watcher.next(1) == ["title 1 stale"])
    await dedup.shares(2)
    gate.open()
    #expect(await older.summary == "title 2")
    #expect(await watcher.next(1) == ["title 3"])
    #expect(server.operations.count == 3)
  }

  @Test("Several executions that need a newer result share one more request (D4)", arguments: 1...4)
  func oneFollowUp(k: Int) async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    async let before = client.query(postQuery())
    await server.received(1)
    client.invalidate(types: "Post")
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<k {
        group.addTask { await client.query(postQuery(policy: .networkOnly)).summary }
      }
      await dedup.shares(k + 1)
      gate.open()
      for await summary in group { #expect(summary == "title 2" || summary == "title 3") }
    }
    _ = await before
    // The first request was superseded, so the cache itself requests once more.
    #expect(server.operations.count <= 3)
  }

  @Test("Several networkOnly executions share a request in flight (D4)", arguments: 1...4)
  func shared(k: Int) async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    await withTaskGroup(of: String.self) { group in
      for _ in 0...k {
        group.addTask { await client.query(postQuery(policy: .networkOnly)).summary }
      }
      await dedup.shares(k + 1)
      gate.open()
      for await summary in group { #expect(summary == "title 1") }
    }
    #expect(server.operations.count == 1)
  }

  @Test("Mutations are never merged (D5)")
  func mutations() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    async let one = client.mutate(updatePost)
    async let two = client.mutate(updatePost)
    _ = await (one, two)
    #expect(server.operations.count == 2)
    #expect(await client.results(of: updatePost).all() == ["error"])
    #expect(server.operations.count == 2)
  }

  @Test("A consumer that stalls does not hold up the others (D6)")
  func stalledConsumer() async {
    let dedup = DedupExchange()
    let gate = Gate()
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        await gate.pass()
        var first = post("half")
        first.hasNext = true
        yield(first)
        yield(post("whole"))
      }
    })
    let client = GraphQLClient([dedup, .documentCache, server])
    let halfWay = Gate()
    let stalled = Task {
      var seen: [String] = []
      for await result in client.results(of: postQuery()) {
        seen.append(result.summary)
        await halfWay.pass()
      }
      return seen
    }
    await dedup.shares(1)
    async let other = client.results(of: postQuery()).all()
    await dedup.shares(2)
    gate.open()
    #expect(await other == ["half more", "whole"])
    halfWay.open()
    #expect(await stalled.value == ["half more", "whole"])
  }

  @Test("Executions with different headers do not share a request (D)")
  func headers() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let client = GraphQLClient([.dedup, .documentCache, server])
    async let plain = client.query(postQuery())
    async let traced = client.query(postQuery().with { $0.headers["x-trace"] = "1" })
    await server.received(2)
    gate.open()
    _ = await (plain, traced)
  }
}

extension DedupTests {
  @Test("Executions with and without credentials do not share a request (A1)")
  func credentials() async {
    let gate = Gate()
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, postServer { _ in await gate.pass() }])
    async let user = client.query(postQuery())
    async let anybody = client.query(postQuery().with { $0.skipsAuthentication = true })
    await dedup.shares(2)
    #expect(dedup.flightCount == 2)
    gate.open()
    _ = await (user, anybody)
  }
}

extension DedupTests {
  @Test("A networkOnly execution does not join a request that has yielded only a hit so far (D3)")
  func networkOnlyAfterHit() async {
    let gate = Gate()
    let sent = Counter()
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        let number = sent.next()
        if number == 1 {
          var hit = post("cached")
          hit.outcome = .hit
          hit.isStale = true
          yield(hit)
          await gate.pass()
        }
        yield(post("title \(number)"))
      }
    })
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, server])
    let first = Watcher(client.results(of: postQuery()))
    #expect(await first.next(1) == ["cached stale"])
    async let fresh = client.query(postQuery(policy: .networkOnly))
    await dedup.shares(2)
    #expect(dedup.flightCount == 2)
    gate.open()
    #expect(await first.next(1) == ["title 1"])
    #expect(await fresh.summary == "title 2")
  }

  @Test("A late joiner starts with the latest result (D3)")
  func lateJoiner() async {
    let gate = Gate()
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        for part in ["a third", "a half"] {
          var first = post(part)
          first.hasNext = true
          yield(first)
        }
        await gate.pass()
        yield(post("whole"))
      }
    })
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, server])
    let first = Watcher(client.results(of: postQuery()))
    #expect(await first.next(2) == ["a third more", "a half more"])
    let late = Watcher(client.results(of: postQuery()))
    #expect(await late.next(1) == ["a half more"])
    gate.open()
    #expect(await late.next(1) == ["whole"])
    #expect(server.operations.count == 1)
  }

  @Test("A failed mutation leaves requests joinable (D3)")
  func failedMutation() async {
    let gate = Gate()
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { return .failure("No.") }
      await gate.pass()
      return post("title")
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, server])
    async let before = client.query(postQuery())
    await server.received(1)
    _ = await client.mutate(updatePost)
    async let after = client.query(postQuery())
    await dedup.shares(2)
    gate.open()
    _ = await (before, after)
    #expect(server.operations.filter { $0.kind == .query }.count == 1)
  }

  @Test("The tags of all executions that share a follow-up apply to its result (D3)")
  func tagsOfFollowUp() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    async let before = client.query(postQuery(policy: .networkOnly))
    await server.received(1)
    client.invalidate(types: "Unrelated")
    async let first = client.query(postQuery(policy: .networkOnly))
    await dedup.shares(2)
    async let second = client.query(
      postQuery(policy: .networkOnly).with { $0.additionalTypenames = ["Feed"] })
    await dedup.shares(3)
    gate.open()
    _ = await (before, first, second)
    #expect(server.operations.count == 2)
    #expect(client.peek(postQuery()) != nil)
    client.invalidate(types: "Feed")
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("A follow-up is as new as the newest execution that waits for it requires (D4)")
  func newestOfFollowUp() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, server])
    async let before = client.query(postQuery())
    await server.received(1)
    let (older, newer) = (LogicalInstant.next(), LogicalInstant.next())
    async let first = client.query(postQuery().with { $0.notBefore = older })
    await dedup.shares(2)
    async let second = client.query(postQuery().with { $0.notBefore = newer })
    await dedup.shares(3)
    gate.open()
    _ = await (before, first, second)
    #expect(server.operations.map(\.context.notBefore) == [.distantPast, newer])
  }

  @Test("A new session joins no request of the old one, even if dedup was not notified (C10)")
  func untoldOfSession() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    // The client does not see dedup behind this exchange, so it cannot notify it.
    let hidden = InlineExchange { dedup.execute($0, forward: $1) }
    let client = GraphQLClient([hidden, server])
    async let before = client.query(postQuery())
    await server.received(1)
    client.switchSession()
    async let after = client.query(postQuery())
    await server.received(2)
    gate.open()
    #expect(await before.error?.code == .cancelled)
    #expect(await after.summary == "title 2")
  }

  @Test("A shared request whose session ends while it starts is cancelled (D2, C10)")
  func sessionEndsAtLaunch() async {
    let cancelled = Gate()
    let calls = Counter()
    let holder = Locked<GraphQLClient?>(nil)
    let server = InlineExchange { _, _ in
      // The first call looks for a result that is ready, the second one starts the request.
      if calls.next() == 2 { holder.withLock { $0 }?.switchSession() }
      return ResultStream { _ in
        await Gate().pass()
        cancelled.open()
      }
    }
    let client = GraphQLClient([.dedup, server])
    holder.withLock { $0 = client }
    #expect(await client.query(postQuery()).error?.code == .cancelled)
    await cancelled.pass()
    holder.withLock { $0 = nil }
  }
}

extension DedupExchange {
  var flightCount: Int { flights.withLock { $0.count } }

  /// Waits until this many executions share requests.
  func shares(_ count: Int) async {
    while flights.withLock({ $0.shareCount }) < count { await Task.yield() }
  }
}
