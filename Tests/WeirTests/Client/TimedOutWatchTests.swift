import Testing
import Weir
import WeirTesting

/// The data beside a timeout, and the signals that refetch it, are those of any other failure.
@Suite("After the total timeout of an execution", .timeLimit(.minutes(10)))
struct TimedOutWatchTests {
  private let clock = ManualClock()
  private let gate = Gate(isOpen: true)
  private let refresh = RefreshExchange(on: AsyncStream<Void> { _ in })

  private func client(_ exchanges: [any Exchange]) -> GraphQLClient {
    GraphQLClient(exchanges + [postServer { [gate] _ in await gate.pass() }], clock: clock)
  }

  private func limited(_ policy: RequestPolicy = .cacheFirst) -> GraphQLOperation {
    postQuery(policy: policy).with { $0.totalTimeout = .seconds(3) }
  }

  @Test(
    "A watch is refreshed again after a timeout, with and without a cache (A4, A3)",
    arguments: [[.dedup, .documentCache], [.dedup]] as [[any Exchange]])
  func refreshed(exchanges: [any Exchange]) async {
    let client = client([refresh] + exchanges)
    let watcher = Watcher(client.watch(limited()))
    #expect(await watcher.next(1) == ["title 1"])
    gate.close()
    refresh.refresh()
    #expect(await watcher.next(1) == ["title 1 stale"])
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await watcher.next(1) == ["title 1 error"])
    gate.open()
    refresh.refresh()
    #expect(await watcher.next(2) == ["title 1 error stale", "title 3"])
  }

  @Test("A watch of a replayed result follows the rest of the chain after a timeout (A4, A3)")
  func replayed() async {
    let recorder = SnapshotExchange()
    _ = await GraphQLClient([recorder, postServer()]).query(postQuery())
    let snapshot = recorder.snapshot()
    gate.close()
    let client = client([.snapshot(replaying: snapshot), refresh, .dedup, .documentCache])
    let watcher = Watcher(client.watch(limited()))
    #expect(await watcher.next(1) == ["title 1 stale"])
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await watcher.next(1) == ["title 1 error"])
    gate.open()
    refresh.refresh()
    #expect(await watcher.next(2) == ["title 1 error stale", "title 2"])
  }

  @Test("A mutation refreshes a watch that has shown nothing but a timeout (A4, W3)")
  func mutated() async {
    let client = client([.dedup, .documentCache])
    _ = await client.query(postQuery("2"))
    gate.close()
    let watcher = Watcher(client.watch(limited()))
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await watcher.next(1) == ["error"])
    gate.open()
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(1) == ["title 3"])
  }

  @Test(
    "A watch goes on after a timeout although an exchange wants the network for each query (A4)",
    arguments: [true, false])
  func withPolicyOfExchange(isAboveDedup: Bool) async {
    let network = MapExchange(operation: { $0.with(.networkOnly) })
    let exchanges: [any Exchange] =
      isAboveDedup ? [network, .dedup, .documentCache] : [.dedup, network, .documentCache]
    let client = client(exchanges)
    gate.close()
    let watcher = Watcher(client.watch(limited()))
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await watcher.next(1) == ["error"])
    gate.open()
    client.invalidate(postQuery())
    #expect(await watcher.next(1) == ["title 2"])
  }

  @Test("A mutation refreshes a watch that shows a part of a response (A4, W3)")
  func incomplete() async {
    let requests = Counter()
    let server = ScriptedExchange(streaming: { operation in
      guard operation.kind == .query else { return .just(updated) }
      guard requests.next() == 1 else { return .just(post("whole")) }
      return ResultStream { yield in
        var part = post("part")
        part.hasNext = true
        yield(part)
        await Gate().pass()
      }
    })
    let client = GraphQLClient([.dedup, .documentCache, server], clock: clock)
    let watcher = Watcher(client.watch(limited()))
    #expect(await watcher.next(1) == ["part more"])
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await watcher.next(1) == ["part error"])
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["part error stale", "whole"])
  }

  @Test(
    "networkFirst falls back to data of any age, and no other policy does (A4, P5)",
    arguments: [
      (RequestPolicy.networkFirst, "title 1 error"), (.cacheAndNetwork, "error"),
      (.cacheFirst, "error"), (.networkOnly, "error"),
    ])
  func oldData(policy: RequestPolicy, summary: String) async {
    var configuration = DocumentCacheConfiguration()
    configuration.timeToLive = .seconds(10)
    let client = client([.dedup, DocumentCacheExchange(configuration, clock: clock)])
    _ = await client.query(postQuery())
    clock.advance(by: .seconds(11))
    gate.close()
    let result = Task { await client.query(limited(policy)) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await result.value.summary == summary)
  }
}
