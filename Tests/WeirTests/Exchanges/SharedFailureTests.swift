import Testing
import Weir
import WeirTesting

@Suite("Dedup: policies and limits of executions that share a request", .timeLimit(.minutes(10)))
struct SharedFailureTests {
  /// Answers the first request, and fails when the gate is open.
  private static func failingServer(_ gate: Gate) -> ScriptedExchange {
    let fetches = Counter()
    return ScriptedExchange { _ in
      if fetches.next() == 1 { return post("title 1") }
      await gate.pass()
      return .failure("Down.")
    }
  }

  private static let policies: [RequestPolicy] = [.networkOnly, .networkFirst, .cacheAndNetwork]

  @Test(
    "Whichever execution began a request that fails, each gets the data of its own policy (D3, P4)",
    arguments: policies, policies)
  func failure(first: RequestPolicy, second: RequestPolicy) async {
    let gate = Gate()
    let server = Self.failingServer(gate)
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    _ = await client.query(postQuery())
    async let one = client.query(postQuery(policy: first))
    await server.received(2)
    async let other = client.query(postQuery(policy: second))
    await dedup.shares(2)
    gate.open()
    for (policy, result) in await [(first, one), (second, other)] {
      let showsData = policy != .networkOnly
      #expect(result.summary == (showsData ? "title 1 error" : "error"))
      #expect(result.outcome == (showsData ? .hit : .miss))
    }
    let shares = (first == .networkFirst) == (second == .networkFirst)
    #expect(server.operations.count == (shares ? 2 : 3))
  }

  /// Shares the request of an execution that a cache answers late.
  private func resultBesideLateHit(
    _ outcome: CacheOutcome, maximumAge: Duration? = nil
  ) async -> String {
    let gate = Gate()
    let looks = Counter()
    let lateCache = InlineExchange { operation, forward in
      .deferred {
        guard looks.next() == 1 else { return forward(operation) }
        return ResultStream { yield in
          await gate.pass()
          var hit = post("cached")
          hit.outcome = outcome
          yield(hit)
        }
      }
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, lateCache, postServer()])
    async let cached = client.query(postQuery())
    await dedup.shares(1)
    async let other = client.query(postQuery().with { $0.maximumAge = maximumAge })
    await dedup.shares(2)
    gate.open()
    #expect(await cached.summary == "cached")
    return await other.summary
  }

  @Test("An execution that limits the age of a hit does not take that of another one (D3)")
  func maximumAge() async {
    #expect(await resultBesideLateHit(.hit) == "cached")
    #expect(await resultBesideLateHit(.hit, maximumAge: .seconds(1)) == "title 1")
  }

  @Test("A result with missing parts answers only the execution that accepts it (D3)")
  func partial() async {
    #expect(await resultBesideLateHit(.partial) == "title 1")
  }

  @Test("A request that had to wait keeps the data of its execution, which the cache has lost (D3)")
  func lostHit() async throws {
    let gate = Gate()
    let server = Self.failingServer(gate)
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    _ = await client.query(postQuery())
    async let before = client.query(postQuery(policy: .networkOnly))
    await server.received(2)
    client.invalidate(types: "Unrelated")
    // Waits for the request before it, which must not be shared any more.
    var results = client.results(of: postQuery(policy: .cacheAndNetwork)).makeAsyncIterator()
    #expect(await results.next()?.summary == "title 1 stale")
    await dedup.shares(2)
    client.invalidate(types: "Post")
    gate.open()
    #expect(await before.summary == "error")
    #expect(await results.next()?.summary == "title 1 error")
  }
}
