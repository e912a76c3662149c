import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Data that another operation has refreshed before it would have become stale (N8.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RefreshedExpiryTests {
  private let clock = ManualClock()
  private let server = ScriptedExchange.immediate { _ in
    .data(#"{"todos":[{"__typename":"Todo","id":"1","text":"a","done":false}]}"#)
  }
  private let store: NormalizedStore
  private let client: GraphQLClient

  init() {
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive["Todo"] = .seconds(10)
    store = StoreKind.store(configuration, clock: clock)
    client = GraphQLClient([.cache(store), server])
  }

  @Test("A watch refetches when the age is over that another query has given its data (N8.1)")
  func watch() async {
    let shown = Locked<[Bool]>([])
    let watcher = Task { [client] in
      for await result in client.watch(AgeTests.query) {
        shown.withLock { $0.append(result.isStale) }
      }
    }
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let other = GraphQLOperation("{ todos { id text done } }")
    _ = await client.query(other.with { $0.requestPolicy = .networkOnly })
    clock.advance(by: .seconds(5))
    // The alarm has rung, and was set again.
    await clock.sleepers(1)
    #expect(server.operations.count == 2)
    #expect(shown.withLock(\.self) == [false])
    clock.advance(by: .seconds(5))
    await server.received(3)
    await clock.sleepers(1)
    #expect(server.operations.count == 3)
    #expect(shown.withLock(\.self).last == false)
    watcher.cancel()
    await watcher.value
  }

  @Test("A watch that looks at a change after its age refetches it (N8.1)")
  func lateLook() async throws {
    var watch = client.watch(AgeTests.query).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    clock.advance(by: .seconds(5))
    try store.write(
      ["todos": [["__typename": "Todo", "id": "1", "text": "b"]]], for: AgeTests.query)
    clock.advance(by: .milliseconds(10_500))
    #expect(await watch.next()?.isStale == true)
    #expect(await watch.next()?.isStale == false)
    #expect(server.operations.count == 2)
  }

  @Test("A watch that waits later does not refetch what another query has refreshed (N8.1)")
  func lateWait() async {
    var watch = client.watch(AgeTests.query).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    clock.advance(by: .seconds(5))
    let other = GraphQLOperation("query Other { todos { id text } }")
    _ = await client.query(other.with { $0.requestPolicy = .networkOnly })
    clock.advance(by: .seconds(6))
    async let next = watch.next()
    await clock.sleepers(1)
    #expect(server.operations.count == 2)
    clock.advance(by: .seconds(4))
    #expect(await next?.isStale == true)
    #expect(await watch.next()?.isStale == false)
    #expect(server.operations.count == 3)
  }
}
