import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Commits that a removal by another store overtakes", .timeLimit(.minutes(10)))
struct OvertakenCommitTests {
  @Test("Nothing is committed that was completed before everything was removed (N9.5, S3)")
  func merged() async throws {
    let storage = ScriptedStorage()
    let writer = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    try writer.write(["todo": Todos.todo("1")], for: Todos.text)
    try await writer.flush()
    let (store, other) = (NormalizedStore(storage: storage), NormalizedStore(storage: storage))
    // The store completes the todo by what it finds in the storage, then commits it.
    storage.hold(.load)
    try store.write(
      ["done": ["__typename": "Todo", "id": "1", "isDone": true]],
      for: GraphQLOperation("{ done { id isDone } }"))
    await storage.waitUntilHeld()
    GraphQLClient([.normalizedCache(other)], configuration: .silent).clear()
    try await other.flush()
    storage.release()
    try await store.flush()
    #expect(try !storage.memory.keys(in: .all).contains("Todo:1"))
  }
}
