import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Commits that fail, and later ones", .timeLimit(.minutes(10)))
struct FailedCommitTests {
  private static func todo(_ id: String) -> JSONValue { ["todo": Todos.todo(id)] }

  /// Makes the save that a write has requested, and two flushes, fail.
  private func flushInVain(_ store: NormalizedStore) async {
    // The save may come after the first flush.
    for _ in 0..<2 { await #expect(throws: StorageError.self) { try await store.flush() } }
  }

  /// Writes todos that cannot be saved and that memory evicts.
  private func lose(_ store: NormalizedStore, _ storage: ScriptedStorage) async throws {
    storage.fail(.commit, with: .full)
    try store.write(Todos.data, for: Todos.all)
    await flushInVain(store)
    store.collect(.bytes(0))
    storage.fail(.commit, with: nil)
  }

  @Test("A removal that was carried out is not repeated when the commit after it fails (N9.5)")
  func removal() async throws {
    let storage = ScriptedStorage()
    let another = { NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory)) }
    let (store, other) = (NormalizedStore(storage: storage), another())
    try await store.flush()
    storage.fail(.commit, with: .busy)
    GraphQLClient([.normalizedCache(store)], configuration: .silent).clear()
    try store.write(Self.todo("9"), for: Todos.text)
    await flushInVain(store)
    try other.write(Todos.data, for: Todos.all)
    try await other.flush()
    storage.fail(.commit, with: nil)
    try await store.flush()
    #expect(await another().load(Todos.all) != nil)
    #expect(await another().load(Todos.text)?["todo"]?["id"]?.string == "9")
  }

  @Test("A removal that fails after the records are gone empties others on the storage, too (N9.5)")
  func unfinishedRemoval() async throws {
    let storage = ScriptedStorage()
    let (store, other) = (NormalizedStore(storage: storage), NormalizedStore(storage: storage))
    try other.write(Todos.data, for: Todos.all)
    try await other.flush()
    storage.fail(.removal, with: .busy)
    GraphQLClient([.normalizedCache(store)], configuration: .silent).clear()
    await flushInVain(store)
    #expect(other.read(Todos.all) == nil)
    storage.fail(.removal, with: nil)
    try await store.flush()
    try other.write(Todos.data, for: Todos.all)
    try await other.flush()
    let next = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    #expect(await next.load(Todos.all)?["todos"]?.count == 3)
  }

  @Test(
    "A removed field does not come back if another store changes its entity before the commit (N5.2, N9.5)"
  )
  func removedField() async throws {
    let storage = ScriptedStorage()
    let another = { NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory)) }
    let (store, other) = (NormalizedStore(storage: storage), another())
    let text = try GraphQLFragment("fragment Text on Todo { text }")
    let todo = Entity("Todo", id: "1")
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    storage.fail(.commit, with: .full)
    try store.update { $0.remove(.field("text", of: todo)) }
    await flushInVain(store)
    try await Todos.change(in: other, noticedBy: store)
    storage.fail(.commit, with: nil)
    try await store.flush()
    for store in [store, another()] {
      #expect(await store.load(text, of: todo) == nil)
      #expect(await store.load(Todos.due)?["todo"]?["due"]?.string == "today")
    }
  }

  @Test("A durable switch does not fail for what the old session has lost (S3)")
  func lossOfOldSession() async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: storage)
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    try await lose(store, storage)
    try await client.switchSession(durably: true)
  }

  @Test("A response that waits for room does not hide a loss from the next flush (N9.3)")
  func lossBeforeWait() async throws {
    let storage = ScriptedStorage()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumUnsavedRecords = 0
    let store = NormalizedStore(configuration, storage: storage)
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"todo":{"__typename":"Todo","id":"9","text":"new"}}"#)
    }
    let client = GraphQLClient([.normalizedCache(store), server])
    try await lose(store, storage)
    try store.write(Self.todo("1"), for: Todos.text)
    await eventually { client.peek(Todos.text)?.isDegraded == false }
    try await storage.holdCommit { try store.write(Self.todo("2"), for: Todos.text) }
    try store.write(Self.todo("3"), for: Todos.text)
    async let result = client.query(Todos.text.with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    for _ in 0..<50 { await Task.yield() }
    storage.release()
    #expect(await result.data?["todo"]?["text"]?.string == "new")
    await #expect(throws: StorageError(.full, "As told")) { try await store.flush() }
    try await store.flush()
  }

  @Test(
    "A collection keeps what a storage could not take at the moment until it is saved (N8.2, N9.3)",
    arguments: [StorageError.Code.busy, .notPermitted])
  func collection(_ code: StorageError.Code) async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: storage)
    storage.fail(.commit, with: code)
    try store.write(Todos.data, for: Todos.all)
    await flushInVain(store)
    store.collect(.bytes(0))
    storage.fail(.commit, with: nil)
    try await store.flush()
    let other = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    #expect(await other.load(Todos.all) != nil)
  }

  @Test("A storage with nothing left to save is not degraded (N9.3)")
  func degraded() async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: storage)
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    try store.write(Self.todo("1"), for: Todos.text)
    try await store.flush()
    try await lose(store, storage)
    await #expect(throws: StorageError.self) { try await store.flush() }
    let result = await client.query(Todos.text)
    #expect(result.data?["todo"]?["id"]?.string == "1")
    #expect(!result.isDegraded)
  }

  @Test("Lists that could not be loaded for one mutation are loaded for the next one (N5.3, N9.1)")
  func lists() async throws {
    let storage = ScriptedStorage()
    let configuration = StoredMutationTests.configuration(true)
    let first = NormalizedStore(
      configuration, storage: MemoryRecordStorage(sharing: storage.memory))
    for (operation, data) in StoredMutationTests.data { try first.write(data, for: operation) }
    try await first.flush()
    let store = NormalizedStore(configuration, storage: storage)
    let server = ScriptedExchange.immediate { operation in
      operation.text.contains("ping")
        ? .data(#"{"ping":true}"#)
        : .data(#"{"add":{"__typename":"Todo","id":"9","text":"nine"}}"#)
    }
    let client = GraphQLClient([.normalizedCache(store), server])
    #expect(await store.load(StoredMutationTests.cart) != nil)
    storage.fail(.load, with: .busy)
    _ = await client.mutate(GraphQLOperation("mutation { ping }"))
    storage.fail(.load, with: nil)
    _ = await client.mutate(GraphQLOperation("mutation { add { id text } }"))
    #expect(await store.load(StoredMutationTests.todos)?["todos"]?.count == 3)
  }
}
