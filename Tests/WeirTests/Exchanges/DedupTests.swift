import TestSupport
import Testing
import WeirTesting

@testable import Weir

@Suite("Dedup: equal queries share a request", .timeLimit(.minutes(10)))
struct DedupTests {
  // MARK: - Sharing a request (D1, D5, D6)

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

  @Test("Executions with different time limits share a request, which has the first one's (D1)")
  func requestTimeouts() async throws {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.pass()
      return HTTPResponse(
        status: 200, body: HTTPBody(Array(#"{"data":{"post":{"title":"x"}}}"#.utf8)))
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([
      dedup, .documentCache, .fetch(LocalServer.url, transport: transport),
    ])
    async let first = client.query(postQuery().with { $0.requestTimeout = .seconds(5) })
    await dedup.shares(1)
    async let second = client.query(postQuery().with { $0.requestTimeout = .seconds(180) })
    await dedup.shares(2)
    gate.open()
    #expect(await first.title == "x")
    #expect(await second.title == "x")
    #expect(await client.query(postQuery()).outcome == .hit)
    #expect(transport.requests.map(\.timeout) == [.seconds(5)])
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
    #expect(Set(await [plain.summary, traced.summary]) == ["title 1", "title 2"])
    #expect(server.operations.count == 2)
  }

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

  // MARK: - Cancellation (D2)

  @Test(
    "A cancelled joiner leaves the others alone; the request ends when the last one leaves (D2)",
    arguments: [false, true])
  func cancellation(allLeave: Bool) async {
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
    if allLeave {
      second.cancel()
      #expect(await second.value == "error")
      await ended.pass()
      #expect(dedup.flightCount == 0)
    } else {
      gate.open()
      #expect(await second.value == "title 1")
    }
    #expect(server.operations.count == 1)
  }

  // MARK: - Sessions (C10)

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

  /// Waits until no request is in flight. A scripted server ends one only after its result, and an
  /// execution in between would share it.
  func landed(sourceLocation: SourceLocation = #_sourceLocation) async {
    await eventually({ flightCount == 0 }, sourceLocation: sourceLocation)
  }

  /// Waits until this many executions share requests.
  func shares(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
    await eventually(
      { flights.withLock { $0.shareCount } >= count }, sourceLocation: sourceLocation)
  }
}
