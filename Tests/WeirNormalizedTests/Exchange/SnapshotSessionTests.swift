import Foundation
import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Sessions: snapshots", .timeLimit(.minutes(10)))
struct SnapshotSessionTests {
  private static let query = GraphQLOperation("{ me { id name } }")
  private static let server = ScriptedExchange.immediate { _ in
    .data(#"{"me":{"__typename":"User","id":"1","name":"Ann"}}"#)
  }

  @Test("A document cache does not restore what was saved before a switch (S4)")
  func documentCache() async throws {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([cache, Self.server])
    _ = await client.query(Self.query)
    let old = client.session
    let saved = cache.snapshot()
    let bytes = try JSONEncoder().encode(saved)
    let decoded = try JSONDecoder().decode(DocumentCacheSnapshot.self, from: bytes)
    #expect(decoded == saved)
    client.switchSession()
    #expect(cache.restore(saved) == 0)
    #expect(cache.restore(decoded) == 0)
    // Its bytes were read before the switch.
    let late = try JSONDecoder().decode(DocumentCacheSnapshot.self, from: bytes)
    #expect(cache.restore(late, in: old) == 0)
    #expect(cache.restore(saved, in: client.session) == 0)
    #expect(client.peek(Self.query) == nil)
    #expect(cache.restore(late, in: client.session) == 1)
    #expect(client.peek(Self.query)?.data?["me"]?["name"]?.string == "Ann")
  }

  @Test("A store does not restore what was extracted before a switch (S4)")
  func store() async throws {
    let store = NormalizedStore()
    let client = GraphQLClient([.normalizedCache(store), Self.server])
    _ = await client.query(Self.query)
    let old = client.session
    let saved = store.extract()
    let decoded = StoreSnapshot(bytes: saved.bytes)
    #expect(decoded == saved)
    client.switchSession()
    let late = StoreSnapshot(bytes: saved.bytes)
    let attempts = [(saved, nil), (decoded, nil), (late, old), (saved, client.session)]
    for (snapshot, session) in attempts {
      let error = #expect(throws: StoreError.self) { try store.restore(snapshot, in: session) }
      #expect(error?.code == .endedSession)
    }
    #expect(store.read(Self.query) == nil)
    try store.restore(late, in: client.session)
    #expect(store.read(Self.query)?["me"]?["name"]?.string == "Ann")
  }

  /// Does something in a switch, before the exchanges below it are told.
  private final class Interloper: StatefulExchange {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      forward(operation)
    }
    func invalidate(_ invalidation: Invalidation) {}
    func switchSession(to session: Session) { body() }
  }

  @Test("A snapshot that was made during a switch, of the old user's data, is not restored (S4)")
  func duringSwitch() async throws {
    let cache = DocumentCacheExchange()
    let store = NormalizedStore()
    let saved = Locked<(DocumentCacheSnapshot, StoreSnapshot)?>(nil)
    let early = Interloper {
      let snapshots = (cache.snapshot(), store.extract())
      saved.withLock { $0 = snapshots }
    }
    let client = GraphQLClient([early, cache, .normalizedCache(store), Self.server])
    _ = await client.query(Self.query)
    client.switchSession()
    let (snapshot, extracted) = try #require(saved.withLock { $0 })
    #expect(snapshot.count == 1)
    #expect(cache.restore(snapshot) == 0)
    #expect(throws: StoreError.self) { try store.restore(extracted) }
    #expect(client.peek(Self.query) == nil)
  }

  @Test("A snapshot of a cache that joins a session later is not restored in that session (S4)")
  func joinedLater() async throws {
    let cache = DocumentCacheExchange()
    let store = NormalizedStore()
    let client = GraphQLClient([cache, .normalizedCache(store), Self.server])
    _ = await client.query(Self.query)
    let other = GraphQLClient([])
    other.switchSession()
    let snapshot = cache.snapshot()
    let extracted = store.extract()
    client.switchSession(to: other.session)
    #expect(cache.restore(snapshot) == 0)
    #expect(throws: StoreError.self) { try store.restore(extracted) }
    _ = await client.query(Self.query)
    let new = cache.snapshot()
    client.clear()
    #expect(cache.restore(new) == 1)
    try store.restore(store.extract())
  }

  @Test("A recording that was not told of a session keeps nothing of the old one in it (S1)")
  func untoldRecording() async {
    let snapshots = SnapshotExchange()
    let recorder = InlineExchange { snapshots.execute($0, forward: $1) }
    let client = GraphQLClient([recorder, Self.server])
    let other = GraphQLOperation("{ me { name } }")
    _ = await client.query(Self.query)
    client.switchSession()
    _ = await client.query(other)
    let replay = GraphQLClient([.snapshot(replaying: snapshots.snapshot(), .always)])
    #expect(replay.peek(Self.query) == nil)
    #expect(replay.peek(other) != nil)
  }

  @Test("Results that were read before a switch are not replayed after it, told or untold (S1, S4)")
  func untoldReplay() async {
    let recording = SnapshotExchange()
    _ = await GraphQLClient([recording, Self.server]).query(Self.query)
    let replay = SnapshotExchange(replaying: recording.snapshot())
    let client = GraphQLClient([InlineExchange { replay.execute($0, forward: $1) }])
    client.switchSession()
    #expect(client.peek(Self.query) == nil)
    #expect(replay.snapshot().count == 0)
    // Results that were read since the switch.
    let cache = DocumentCacheExchange()
    GraphQLClient([cache]).switchSession()
    let later = SnapshotExchange(replaying: recording.snapshot())
    let second = GraphQLClient([InlineExchange { later.execute($0, forward: $1) }, cache])
    #expect(second.peek(Self.query) != nil)
  }

  @Test("A cache that was not told of a session serves nothing of the old one in it (S1)")
  func untoldStore() async {
    let cache = NormalizedCacheExchange()
    // The client does not see the cache behind this exchange, so it cannot notify it.
    let client = GraphQLClient([InlineExchange { cache.execute($0, forward: $1) }, Self.server])
    _ = await client.query(Self.query)
    #expect(client.peek(Self.query) != nil)
    client.switchSession()
    #expect(client.peek(Self.query) == nil)
    #expect(await client.query(Self.query).outcome == .miss)
  }
}
