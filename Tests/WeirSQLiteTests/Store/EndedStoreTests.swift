import Testing
import Weir
import WeirNormalized
import WeirSQLite
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

  /// Writes todos that cannot be saved, and drops the store.
  private func fail(with storage: ScriptedStorage, until lifetime: Lifetime, isOver: Bool)
    async throws
  {
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { _ in _ = lifetime }
    let store = NormalizedStore(configuration, storage: storage)
    storage.fail(.commit, with: .busy)
    try store.write(Todos.data, for: Todos.all)
    // The save that the write has requested may come after the first flush.
    for _ in 0..<2 { await #expect(throws: StorageError.self) { try await store.flush() } }
    withExtendedLifetime(store) { if isOver { storage.fail(.commit, with: nil) } }
  }

  @Test(
    "A store that ends tries once more to save what could not be saved (N9.3)",
    arguments: [true, false])
  func retry(isOver: Bool) async throws {
    let storage = ScriptedStorage()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    try await fail(with: storage, until: Lifetime { end.finish() }, isOver: isOver)
    for await _ in ends {}
    #expect(try (storage.memory.load(["Todo:1"])[0] != nil) == isOver)
  }

  /// Switches the session while another process writes, and drops the store afterwards.
  private func switchSession(over file: TestFile, until lifetime: Lifetime) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { _ in _ = lifetime }
    let store = NormalizedStore(configuration, storage: file.hastyStorage())
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    let process = try OtherProcess("hold", file.url)
    #expect(await process.line() == "held")
    GraphQLClient([.normalizedCache(store)], configuration: .silent).switchSession()
    for _ in 0..<2 { await #expect(throws: StorageError.self) { try await store.flush() } }
    process.release()
    #expect(await process.lines() == [])
    withExtendedLifetime(store) {}
  }

  @Test("A store that ends tries once more to remove an ended session's data (N9.5, S3)")
  func removalRetry() async throws {
    let file = try TestFile()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    try await switchSession(over: file, until: Lifetime { end.finish() })
    for await _ in ends {}
    #expect(try file.storage().keys(in: .all).filter { $0 != "LEARNED" } == [])
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
