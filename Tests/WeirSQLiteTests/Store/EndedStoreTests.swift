import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Stores that have ended and still save", .timeLimit(.minutes(10)))
struct EndedStoreTests {
  private static let first = GraphQLOperation("{ first { id text } }")
  private static let second = GraphQLOperation("{ second { id text } }")

  /// Reports its end.
  private final class Lifetime: Sendable {
    private let onEnd: @Sendable () -> Void
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  /// Writes two todos, of which the second waits for the commit of the first, and drops the store.
  private func write(to storage: ScriptedStorage, until lifetime: Lifetime) async throws {
    // The store has done everything when nothing needs its configuration any more.
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { _ in _ = lifetime }
    let store = NormalizedStore(configuration, storage: storage)
    try await storage.holdCommit {
      try store.write(["first": Todos.todo("1")], for: Self.first)
    }
    try store.write(["second": Todos.todo("2")], for: Self.second)
  }

  @Test("An ended store saves nothing from before a removal (N9.5, S3)")
  func removal() async throws {
    let storage = ScriptedStorage()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    try await write(to: storage, until: Lifetime { end.finish() })
    let other = NormalizedStore(storage: storage)
    GraphQLClient([.normalizedCache(other)], configuration: .silent).clear()
    try await other.flush()
    storage.release()
    for await _ in ends {}
    let keys = try storage.memory.keys(in: .all)
    #expect(!keys.contains("Todo:2") && !keys.contains { $0.contains("second") }, "\(keys)")
    let later = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    #expect(await later.load(Self.second) == nil)
  }

  private func partition(in storage: MemoryRecordStorage) async throws -> NormalizedStore {
    let store = NormalizedStore(storage: storage)
    let part = store.partition(of: StoredPartitionTests.german.context)
    try part.write(["second": Todos.todo("2")], for: Self.second)
    try await store.flush()
    return part
  }

  @Test("A partition that outlives its store forgets what another store has removed (K8, N9.5)")
  func partition() async throws {
    let memory = MemoryRecordStorage()
    let part = try await partition(in: memory)
    #expect(part.read(Self.second) != nil)
    let other = NormalizedStore(storage: memory)
    GraphQLClient([.normalizedCache(other)], configuration: .silent).clear()
    try await other.flush()
    #expect(part.read(Self.second) == nil)
  }
}
