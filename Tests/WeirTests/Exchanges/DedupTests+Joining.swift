import Testing
import Weir
import WeirTesting

extension DedupTests {
  // MARK: - Joining a request (D3)

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

  @Test("A networkOnly joiner rejects a stored result that has an error beside it (D3)")
  func networkOnlyRejectsStoredErrors() async {
    let gate = Gate()
    let fetches = Counter()
    let server = ScriptedExchange { _ in
      let number = fetches.next()
      await gate.pass()
      var partial = post("title \(number)")
      partial.error = OperationError(graphQLErrors: [GraphQLError(message: "A field failed.")])
      return partial
    }
    var storing = DocumentCacheConfiguration()
    storing.storesPartialResults = true
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache(storing), server])
    async let before = client.query(postQuery())
    await server.received(1)
    client.invalidate(types: "Unrelated")
    async let stored = client.query(postQuery())
    await dedup.shares(2)
    async let fresh = client.query(postQuery(policy: .networkOnly))
    await dedup.shares(3)
    gate.open()
    #expect(await before.summary == "title 1 error")
    #expect(await stored.summary == "title 1 error")
    #expect(await fresh.summary == "title 2 error")
    #expect(server.operations.count == 2)
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
}
