import Testing
import Weir
import WeirTesting

@Suite("The total timeout of an execution", .timeLimit(.minutes(10)))
struct TotalTimeoutTests {
  let clock = ManualClock()
  let gate = Gate()
  /// Opens when the only slot is taken.
  private let occupied = Gate()

  func client(_ exchanges: any Exchange...) -> GraphQLClient {
    GraphQLClient(exchanges, clock: clock)
  }

  /// The query of one post with a total timeout of three seconds.
  func limited(policy: RequestPolicy = .cacheFirst) -> GraphQLOperation {
    postQuery(policy: policy).with { $0.totalTimeout = .seconds(3) }
  }

  /// The exchanges that wait.
  enum Wait: CaseIterable { case request, retry, limit, credentials, own }

  private func exchange(_ wait: Wait) -> any Exchange {
    switch wait {
    case .request:
      return ScriptedExchange { _ in
        await Gate().pass(); return post("late")
      }
    case .retry:
      var retry = RetryConfiguration()
      retry.initialDelay = .seconds(20)
      retry.maximumDelay = .seconds(20)
      let failing = ScriptedExchange { _ in
        OperationResult(error: OperationError(code: .transport, message: ""))
      }
      return ComposeExchange([RetryExchange(retry, clock: clock, random: { 0.5 }), failing])
    case .limit:
      return ComposeExchange([
        .concurrencyLimit(1),
        ScriptedExchange { [occupied] _ in
          occupied.open()
          await Gate().pass()
          return post("late")
        },
      ])
    case .credentials:
      let auth = AuthConfiguration<String>(
        load: {
          await Gate().pass(); return ""
        }, attach: { _, _ in }, refresh: { $0 })
      return ComposeExchange([.auth(auth), postServer()])
    case .own:
      // Does not even react to cancellation.
      return InlineExchange { _, _ in ResultStream { _ in await Task { await gate.pass() }.value } }
    }
  }

  @Test("A client's own timeout is that of operations without one (A4)")
  func configured() async {
    var configuration = ClientConfiguration()
    configuration.totalTimeout = .seconds(2)
    let waiting = ScriptedExchange { _ in
      await Gate().pass(); return post("late")
    }
    let client = GraphQLClient(
      [.dedup, .documentCache, waiting], configuration: configuration, clock: clock)
    async let first = client.query(postQuery("1"))
    async let second = client.query(postQuery("2").with { $0.totalTimeout = .seconds(3) })
    await clock.sleepers(2)
    clock.advance(by: .seconds(2))
    #expect(await first.error?.code == .timedOut)
    clock.advance(by: .seconds(1))
    #expect(await second.error?.message.contains("3.0 seconds") == true)
  }

  @Test("It bounds the wait in every exchange that waits (A4)", arguments: Wait.allCases)
  func waits(_ wait: Wait) async throws {
    let client = client(.dedup, .documentCache, exchange(wait))
    let other = Task { wait == .limit ? await client.query(postQuery("2")) : nil }
    if wait == .limit { await occupied.pass() }
    let result = Task { await client.query(limited()) }
    await clock.sleepers(wait == .retry ? 2 : 1)
    clock.advance(by: .milliseconds(2_999))
    #expect(clock.sleeperCount > 0)
    clock.advance(by: .milliseconds(1))
    let error = try #require(await result.value.error)
    #expect(error.code == .timedOut && error.isTransient)
    #expect(
      error.message == "The query Post took longer than its total timeout of 3.0 seconds.")
    other.cancel()
    gate.open()
  }

  @Test(
    "A shared request goes on until its last execution has left (A4)", arguments: [true, false])
  func shared(firstIsLimited: Bool) async {
    let server = postServer { [gate] _ in await gate.pass() }
    let client = client(.dedup, server)
    let patient = postQuery().with { $0.totalTimeout = .seconds(60) }
    let operations = firstIsLimited ? [limited(), patient] : [patient, limited()]
    let first = Task { await client.query(operations[0]) }
    await server.received(1)
    let second = Task { await client.query(operations[1]) }
    await clock.sleepers(2)
    clock.advance(by: .seconds(3))
    let (timedOut, other) = firstIsLimited ? (first, second) : (second, first)
    #expect(await timedOut.value.error?.code == .timedOut)
    gate.open()
    #expect(await other.value.summary == "title 1")
    #expect(server.operations.count == 1)
  }

  @Test("The request is cancelled when nobody waits for it any more (A4)")
  func cancelled() async {
    let cancelled = Gate()
    let server = ScriptedExchange { _ in
      await Gate().pass()
      if Task.isCancelled { cancelled.open() }
      return post("late")
    }
    let client = client(.dedup, server)
    let results = (1...3).map { _ in Task { await client.query(limited()) } }
    await clock.sleepers(3)
    clock.advance(by: .seconds(3))
    for result in results { #expect(await result.value.error?.code == .timedOut) }
    await cancelled.pass()
  }

  @Test(
    "A hit is not limited, and cached data stands beside the error if the policy allows it (A4)")
  func cachedData() async {
    let server = postServer { [gate] _ in await gate.pass() }
    let client = client(.dedup, .documentCache, server)
    gate.open()
    _ = await client.query(postQuery())
    gate.close()
    #expect(await client.query(limited()).summary == "title 1")
    #expect(clock.sleeperCount == 0)
    for (policy, summary) in [
      (RequestPolicy.networkFirst, "title 1 error"), (.cacheAndNetwork, "title 1 error"),
      (.networkOnly, "error"),
    ] {
      let result = Task { await client.query(limited(policy: policy)) }
      await clock.sleepers(1)
      clock.advance(by: .seconds(3))
      #expect(await result.value.summary == summary)
    }
  }

  @Test("Each refetch of a watch has the whole time, and the watch goes on after an error (A4)")
  func watch() async {
    let server = postServer { [gate] _ in await gate.pass() }
    let client = client(.dedup, .documentCache, server)
    let watcher = Watcher(client.watch(limited()))
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    gate.open()
    #expect(await watcher.next(1) == ["title 1"])
    gate.close()
    client.invalidate(types: "Post")
    #expect(await watcher.next(1) == ["title 1 stale"])
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(2_999))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(await watcher.next(1) == ["title 1 error"])
    gate.open()
    client.invalidate(types: "Post")
    #expect(await watcher.next(2) == ["title 1 error stale", "title 3"])
  }

  @Test("A mutation goes on after its time, unless it aborts when cancelled (A4, M1)")
  func mutation() async {
    let aborted = Gate()
    let server = postServer { [gate] operation in
      guard operation.kind == .mutation else { return }
      await gate.pass()
      if Task.isCancelled { aborted.open() }
    }
    let client = client(.dedup, .documentCache, server)
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    let update = updatePost.with { $0.totalTimeout = .seconds(3) }
    for aborts in [true, false] {
      let result = Task { await client.mutate(update.with { $0.abortsWhenCancelled = aborts }) }
      await clock.sleepers(1)
      clock.advance(by: .seconds(3))
      #expect(await result.value.error?.code == .timedOut)
      if aborts { await aborted.pass() }
    }
    gate.open()
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
  }

  private static func counting(_ received: Board<Int>) -> MapExchange {
    MapExchange(result: { _, result in
      received.update { $0 += 1 }
      return result
    })
  }

  @Test("No error follows a final result whose source takes longer to end (A4)")
  func lateEnd() async {
    let client = client(
      InlineExchange { _, _ in
        ResultStream { [gate] yield in
          yield(post("title"))
          await gate.pass()
        }
      })
    var results = client.results(of: limited()).makeAsyncIterator()
    #expect(await results.next()?.summary == "title")
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await results.next()?.summary == nil)
  }

  @Test("A final result that waits for room does not hide the timeout (A4)")
  func unsentFinalResult() async {
    let (received, cancelled) = (Board(0), Gate())
    let server = InlineExchange { _, _ in
      ResultStream { [gate] yield in
        yield(.data(#"{"post":null}"#, hasNext: true))
        await gate.pass()
        // As many parts as may wait for the consumer.
        for _ in 0..<16 { yield(.data(#"{"post":null}"#, hasNext: true)) }
        yield(post("title"))
        await Gate().pass()
        cancelled.open()
      }
    }
    let client = client(Self.counting(received), server)
    var results = client.results(of: limited()).makeAsyncIterator()
    #expect(await results.next()?.hasNext == true)
    gate.open()
    await received.until { $0 == 18 }
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    // The time is over before the consumer makes room.
    await cancelled.pass()
    var last: OperationResult?
    while let result = await results.next() { last = result }
    #expect(last?.error?.code == .timedOut)
  }

  @Test("A streamed mutation whose session has ended runs on to its end (A4, M1)")
  func abandonedMutation() async {
    await watched("an abandoned mutation") { [clock, gate] in
      let received = Board(0)
      let server = InlineExchange { _, _ in
        ResultStream { yield in
          yield(.data(#"{"updatePost":null}"#, hasNext: true))
          await gate.pass()
          for _ in 0..<40 { yield(.data(#"{"updatePost":null}"#, hasNext: true)) }
          yield(updated)
        }
      }
      let client = GraphQLClient([Self.counting(received), server], clock: clock)
      let mutation = updatePost.with { $0.totalTimeout = .seconds(3) }
      let task = Task { await client.mutate(mutation) }
      await received.until { $0 == 1 }
      client.switchSession()
      #expect(await task.value.error?.code == .cancelled)
      gate.open()
      await received.until { $0 == 42 }
    }
  }
}
