import Testing
import WeirTesting

@testable import Weir

@Suite("Dedup: equal queries share a request", .timeLimit(.minutes(10)))
struct DedupTests {
  @Test("D1 1,000 concurrent identical queries are one request")
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

  @Test("D1 an execution that starts after the flight has ended finds the cache")
  func looksAgain() async {
    let server = postServer()
    let client = GraphQLClient([.dedup, .documentCache, server])
    // Made while nothing was cached, iterated when something is.
    let stream = client.results(of: postQuery())
    _ = await client.query(postQuery())
    #expect(await stream.all() == ["title 1"])
    let chain = Forward([DocumentCacheExchange(), server])
    let cold = chain(postQuery("2"))
    _ = await chain(postQuery("2")).all()
    #expect(await cold.all() == ["title 2"])
    #expect(server.operations.count == 2)
  }

  @Test("D2 a cancelled joiner leaves the others alone; the last one ends the request")
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
    await dedup.passengers(2)
    first.cancel()
    #expect(await first.value == "error")
    second.cancel()
    #expect(await second.value == "error")
    await ended.pass()
    #expect(server.operations.count == 1)
    #expect(dedup.flightCount == 0)
  }

  @Test("D2 the others still get the result")
  func othersGetTheResult() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    let first = Task { await client.query(postQuery()).summary }
    await server.received(1)
    let second = Task { await client.query(postQuery()).summary }
    await dedup.passengers(2)
    first.cancel()
    #expect(await first.value == "error")
    gate.open()
    #expect(await second.value == "title 1")
    #expect(server.operations.count == 1)
  }

  @Test("D3 a networkOnly joiner does not accept what the flight found in a cache")
  func networkOnlyRejectsHits() async {
    // The flight's result is a hit, as of a cache that answers late.
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
    await dedup.passengers(1)
    async let fresh = client.query(postQuery(policy: .networkOnly))
    await dedup.passengers(2)
    gate.open()
    #expect(await cached.summary == "cached")
    #expect(await fresh.summary == "title 1")
  }

  @Test("D3 cacheOnly never joins")
  func cacheOnlyNeverJoins() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let client = GraphQLClient([.dedup, .documentCache, server])
    async let cold = client.query(postQuery())
    await server.received(1)
    #expect(await client.query(postQuery(policy: .cacheOnly)).summary == "nothing")
    gate.open()
    #expect(await cold.summary == "title 1")
  }

  @Test("D3 a joiner's tags count")
  func tags() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    async let first = client.query(postQuery())
    await server.received(1)
    async let second = client.query(postQuery().with { $0.additionalTypenames = ["Feed"] })
    await dedup.passengers(2)
    gate.open()
    _ = await (first, second)
    #expect(server.operations.count == 1)
    #expect(client.peek(postQuery()) != nil)
    client.invalidate(types: "Feed")
    #expect(client.peek(postQuery()) == nil)
  }

  @Test(
    "D3 after a mutation, or an event with tags, nobody joins a flight that was sent before it",
    arguments: [true, false])
  func fences(isMutation: Bool) async {
    let gate = Gate()
    let server = postServer { operation in if operation.kind == .query { await gate.pass() } }
    let dedup = DedupExchange()
    // No cache: the fence is dedup's own.
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
    await dedup.passengers(3)
    #expect(server.operations.count == 2)
    gate.open()
    #expect(await before.summary == "title 1")
    #expect(await after.summary == "title 2")
    #expect(await alsoAfter.summary == "title 2")
    #expect(server.operations.count == 3)
  }

  @Test("D3 a refetch does not join a flight that was sent before what it answers to")
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
    await dedup.passengers(2)
    gate.open()
    #expect(await older.summary == "title 2")
    #expect(await watcher.next(1) == ["title 3"])
    #expect(server.operations.count == 3)
  }

  @Test("D4 k executions that a flight is too old for cause one more request", arguments: 1...4)
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
      await dedup.passengers(k + 1)
      gate.open()
      for await summary in group { #expect(summary == "title 2" || summary == "title 3") }
    }
    _ = await before
    // The first flight was overtaken, so it asks once more by itself.
    #expect(server.operations.count <= 3)
  }

  @Test("D4 k networkOnly executions during a flight share it", arguments: 1...4)
  func shared(k: Int) async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    await withTaskGroup(of: String.self) { group in
      for _ in 0...k {
        group.addTask { await client.query(postQuery(policy: .networkOnly)).summary }
      }
      await dedup.passengers(k + 1)
      gate.open()
      for await summary in group { #expect(summary == "title 1") }
    }
    #expect(server.operations.count == 1)
  }

  @Test("D5 mutations are never merged")
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

  @Test("D6 a consumer that stalls does not hold up the others")
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
    await dedup.passengers(1)
    async let other = client.results(of: postQuery()).all()
    await dedup.passengers(2)
    gate.open()
    #expect(await other == ["half more", "whole"])
    halfWay.open()
    #expect(await stalled.value == ["half more", "whole"])
  }

  @Test("D per-call headers keep executions apart")
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
  @Test("D A1 who is sent without credentials shares no request with who needs them")
  func credentials() async {
    let gate = Gate()
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, postServer { _ in await gate.pass() }])
    async let user = client.query(postQuery())
    async let anybody = client.query(postQuery().with { $0.skipsAuthentication = true })
    await dedup.passengers(2)
    #expect(dedup.flightCount == 2)
    gate.open()
    _ = await (user, anybody)
  }
}

extension DedupTests {
  @Test("D3 a networkOnly execution does not join a flight that has brought a hit so far")
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
    await dedup.passengers(2)
    #expect(dedup.flightCount == 2)
    gate.open()
    #expect(await first.next(1) == ["title 1"])
    #expect(await fresh.summary == "title 2")
  }

  @Test("D3 a late joiner first gets what the flight has brought last")
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

  @Test("D3 a mutation that fails leaves flights joinable")
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
    await dedup.passengers(2)
    gate.open()
    _ = await (before, after)
    #expect(server.operations.filter { $0.kind == .query }.count == 1)
  }

  @Test("D3 the tags of all who wait for a follow-up count")
  func tagsOfFollowUp() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    async let before = client.query(postQuery(policy: .networkOnly))
    await server.received(1)
    client.invalidate(types: "Unrelated")
    async let first = client.query(postQuery(policy: .networkOnly))
    await dedup.passengers(2)
    async let second = client.query(
      postQuery(policy: .networkOnly).with { $0.additionalTypenames = ["Feed"] })
    await dedup.passengers(3)
    gate.open()
    _ = await (before, first, second)
    #expect(server.operations.count == 2)
    #expect(client.peek(postQuery()) != nil)
    client.invalidate(types: "Feed")
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("D4 a follow-up is as new as the newest of those who wait for it asks for")
  func newestOfFollowUp() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, server])
    async let before = client.query(postQuery())
    await server.received(1)
    let (older, newer) = (LogicalInstant.next(), LogicalInstant.next())
    async let first = client.query(postQuery().with { $0.notBefore = older })
    await dedup.passengers(2)
    async let second = client.query(postQuery().with { $0.notBefore = newer })
    await dedup.passengers(3)
    gate.open()
    _ = await (before, first, second)
    #expect(server.operations.map(\.context.notBefore) == [.distantPast, newer])
  }

  @Test("D C10 an execution of a new session joins no flight of the old one, told of it or not")
  func untoldOfSession() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    // Hides it from the client, which can tell it nothing.
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

  @Test("D2 C10 a flight whose session ends while it takes off is cancelled")
  func sessionEndsAtLaunch() async {
    let cancelled = Gate()
    let calls = Counter()
    let holder = Locked<GraphQLClient?>(nil)
    let server = InlineExchange { _, _ in
      // First for a look at what is there at once, then for the flight.
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

  /// Waits until so many executions sit in flights.
  func passengers(_ count: Int) async {
    while flights.withLock({ $0.passengerCount }) < count { await Task.yield() }
  }
}
