import Testing
import Weir
import WeirNormalized
import WeirTesting

/// What watches show of data that the store has lost, while no request succeeds.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct LostDataTests {
  private static let list = GraphQLOperation("{ todos { id title } }")
  private static let both = """
    {"todos":[{"__typename":"Todo","id":"1","title":"a"},\
    {"__typename":"Todo","id":"2","title":"b"}]}
    """

  @Test("A list that names a removed entity is stale beside the error of its refetch (W2)")
  func removedElement() async throws {
    let store = StoreKind.store()
    let isOffline = Locked(false)
    let server = ScriptedExchange.immediate { _ in
      isOffline.withLock(\.self) ? .failure("offline") : .data(Self.both)
    }
    let client = GraphQLClient([.dedup, .cache(store), server])
    var first = client.watch(Self.list).makeAsyncIterator()
    var second = client.watch(Self.list).makeAsyncIterator()
    #expect(await first.next()?.isStale == false)
    #expect(await second.next()?.isStale == false)

    isOffline.withLock { $0 = true }
    try store.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
    #expect(await first.next()?.isStale == true)
    // The second watch receives the failure of the first one's request.
    for failed in [await first.next(), await second.next()] {
      #expect(failed?.data?["todos"]?.count == 2)
      #expect(failed?.error != nil && failed?.isStale == true)
    }
    #expect(server.operations.count == 2)

    // Another failed request changes nothing. A write that completes the list makes it fresh.
    _ = await client.query(Self.list.with { $0.requestPolicy = .networkOnly })
    try store.write(try JSON(parsing: Self.both), for: Self.list)
    for restored in [await first.next(), await second.next()] {
      #expect(restored?.isStale == false && restored?.error == nil)
    }
    #expect(server.operations.count == 3)
  }

  @Test("Data that the store still has is not stale beside the error of its refetch (P4)")
  func invalidatedElement() async throws {
    let store = StoreKind.store()
    let isOffline = Locked(false)
    let client = GraphQLClient([
      .dedup, .cache(store),
      ScriptedExchange.immediate { _ in
        isOffline.withLock(\.self) ? .failure("offline") : .data(Self.both)
      },
    ])
    var watch = client.watch(Self.list).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    isOffline.withLock { $0 = true }
    client.invalidate(.all)
    #expect(await watch.next()?.isStale == true)
    let failed = await watch.next()
    #expect(failed?.data != nil && failed?.error != nil && failed?.isStale == false)
  }

  @Test("Lost data is requested, even if another request has failed since it was shown (P4)")
  func lostAfterFailure() async throws {
    let store = StoreKind.store()
    let isOffline = Locked(false)
    let server = ScriptedExchange.immediate { _ in
      isOffline.withLock(\.self) ? .failure("offline") : .data(Self.both)
    }
    let client = GraphQLClient([.dedup, .cache(store), server])
    var watch = client.watch(Self.list).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    isOffline.withLock { $0 = true }
    let failed = await client.query(Self.list.with { $0.requestPolicy = .networkOnly })
    #expect(failed.error != nil)
    isOffline.withLock { $0 = false }
    try store.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
    var shown = await watch.next()
    while shown?.isStale == true, shown?.error == nil { shown = await watch.next() }
    #expect(shown?.error == nil && shown?.data?["todos"]?.count == 2)
    #expect(server.operations.count == 3)
  }
}
