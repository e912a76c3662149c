import TestSupport
import Testing
import Weir
import WeirTesting

extension DocumentCacheTests {
  // MARK: - Sessions (C10)

  @Test("After a session switch no one sees the other user's data (C10)")
  func sessions() async {
    let gate = Gate(isOpen: true)
    let server = postServer { _ in await gate.pass() }
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([DedupExchange(), cache, server])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    gate.close()
    async let old = client.query(postQuery("2"))
    async let oldMutation = client.mutate(updatePost)
    await server.received(3)
    client.switchSession()
    // Both return immediately, although the server has not answered.
    #expect(await old.error?.code == .cancelled)
    #expect(await oldMutation.error?.code == .cancelled)
    #expect(client.peek(postQuery()) == nil)
    gate.open()
    // The other user's data is not emitted as stale.
    #expect(await watcher.next(2) == ["stale", "title 3"])
    #expect(await client.query(postQuery("2")).summary == "title 4")
  }

  @Test("A client that shares a cache follows the other client's session (C10)")
  func followedSession() async {
    let cache = DocumentCacheExchange()
    let server = postServer()
    let client = GraphQLClient([DedupExchange(), cache, server])
    let follower = GraphQLClient([DedupExchange(), cache, server])
    let watcher = Watcher(follower.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    client.switchSession()
    #expect(follower.session < client.session)
    follower.switchSession(to: client.session)
    #expect(await watcher.next(2) == ["stale", "title 2"])
    #expect(await client.query(postQuery()).outcome == .hit)
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title 2 stale", "title 3"])
    // A session that is older than the client's own is ignored.
    let newer = GraphQLClient([])
    newer.switchSession()
    client.switchSession(to: newer.session)
    client.switchSession(to: follower.session)
    #expect(client.session == newer.session)
  }

  @Test("Late responses of the old session write and invalidate nothing (C10)")
  func lateResponses() async {
    let gate = Gate()
    let done = Counter()
    let finished = Gate()
    let server = ScriptedExchange { operation in
      if operation.context[Late.self] { await gate.pass() }
      return operation.kind == .query ? post("title") : updated
    }
    let watchEnd = InlineExchange { operation, forward in
      forward(operation).map { result in
        if operation.context[Late.self], done.next() == 2 { finished.open() }
        return result
      }
    }
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([watchEnd, cache, server])
    let query = Task { await client.query(postQuery("2").with { $0[Late.self] = true }) }
    let mutation = Task { await client.mutate(updatePost.with { $0[Late.self] = true }) }
    await server.received(2)
    client.switchSession()
    _ = await client.query(postQuery())
    gate.open()
    #expect(await query.value.error?.code == .cancelled)
    #expect(await mutation.value.error?.code == .cancelled)
    await finished.pass()
    #expect(client.peek(postQuery()) != nil)
    #expect(cache.statistics.entryCount == 1)
  }

  @Test("A cache without a client stores nothing for a session that has ended (C10)")
  func endedSession() async {
    let gate = Gate()
    let cache = DocumentCacheExchange()
    let chain = Forward([cache, postServer { _ in await gate.pass() }])
    let task = Task { await chain(postQuery()).all() }
    await eventually { cache.statistics.requestsInFlight > 0 }
    cache.switchSession(to: Session(number: 1))
    gate.open()
    #expect(await task.value == ["title 1"])
    #expect(cache.statistics.keyCount == 0 && cache.statistics.requestsInFlight == 0)
  }

  private enum Late: OperationContextKey { static let defaultValue = false }

  @Test("A subscription ends with its session (C10)")
  func subscriptions() async {
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(.data(#"{"event":1}"#))
        await Gate().pass()
      }
    })
    let client = GraphQLClient([.dedup, .documentCache, server])
    let watcher = Watcher(client.subscribe(GraphQLOperation("subscription { event }")))
    #expect(await watcher.next(1) == ["data"])
    client.switchSession()
    #expect(await watcher.next(1) == ["error"])
  }

  @Test("Missed events of an old session's subscription do not empty the new session's cache (C10)")
  func missedByOldSession() async {
    let missed = Locked<(@Sendable () -> Void)?>(nil)
    let server = ScriptedExchange { operation in
      guard operation.kind == .subscription else { return post("kept") }
      missed.withLock { $0 = operation.context.missedEvents }
      return .data(#"{"a":1}"#)
    }
    let client = GraphQLClient([.documentCache, server])
    _ = await client.subscribe(GraphQLOperation("subscription { a }")).all()
    _ = await client.query(postQuery())
    client.switchSession()
    _ = await client.query(postQuery())
    missed.withLock { $0 }?()
    #expect(client.peek(postQuery()) != nil)
  }

  @Test("A refetch that waits after missed events ends with its session (C10, H6)")
  func waitingRefetch() async {
    let clock = ManualClock()
    let missed = Locked<(@Sendable () -> Void)?>(nil)
    let server = ScriptedExchange { operation in
      guard operation.kind == .subscription else { return post("kept") }
      missed.withLock { $0 = operation.context.missedEvents }
      return .data(#"{"a":1}"#)
    }
    let client = GraphQLClient([DocumentCacheExchange(clock: clock), server])
    _ = await client.subscribe(GraphQLOperation("subscription { a }")).all()
    for _ in 1...2 { missed.withLock { $0 }?() }
    await clock.sleepers(1)
    client.switchSession()
    _ = await client.query(postQuery())
    clock.advance(by: .seconds(10))
    // Nothing reports that the refetch was left out, so this gives it time to do harm.
    for _ in 0..<1000 { await Task.yield() }
    #expect(client.peek(postQuery()) != nil)
  }
}
