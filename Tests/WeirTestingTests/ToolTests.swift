import TestSupport
import Testing
import Weir
import WeirTesting

@Suite("A gate", .timeLimit(.minutes(10)))
struct GateTests {
  @Test("A gate holds tasks until it opens, lets all pass then, and can close again")
  func opening() async {
    let gate = Gate()
    let log = Log()
    let waiting = Task {
      log.add("waits")
      await gate.pass()
      log.add("passed")
    }
    await eventually { !log.entries.isEmpty }
    for _ in 0..<100 { await Task.yield() }
    #expect(log.entries == ["waits"])
    gate.open()
    await waiting.value
    await gate.pass()
    #expect(log.entries == ["waits", "passed"])
    gate.close()
    let next = Task {
      log.add("waits again")
      await gate.pass()
      log.add("passed again")
    }
    await eventually { log.entries.count >= 3 }
    for _ in 0..<100 { await Task.yield() }
    #expect(log.entries.last == "waits again")
    let cancelled = Task { await gate.pass() }
    cancelled.cancel()
    await cancelled.value
    gate.open()
    await next.value
    #expect(log.entries.last == "passed again")
    await Gate(isOpen: true).pass()
  }
}

@Suite("A manual clock", .timeLimit(.minutes(10)))
struct ManualClockTests {
  @Test("A manual clock wakes only the tasks whose deadlines have been reached")
  func advancing() async {
    let clock = ManualClock()
    let log = Log()
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try? await clock.sleep(for: .seconds(seconds))
        log.add("\(seconds)")
      }
    }
    await clock.sleepers(3)
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleeperCount == 3)
    clock.advance(by: .milliseconds(1))
    await tasks[1].value
    #expect(log.entries == ["1"] && clock.sleeperCount == 2)
    clock.advance(by: .seconds(5))
    for task in tasks { await task.value }
    #expect(clock.sleeperCount == 0 && clock.now.offset == .seconds(6))
    try? await clock.sleep(until: clock.now)
  }

  @Test("A cancelled sleep throws, before and after it has begun")
  func cancellation() async {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }
}

@Suite("Waiting in vain", .timeLimit(.minutes(10)))
struct CancelledWaitTests {
  @Test("Waiting for requests ends when the test is cancelled")
  func ends() async {
    let clock = ManualClock()
    let exchange = ScriptedExchange { _ in .data("{}") }
    let server = LocalServer { _ in }
    let waits: [@Sendable () async -> Void] = [
      { await clock.sleepers(1) }, { await exchange.received(1) }, { await server.received(1) },
    ]
    for wait in waits {
      let hasEnded = Locked(false)
      let task = Task {
        await wait()
        hasEnded.withLock { $0 = true }
      }
      task.cancel()
      await eventually { hasEnded.withLock(\.self) }
    }
  }
}

@Suite("A scripted exchange", .timeLimit(.minutes(10)))
struct ScriptedExchangeTests {
  @Test("A scripted exchange records operations when their streams are iterated")
  func noting() async {
    let server = ScriptedExchange { .data(#"{"name":"\#($0.name ?? "")"}"#) }
    let stream = GraphQLClient([server]).results(of: GraphQLOperation("query A { a }"))
    #expect(server.operations.isEmpty)
    var names: [String?] = []
    for await result in stream { names.append(result.data?["name"]?.string) }
    #expect(names == ["A"])
    #expect(server.operations.map(\.name) == ["A"])
    await server.received(1)
  }

  @Test("Without a cache, a scripted exchange does not receive a query with the policy cacheOnly")
  func cacheOnly() async {
    let server = ScriptedExchange.immediate { _ in .data("{}") }
    let result = await GraphQLClient([server]).query(GraphQLOperation("{ a }").with(.cacheOnly))
    #expect(result.data == nil && result.error?.code == .notCached)
    #expect(server.operations.isEmpty)
  }

  @Test("Scripted data that is not JSON gives an error and does not crash")
  func scripts() {
    #expect(OperationResult.data("{").error?.code == .malformedResponse)
    #expect(OperationResult.failure("no").error?.graphQLErrors.map(\.message) == ["no"])
  }
}
