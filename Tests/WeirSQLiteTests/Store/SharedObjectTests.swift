import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Stores that change one object without a key", .timeLimit(.minutes(10)))
struct SharedObjectTests {
  private static let theme = GraphQLOperation("{ settings { theme } }")
  private static let size = GraphQLOperation("{ settings { size } }")
  private static let both = GraphQLOperation("{ settings { theme size } }")

  private static func settings(_ field: String, _ value: JSONValue) -> JSONValue {
    ["settings": ["__typename": "Settings", field: value]]
  }

  @Test("Others' fields of a root object are kept beside its unsaved changes (N9.5)")
  func unsaved() async throws {
    let storage = ScriptedStorage()
    let another = { NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory)) }
    let writer = another()
    try writer.write(Self.settings("theme", "light"), for: Self.theme)
    try writer.write(Todos.data, for: Todos.all)
    try await writer.flush()
    let (store, other) = (NormalizedStore(storage: storage), another())
    #expect(await store.load(Self.theme) != nil)
    storage.fail(.commit, with: .full)
    try store.write(Self.settings("theme", "dark"), for: Self.theme)
    await #expect(throws: StorageError.self) { try await store.flush() }
    // The watch shows one of two changes in a commit, so the store was notified of both.
    var watch = store.watch(try SharedStoreTests.text.get(), of: Entity("Todo", id: "2"))
      .makeAsyncIterator()
    _ = await watch.next()
    _ = await other.load(Todos.all)
    async let next = watch.next()
    try other.update { transaction in
      try transaction.write(Self.settings("size", 12), for: Self.size)
      try transaction.write(["todos": [Todos.todo("2", "new")]], for: Todos.all)
    }
    #expect(await next??["text"]?.string == "new 2")
    storage.fail(.commit, with: nil)
    try await store.flush()
    let saved = await another().load(Self.both)
    #expect(saved?["settings"]?["theme"]?.string == "dark")
    #expect(saved?["settings"]?["size"]?.int == 12)
  }
}
