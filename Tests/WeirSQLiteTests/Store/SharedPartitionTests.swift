import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Partitions of stores that share one storage", .timeLimit(.minutes(10)))
struct SharedPartitionTests {
  private static let german = StoredPartitionTests.german

  private func write(_ text: String, to store: NormalizedStore) throws {
    try store.write(["todos": [Todos.todo("1", text)]], for: Self.german)
  }

  /// The prefixes of the partitions' keys in a storage.
  private func prefixes(in memory: MemoryRecordStorage) throws -> Set<Substring> {
    Set(try memory.keys(in: .prefix("%P")).map { $0.prefix { $0 != ":" } })
  }

  @Test("A partition is saved for the next run after another store has removed all (K8, N9.5)")
  func removedByOther() async throws {
    let memory = MemoryRecordStorage()
    let (first, second) = (NormalizedStore(storage: memory), NormalizedStore(storage: memory))
    for store in [first, second] {
      try write("old", to: store)
      try await store.flush()
    }
    GraphQLClient([.normalizedCache(first)], configuration: .silent).switchSession()
    try await first.flush()
    try write("new", to: second)
    try await second.flush()
    let next = NormalizedStore(storage: MemoryRecordStorage(sharing: memory))
    #expect(Todos.texts(await next.load(Self.german)) == ["new 1"])
    #expect(try prefixes(in: memory).count == 1)
  }

  @Test(
    "A write while a store follows another one's removal is saved as a whole, and nothing older (K8, N9.5)",
    arguments: [ScriptedStorage.Call.load, .commit])
  func removedMeanwhile(held: ScriptedStorage.Call) async throws {
    let storage = ScriptedStorage()
    let (first, second) = (NormalizedStore(storage: storage), NormalizedStore(storage: storage))
    let count = GraphQLOperation("{ count }")
    let part = second.partition(of: Self.german.context)
    try write("old", to: second)
    try part.write(["count": 1], for: count)
    try await second.flush()
    // The second store's thread is busy with what is from before the removal.
    storage.hold(held)
    if held == .commit { try part.write(["count": 2], for: count) }
    async let loaded = part.load(GraphQLOperation("{ other }"))
    await storage.waitUntilHeld()
    GraphQLClient([.normalizedCache(first)], configuration: .silent).switchSession()
    try await first.flush()
    // The list is as it was before.
    try write("new", to: second)
    storage.release()
    _ = await loaded
    try await second.flush()
    #expect(Todos.texts(second.read(Self.german)) == ["new 1"])
    #expect(part.read(count) == nil)
    let next = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    #expect(Todos.texts(await next.load(Self.german)) == ["new 1"])
    #expect(await next.partition(of: Self.german.context).load(count) == nil)
  }

  @Test("Stores that name their partitions at the same time agree on one name (K8, N9.5)")
  func names() async throws {
    let storage = ScriptedStorage()
    let (first, second) = (NormalizedStore(storage: storage), NormalizedStore(storage: storage))
    // The first store has found no name yet when the second one looks for it.
    storage.hold(.load)
    try write("first", to: first)
    await storage.waitUntilHeld()
    try write("second", to: second)
    async let flushed: Void = second.flush()
    storage.release()
    try await first.flush()
    try await flushed
    #expect(try prefixes(in: storage.memory).count == 1)
    try write("last", to: second)
    try await second.flush()
    let next = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    #expect(Todos.texts(await next.load(Self.german)) == ["last 1"])
  }

  @Test("A partition commits nothing of a session that ends before its commit (K8, S3)")
  func endedSession() async throws {
    let storage = ScriptedStorage()
    let writer = NormalizedStore(storage: ScriptedStorage(storage.memory))
    try writer.partition(of: Self.german.context)
      .write(["count": 1], for: GraphQLOperation("{ count }"))
    try await writer.flush()
    let store = NormalizedStore(storage: storage)
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    let part = store.partition(of: Self.german.context)
    storage.hold(.names)
    async let loaded = part.load(Todos.all)
    await storage.waitUntilHeld()
    // The look-up goes on with the removals; the main store's come first.
    try store.update { $0.remove(.type("Tag")) }
    try part.update { transaction in
      transaction.remove(.type("Tag"))
      try transaction.write(["todos": [Todos.todo("1")]], for: Todos.all)
    }
    storage.hold(.commit)
    storage.release()
    await storage.waitUntilHeld()
    client.switchSession()
    storage.release()
    _ = await loaded
    try await store.flush()
    #expect(!storage.saved.joined().contains { $0.hasSuffix("Todo:1") })
  }
}
