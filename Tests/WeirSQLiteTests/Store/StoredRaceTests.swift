import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("Look-ups with concurrent changes", .timeLimit(.minutes(10)))
struct StoredRaceTests {
  static let card = "fragment Card on Todo { id text due }"

  private func filled() async throws -> ScriptedStorage {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: ScriptedStorage(storage.memory))
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    return storage
  }

  /// Runs a closure after the first look-up has found the old data, but before it returns.
  private func during(
    _ action: @Sendable (NormalizedStore) throws -> Void
  ) async throws -> (NormalizedStore, JSON?) {
    let storage = try await filled()
    let store = NormalizedStore(storage: storage)
    storage.hold(.load)
    let card = try GraphQLFragment("fragment Text on Todo { text }")
    async let found = store.load(card, of: Entity("Todo", id: "1"))
    await storage.waitUntilHeld()
    try action(store)
    storage.release()
    let result = await found
    try await store.flush()
    let again = await NormalizedStore(storage: ScriptedStorage(storage.memory))
      .load(card, of: Entity("Todo", id: "1"))
    #expect(again == result)
    return (store, result)
  }

  @Test("A write during a look-up is newer than the data that the look-up finds (N9.1)")
  func write() async throws {
    let (_, data) = try await during { store in
      try store.write(["todo": ["__typename": "Todo", "id": "1", "text": "new"]], for: Todos.text)
    }
    #expect(data?["text"]?.string == "new")
  }

  @Test("The result of a look-up for an evicted entity is not given to another entity (N9.1)")
  func reusedRow() async throws {
    let storage = try await filled()
    let store = NormalizedStore(storage: storage)
    // The collection needs something to collect.
    let name = try GraphQLFragment("fragment Name on Author { name }")
    #expect(await store.load(name, of: Entity("Author", id: "7")) != nil)
    storage.hold(.load)
    async let found = store.load(Todos.all)
    await storage.waitUntilHeld()
    // The list has been loaded; its elements are next.
    storage.hold(.load)
    storage.release()
    await storage.waitUntilHeld()
    try store.write(["todos": []], for: Todos.all)
    #expect(store.collect() == 1)
    for id in 4...9 {
      try store.write(
        ["todo": ["__typename": "Todo", "id": .string("\(id)"), "text": "new"]], for: Todos.text)
    }
    storage.release()
    #expect(await found?["todos"]?.count == 0)
    for id in 4...9 {
      let card = try GraphQLFragment("fragment Card on Todo { id text author { id } }")
      #expect(store.read(card, of: Entity("Todo", id: "\(id)")) == nil)
    }
  }

  @Test(
    "A removal during a look-up, of any kind, is newer than the data that the look-up finds (N9.1)")
  func removal() async throws {
    let actions: [@Sendable (NormalizedStore) throws -> Void] = [
      { try $0.update { $0.remove(.entity(Entity("Todo", id: "1"))) } },
      { try $0.update { $0.remove(.type("Todo")) } },
      { GraphQLClient([.normalizedCache($0)], configuration: .silent).clear() },
      { GraphQLClient([.normalizedCache($0)], configuration: .silent).switchSession() },
    ]
    for action in actions {
      let (_, data) = try await during(action)
      #expect(data == nil)
    }
  }

  @Test("Data that is being saved when everything is removed is removed, too (N9.5)")
  func clearDuringCommit() async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: storage)
    try await storage.holdCommit { try store.write(Todos.data, for: Todos.all) }
    GraphQLClient([.normalizedCache(store)], configuration: .silent).clear()
    try store.write(["todo": ["__typename": "Todo", "id": "2", "text": "b"]], for: Todos.text)
    storage.release()
    try await store.flush()
    let other = NormalizedStore(storage: ScriptedStorage(storage.memory))
    let card = try GraphQLFragment("fragment Text on Todo { text }")
    #expect(await other.load(card, of: Entity("Todo", id: "1")) == nil)
    #expect(await other.load(card, of: Entity("Todo", id: "2")) != nil)
    #expect(await other.load(card, of: Entity("Author", id: "7")) == nil)
  }

  @Test(
    "A response waits while too much is unsaved, and is delivered afterwards (N9.1)",
    arguments: [true, false])
  func unsavedBound(isWrite: Bool) async throws {
    let storage = ScriptedStorage()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumUnsavedRecords = 2
    let store = NormalizedStore(configuration, storage: storage)
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"todo":{"__typename":"Todo","id":"9","text":"new"}}"#)
    }
    let client = GraphQLClient([.normalizedCache(store), server])
    try await storage.holdCommit {
      try store.write(["todo": Todos.todo("1")], for: Todos.text)
    }
    if isWrite {
      try store.write(Todos.data, for: Todos.all)
    } else {
      for name in ["Author", "Tag", "User"] { try store.update { $0.remove(.type(name)) } }
    }
    let order = Locked<[String]>([])
    let query = Task {
      let operation = GraphQLOperation("{ todo(id: \"9\") { id text } }")
      let result = await client.query(operation.with { $0.requestPolicy = .networkOnly })
      order.withLock { $0.append("answered") }
      return result.data?["todo"]?["text"]?.string
    }
    await server.received(1)
    for _ in 0..<50 { await Task.yield() }
    order.withLock { $0.append("saved") }
    storage.release()
    #expect(await query.value == "new")
    #expect(order.withLock { $0 } == ["saved", "answered"])
  }

  @Test("A hit in memory does not wait for the storage (N9.1)")
  func hit() async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: storage)
    let client = GraphQLClient([.dedup, .normalizedCache(store)], configuration: .silent)
    try await storage.holdCommit { try store.write(Todos.data, for: Todos.all) }
    #expect(client.peek(Todos.all)?.outcome == .hit)
    #expect(await client.query(Todos.all).outcome == .hit)
    try store.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
    #expect(storage.count(.commit) == 0)
    storage.release()
    try await store.flush()
  }

  @Test("A storage that fails is worked around, reported once, and caught up with (N9.3, N3.1)")
  func failures() async throws {
    let storage = try await filled()
    let told = Locked<[StorageError.Code]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { error in told.withLock { $0.append(error.code) } }
    let store = NormalizedStore(configuration, storage: storage)
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"todo":{"__typename":"Todo","id":"1","text":"new"}}"#)
    }
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    storage.fail(.load, with: .corrupt)
    storage.fail(.commit, with: .full)
    for _ in 0..<3 {
      let result = await client.query(Todos.text)
      #expect(result.data?["todo"]?["text"]?.string == "new")
      #expect(result.isDegraded)
      let error = await #expect(throws: StorageError.self) { try await store.flush() }
      #expect(error?.code == .corrupt || error?.code == .full)
    }
    #expect(server.operations.count == 1)
    #expect(told.withLock { $0 } == [.corrupt])
    storage.fail(.load, with: nil)
    await #expect(throws: StorageError(.full, "As told")) { try await store.flush() }
    storage.fail(.commit, with: nil)
    try await store.flush()
    #expect(told.withLock { $0 } == [.corrupt, .full])
    #expect(await client.query(Todos.text).isDegraded == false)
    let other = NormalizedStore(storage: ScriptedStorage(storage.memory))
    #expect(await other.load(Todos.text)?["todo"]?["text"]?.string == "new")
    #expect(await other.load(Todos.all)?["todos"]?.count == 3)
  }

  @Test(
    "Data that cannot be saved does not accumulate, and flush reports that it was given up (N9.3)",
    arguments: [StorageError.Code.full, .busy])
  func bound(code: StorageError.Code) async throws {
    let storage = ScriptedStorage()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 50_000
    configuration.maximumUnsavedRecords = 20
    let store = NormalizedStore(configuration, storage: storage)
    storage.fail(.commit, with: code)
    for batch in 0..<50 {
      try store.write(
        ["todos": .array((0..<50).map { Todos.todo("\(batch)-\($0)") })], for: Todos.all)
      _ = try? await store.flush()
      #expect(store.statistics.bytes < 100_000)
    }
    storage.fail(.commit, with: nil)
    await #expect(throws: StorageError(code, "As told")) { try await store.flush() }
    try await store.flush()
    #expect(await store.load(Todos.all)?["todos"]?.count == 50)
  }

  @Test("Loaded data is read before other writes make memory evict it (N9.1)")
  func loadedUnderPressure() async throws {
    let file = try TestFile(inMemory: true)
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 6_000
    let store = NormalizedStore(
      configuration, storage: file.storage())
    let server = ScriptedExchange.immediate { _ in .failure("offline") }
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    let text: GraphQLDocument = "query Todo($id: ID!) { todo(id: $id) { id text } }"
    let operations = (0..<60).map { GraphQLOperation(text, variables: ["id": .string("\($0)")]) }
    @Sendable func write(_ number: Int, _ round: Int) throws {
      try store.write(
        ["todo": ["__typename": "Todo", "id": .string("\(number)"), "text": .string("\(round)")]],
        for: operations[number])
    }
    for number in 0..<60 { try write(number, 0) }
    try await store.flush()
    try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          for round in 0..<Stress.rounds(40) {
            let number = (round * 7 + writer * 13) % 60
            _ = await store.load(operations[number])
            try write(number, round)
            await Task.yield()
          }
        }
      }
      for reader in 0..<3 {
        group.addTask {
          for round in 0..<Stress.rounds(100) {
            let result = await client.query(operations[(round * 11 + reader) % 60])
            #expect(result.error == nil)
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(server.operations.isEmpty)
  }

  @Test("A deallocated store saves its unsaved changes, and its thread ends (N9)")
  func end() async throws {
    let memory = MemoryRecordStorage()
    weak var storage: MemoryRecordStorage?
    do {
      let own = MemoryRecordStorage(sharing: memory)
      storage = own
      let store = NormalizedStore(storage: own)
      try store.write(Todos.data, for: Todos.all)
    }
    await eventually { storage == nil }
    #expect(try memory.load(["Todo:1", "Todo:2", "Todo:3", "Author:7"]).allSatisfy { $0 != nil })
  }

  @Test(
    "What memory evicts while it is being saved is found in the storage, and not lost (N9.1, N9.3)")
  func evictedDuringCommit() async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: storage)
    storage.fail(.commit, with: .full)
    try store.write(Todos.data, for: Todos.all)
    // The save that the write has requested may come after the first flush, and before the second one.
    for _ in 0..<2 { await #expect(throws: StorageError.self) { try await store.flush() } }
    storage.fail(.commit, with: nil)
    try await storage.holdCommit {
      try store.write(["todo": ["__typename": "Todo", "id": "9", "text": "b"]], for: Todos.text)
    }
    store.collect(.bytes(0))
    #expect(store.read(Todos.all) == nil)
    storage.release()
    try await store.flush()
    #expect(await store.load(Todos.all) != nil)
  }
}
