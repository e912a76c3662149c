import TestSupport
import Testing
@testable import Weir
import WeirTesting

@Suite("Concurrency limit", .timeLimit(.minutes(10)))
struct ConcurrencyLimitTests {
  /// Starts an operation, and returns when it waits for a slot.
  private func queued(
    _ operation: GraphQLOperation, _ client: GraphQLClient, _ limit: ConcurrencyLimitExchange
  ) async -> Task<OperationResult, Never> {
    let count = limit.waitingCount
    let task = Task { await client.query(operation) }
    await eventually { limit.waitingCount != count }
    return task
  }

  @Test("No more operations than the limit run at once (A3)")
  func limit() async {
    let running = Locked((now: 0, most: 0))
    let server = ScriptedExchange { _ in
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      for _ in 0..<10 { await Task.yield() }
      running.withLock { $0.now -= 1 }
      return post("x")
    }
    let client = GraphQLClient([.concurrencyLimit(3), server])
    await withTaskGroup(of: Void.self) { group in
      for id in 0..<40 { group.addTask { _ = await client.query(postQuery("\(id)")) } }
    }
    #expect(server.operations.count == 40)
    #expect(running.withLock { $0.most } == 3)
  }

  @Test("Urgent operations go first, equal ones in order; cancelled ones are skipped (A3)")
  func priority() async {
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return post("x")
    }
    let limit = ConcurrencyLimitExchange(1)
    let client = GraphQLClient([limit, server])
    let first = Task { await client.query(postQuery("0")) }
    await server.received(1)
    var tasks: [Task<OperationResult, Never>] = []
    let priorities: [OperationPriority] = [.low, .normal, .high, .normal, .high, .low]
    for (index, priority) in priorities.enumerated() {
      let operation = postQuery("\(index + 1)").with { $0.priority = priority }
      tasks.append(await queued(operation, client, limit))
    }
    tasks[2].cancel()
    #expect(await tasks[2].value.error == .cancelled)
    gate.open()
    for task in tasks { _ = await task.value }
    _ = await first.value
    let expected = ["0", "5", "2", "4", "1", "6"].map { postQuery($0).key }
    #expect(server.operations.map(\.key) == expected)
  }

  @Test("A slot is free again when its consumer leaves, and subscriptions need none (A3)")
  func leaving() async {
    let server = ScriptedExchange { operation in
      if operation.key == postQuery("stuck").key { await Gate().pass() }
      return post("x")
    }
    let client = GraphQLClient([.concurrencyLimit(1), server])
    let stuck = Task { await client.query(postQuery("stuck")) }
    await server.received(1)
    let event = await client.query(GraphQLOperation("subscription { post { title } }"))
    #expect(event.title == "x")
    stuck.cancel()
    #expect(await client.query(postQuery("2")).title == "x")
  }

  @Test("A limit for mutations sends them in order, each after the attempts of the one before (A3)")
  func mutations() async {
    let gate = Gate()
    let attempts = Counter()
    let server = ScriptedExchange { operation in
      guard operation.kind == .mutation else { return post("x") }
      if attempts.next() == 1 {
        await gate.pass()
        return .failure("Busy.")
      }
      return updated
    }
    let limit = ConcurrencyLimitExchange(1, kinds: [.mutation])
    var retry = RetryConfiguration()
    retry.initialDelay = .zero
    retry.shouldRetry = { _, _ in true }
    let client = GraphQLClient([limit, .retry(retry), server])
    let first = Task { await client.mutate(updatePost.with { $0.isIdempotent = true }) }
    await server.received(1)
    let second = Task { await client.mutate(updatePost) }
    await eventually { limit.waitingCount == 1 }
    #expect(await client.query(postQuery()).title == "x")
    gate.open()
    _ = await (first.value, second.value)
    #expect(
      server.operations.map { $0.kind == .query ? "query" : "\($0.context.isIdempotent == true)" }
        == ["true", "query", "true", "false"])
  }

  @Test("A query that must not be sent waits for no slot (A3, P)")
  func cacheOnly() async {
    let server = ScriptedExchange { operation in
      if operation.context.requestPolicy == .cacheOnly { return OperationResult() }
      await Gate().pass()
      return post("x")
    }
    let limit = ConcurrencyLimitExchange(1)
    let client = GraphQLClient([limit, server])
    let stuck = Task { await client.query(postQuery("stuck")) }
    await server.received(1)
    let isDone = Locked(false)
    let query = Task {
      let result = await client.query(postQuery(policy: .cacheOnly))
      isDone.withLock { $0 = true }
      return result
    }
    await eventually { isDone.withLock(\.self) || limit.waitingCount > 0 }
    #expect(limit.waitingCount == 0)
    stuck.cancel()
    #expect(await query.value.error?.code == .notCached)
  }

  @Test("After the last result the consumer holds no slot and may start another operation (A3)")
  func lastResult() async {
    let server = ScriptedExchange { operation in
      operation.key == postQuery("1").key ? .failure("no") : post("x")
    }
    let limit = ConcurrencyLimitExchange(1)
    // Like an exchange that sends another operation before it passes a failure on.
    let mending = InlineExchange { operation, forward in
      ResultStream { yield in
        var results = forward(operation).makeAsyncIterator()
        guard let failure = await results.next() else { return }
        var mended = forward(postQuery("2")).makeAsyncIterator()
        yield(await mended.next() ?? failure)
        while let further = await results.next() { yield(further) }
      }
    }
    let client = GraphQLClient([mending, limit, server])
    let task = Task { await client.query(postQuery("1")) }
    await server.received(1)
    await eventually { server.operations.count >= 2 || limit.waitingCount > 0 }
    #expect(limit.waitingCount == 0)
    if limit.waitingCount > 0 { task.cancel() }
    #expect(await task.value.title == "x")
  }
}

extension ConcurrencyLimitTests {
  @Test(
    "If the next operation in line is leaving, its slot goes to the one after it (A3)",
    .timeLimit(.minutes(10)))
  @MainActor
  func slotOfOneThatLeaves() async {
    let server = ScriptedExchange { operation in
      if operation.key == postQuery("held").key { return .data(#"{"a":1}"#, hasNext: true) }
      return post("x")
    }
    let limit = ConcurrencyLimitExchange(1)
    let client = GraphQLClient([limit, server])
    var held: ResultStream.Iterator? = client.results(of: postQuery("held")).makeAsyncIterator()
    _ = await held?.next(isolation: #isolation)
    let tasks = (1...2).map { id in
      Task { @MainActor in await client.query(postQuery("\(id)")).summary }
    }
    await eventually { limit.waitingCount >= 2 }
    // The cancelled operation cannot run before the slot is free.
    tasks[0].cancel()
    held = nil
    #expect(await tasks[0].value == "error")
    #expect(await tasks[1].value == "x")
  }
}
