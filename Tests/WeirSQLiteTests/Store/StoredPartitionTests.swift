import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("Partitions of a store over a storage", .timeLimit(.minutes(10)))
struct StoredPartitionTests {
  static let user = Todos.all.with { $0.headers["authorization"] = "Bearer top-secret-token" }
  static let german = Todos.all.with { $0.headers["accept-language"] = "de-special" }
  static let operations = [Todos.all, user, german]

  static func fill(_ store: NormalizedStore) async throws {
    for (index, operation) in operations.enumerated() {
      try store.write(["todos": [Todos.todo("1", "text \(index)")]], for: operation)
    }
    try await store.flush()
  }

  static func texts(_ store: NormalizedStore) async -> [String??] {
    var texts: [String??] = []
    for operation in operations { texts.append(Todos.texts(await store.load(operation))?.first) }
    return texts
  }

  @Test(
    "Each partition finds its own data in the next run, and no other partition's (K8, N9.1)",
    arguments: Place.allCases)
  func restart(_ place: Place) async throws {
    let medium = try place.medium()
    try await Self.fill(medium.store())
    for _ in 0..<2 {
      let store = medium.store()
      #expect(await Self.texts(store) == ["text 0 1", "text 1 1", "text 2 1"])
      let nobody = Todos.all.with { $0.headers["authorization"] = "Bearer other" }
      #expect(await store.load(nobody) == nil)
    }
  }

  @Test("The file contains neither a token nor another header (K8)")
  func secrets() async throws {
    let file = try TestFile(inMemory: true)
    try await Self.fill(NormalizedStore(storage: file.storage()))
    for suffix in ["", "-wal"] {
      let bytes = Data(file.bytes(suffix))
      for secret in ["top-secret-token", "de-special", "Bearer"] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil)
      }
    }
  }

  @Test(
    "An invalidation by type reaches partitions that only the file has (K8)",
    arguments: Place.allCases)
  func dormant(_ place: Place) async throws {
    let medium = try place.medium()
    try await Self.fill(medium.store())
    let store = medium.store()
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    client.invalidate(types: "Todo")
    try await store.flush()
    for operation in Self.operations {
      let result = await client.query(operation.with { $0.requestPolicy = .cacheOnly })
      #expect(result.isStale && result.data != nil)
    }
  }

  @Test(
    "A new session leaves nothing of any partition, and later ones save theirs (K8, C10)",
    arguments: Place.allCases)
  func session(_ place: Place) async throws {
    let medium = try place.medium()
    try await Self.fill(medium.store())
    let store = medium.store()
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    _ = await store.load(Self.user)
    client.switchSession()
    #expect(await Self.texts(store) == [nil, nil, nil])
    try await store.flush()
    #expect(await Self.texts(medium.store()) == [nil, nil, nil])
    try await Self.fill(store)
    #expect(await Self.texts(medium.store()) == ["text 0 1", "text 1 1", "text 2 1"])
  }

  @Test(
    "A removal by type in one partition leaves the others alone (K8)", arguments: Place.allCases)
  func removal(_ place: Place) async throws {
    let medium = try place.medium()
    try await Self.fill(medium.store())
    let store = medium.store()
    try store.update { $0.remove(.type("Todo")) }
    try store.partition(of: Self.german.context).update { $0.remove(.type("Todo")) }
    try await store.flush()
    let next = medium.store()
    #expect(await next.load(Todos.all) == nil)
    #expect(await next.load(Self.german) == nil)
    #expect(Todos.texts(await next.load(Self.user)) == ["text 1 1"])
  }

  private func smallStore(_ storage: ScriptedStorage) -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 100_000
    return NormalizedStore(configuration, storage: storage)
  }

  /// Makes so many partitions that a small store drops others. Each takes a part of the budget that is for
  /// all.
  private func crowd(_ store: NormalizedStore) {
    for number in 0..<20 {
      _ = store.partition(of: Todos.all.with { $0.headers["x-user"] = "\(number)" }.context)
    }
  }

  @Test("A partition stays in memory until its changes are saved, whatever the budget (K8, N8.2)")
  func unsaved() async throws {
    let storage = ScriptedStorage()
    let store = smallStore(storage)
    try await storage.holdCommit { try store.write(Todos.data, for: Todos.all) }
    try store.write(["todos": [Todos.todo("1", "German")]], for: Self.german)
    crowd(store)
    #expect(Todos.texts(store.read(Self.german)) == ["German 1"])
    storage.release()
    try await store.flush()
    #expect(Todos.texts(await store.load(Self.german)) == ["German 1"])
  }

  @Test(
    "Changes of many partitions that a storage refuses for a while do not accumulate (K8, N9.3)")
  func refused() async throws {
    let storage = ScriptedStorage()
    var configuration = NormalizedCacheConfiguration()
    (configuration.maximumBytes, configuration.maximumUnsavedRecords) = (50_000, 50)
    let store = NormalizedStore(configuration, storage: storage)
    storage.fail(.commit, with: .busy)
    for number in 0..<100 {
      let query = Todos.all.with { $0.headers["x-user"] = "\(number)" }
      try store.write(["todos": .array((0..<10).map { Todos.todo("\($0)") })], for: query)
      await #expect(throws: StorageError.self) {
        try await store.partition(of: query.context).flush()
      }
      #expect(store.statistics.bytes < 50_000)
    }
  }

  @Test("Stores that name their partitions at the same time agree in the end (K8, N9.5)")
  func names() async throws {
    let one = ScriptedStorage()
    let other = MemoryRecordStorage(sharing: one.memory)
    let first = NormalizedStore(storage: one)
    one.hold(.load)
    try first.write(["todos": [Todos.todo("1", "first")]], for: Self.german)
    await one.waitUntilHeld()
    let second = NormalizedStore(storage: other)
    try second.write(["todos": [Todos.todo("1", "second")]], for: Self.german)
    try await second.flush()
    var watch = second.watch(Self.german).makeAsyncIterator()
    #expect(Todos.texts(await watch.next() ?? nil) == ["second 1"])
    one.release()
    try await first.flush()
    // The second store's own data may be gone for a moment.
    #expect(await reach({ await watch.next() }, until: { Todos.texts($0) == ["first 1"] }) != nil)
    try second.write(["todos": [Todos.todo("1", "last")]], for: Self.german)
    try await second.flush()
    let third = NormalizedStore(storage: MemoryRecordStorage(sharing: one.memory))
    #expect(Todos.texts(await third.load(Self.german)) == ["last 1"])
  }

  @Test("Changes of another store wake the watches of their partition (K8, N9.5)")
  func otherStore() async throws {
    let file = try TestFile(inMemory: true)
    let (one, two) = (
      NormalizedStore(storage: file.storage()), NormalizedStore(storage: file.storage())
    )
    try await Self.fill(one)
    var watch = two.watch(Self.user).makeAsyncIterator()
    #expect(Todos.texts(await watch.next() ?? nil) == ["text 1 1"])
    try one.write(["todos": [Todos.todo("1", "new")]], for: Self.user)
    try await one.flush()
    #expect(Todos.texts(await watch.next() ?? nil) == ["new 1"])
  }

  @Test("What a closed partition has learned stays as long as its lists do (K8, N9.4)")
  func learnedInPartition() async throws {
    let memory = MemoryRecordStorage()
    try await Self.fill(NormalizedStore(storage: MemoryRecordStorage(sharing: memory)))
    // The lists are used after what was learned.
    _ = await Self.texts(NormalizedStore(storage: MemoryRecordStorage(sharing: memory)))
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 1_000
    let store = NormalizedStore(configuration, storage: MemoryRecordStorage(sharing: memory))
    var numbers: Set<Int> = []
    for number in 0..<50 {
      try store.write(["todos": [Todos.todo("\(number)")]], for: Todos.all)
      try await store.flush()
      let keys = try memory.keys(in: .prefix("%P"))
      let partitions = Set(
        keys.filter { !$0.hasSuffix(":LEARNED") }.map { $0.prefix { $0 != ":" } })
      #expect(partitions.allSatisfy { keys.contains("\($0):LEARNED") })
      numbers.insert(partitions.count)
    }
    #expect(numbers.isSuperset(of: [0, 2]))
  }

  @Test("A failure that several partitions meet is reported once (N9.3, K8)")
  func failure() async throws {
    let storage = ScriptedStorage()
    let reported = Locked<[StorageError.Code]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { error in reported.withLock { $0.append(error.code) } }
    let store = NormalizedStore(configuration, storage: storage)
    for round in 1...2 {
      storage.fail(.commit, with: .full)
      for operation in Self.operations {
        try store.write(["todos": [Todos.todo("\(round)")]], for: operation)
        let partition = store.partition(of: operation.context)
        await #expect(throws: StorageError.self) { try await partition.flush() }
      }
      #expect(reported.withLock { $0.count } == round)
      storage.fail(.commit, with: nil)
      try await store.flush()
    }
  }

  @Test("A partition that cannot save a removal stays in memory, whatever the budget (K8, N8.2)")
  func unsavedRemoval() async throws {
    let storage = ScriptedStorage()
    let store = smallStore(storage)
    try store.write(["todos": [Todos.todo("1", "German")]], for: Self.german)
    try await store.flush()
    storage.fail(.commit, with: .full)
    try store.partition(of: Self.german.context).update {
      $0.remove(.entity(Entity("Todo", id: "1")))
    }
    await #expect(throws: StorageError.self) { try await store.flush() }
    crowd(store)
    storage.fail(.commit, with: nil)
    try await store.flush()
    let text = try GraphQLFragment("fragment Text on Todo { text }")
    let german = store.partition(of: Self.german.context)
    #expect(await german.load(text, of: Entity("Todo", id: "1")) == nil)
  }

  @Test("A partition that is being saved when the session ends saves nothing of it (K8, S3)")
  func endedSession() async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: storage)
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    storage.hold(.load)
    try store.write(["todos": [Todos.todo("1")]], for: Self.german)
    await storage.waitUntilHeld()
    client.switchSession()
    storage.release()
    try await store.flush()
    #expect(!storage.saved.joined().contains { $0.hasSuffix("Todo:1") })
  }
}
