import Testing
import Weir
import WeirTesting

extension DedupTests {
  // MARK: - Follow-up requests (D3, D4)

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

  @Test("The request that a networkOnly execution waits for is sent, if a refetch shares it (D3)")
  func sharedWithRefetch() async {
    let gate = Gate(isOpen: true)
    let titles = Counter()
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else { return .data(#"{"a":{"__typename":"Other"}}"#) }
      let title = "title \(titles.next())"
      await gate.pass()
      return post(title)
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    let first = Watcher(client.watch(postQuery()))
    #expect(await first.next(1) == ["title 1"])
    var second = client.watch(postQuery()).makeAsyncIterator()
    #expect(await second.next()?.summary == "title 1")
    gate.close()
    client.invalidate(types: "Post")
    #expect(await first.next(1) == ["title 1 stale"])
    _ = await client.mutate(GraphQLOperation("mutation { a { id } }"))
    async let only = client.query(postQuery(policy: .networkOnly))
    await dedup.shares(2)
    #expect(await second.next()?.summary == "title 1 stale")
    await dedup.shares(3)
    gate.open()
    #expect(await only.summary == "title 3")
    #expect(await only.outcome == .miss)
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

  @Test("The immediate results of a follow-up reach the executions that wait for it (D4)")
  func immediateResultsOfFollowUp() async {
    let gate = Gate()
    let isFilled = Locked(false)
    let store = InlineExchange { _, _ in
      if isFilled.withLock({ $0 }) { return .starting(with: [post("fresh")]) { .just([]) } }
      return ResultStream { yield in
        await gate.pass()
        yield(post("old"))
      }
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, store])
    async let before = client.query(postQuery())
    await dedup.shares(1)
    client.invalidate(types: "Unrelated")
    async let after = client.query(postQuery())
    await dedup.shares(2)
    isFilled.withLock { $0 = true }
    gate.open()
    #expect(await before.summary == "old")
    #expect(await after.summary == "fresh")
  }

  @Test("Executions that have begun, or need the network, share a follow-up (D4)")
  func begunFollowUp() async {
    let gate = Gate(isOpen: true)
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .documentCache, server])
    _ = await client.query(postQuery())
    gate.close()
    async let before = client.query(postQuery(policy: .networkOnly))
    await server.received(2)
    client.invalidate(types: "Unrelated")
    let showing = Watcher(client.results(of: postQuery(policy: .cacheAndNetwork)))
    #expect(await showing.next(1) == ["title 1 stale"])
    await dedup.shares(2)
    async let after = client.query(postQuery(policy: .networkOnly))
    await dedup.shares(3)
    gate.open()
    #expect(await before.summary == "title 2")
    #expect(await after.summary == "title 3")
    #expect(await showing.next(1) == ["title 3"])
    #expect(server.operations.count == 3)
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

  private enum User {
    @TaskLocal static var name = "nobody"
  }

  @Test(
    "A follow-up has the task-local values and priority of the execution that needs it (D4)",
    arguments: [[TaskPriority.low, .high], [.high, .low]])
  func taskOfFollowUp(priorities: [TaskPriority]) async {
    let gate = Gate()
    let names = Locked<[String]>([])
    let found = Locked<[TaskPriority?]>([])
    let server = ScriptedExchange(streaming: { _ in
      names.withLock { $0.append(User.name) }
      // Waiting for a task can raise its priority, but not its base priority.
      found.withLock { $0.append(Task.basePriority) }
      return ResultStream { yield in
        await gate.pass()
        yield(post("title"))
      }
    })
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, server])
    let before = User.$name.withValue("Ann") {
      Task(priority: priorities[0]) { await client.query(postQuery()) }
    }
    await server.received(1)
    client.invalidate(types: "Unrelated")
    let after = User.$name.withValue("Bob") {
      Task(priority: priorities[1]) { await client.query(postQuery()) }
    }
    await dedup.shares(2)
    gate.open()
    _ = await (before.value, after.value)
    #expect(names.withLock { $0 } == ["Ann", "Bob"])
    #expect(found.withLock { $0 } == priorities)
  }

  @Test("A follow-up that everybody has left is not sent (D2)")
  func desertedFollowUp() async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, server])
    async let before = client.query(postQuery())
    await server.received(1)
    client.invalidate(types: "Unrelated")
    let after = Task { await client.query(postQuery()) }
    await dedup.shares(2)
    after.cancel()
    #expect(await after.value.error == .cancelled)
    gate.open()
    #expect(await before.summary == "title 1")
    #expect(dedup.flightCount == 0)
    #expect(server.operations.count == 1)
  }
}
