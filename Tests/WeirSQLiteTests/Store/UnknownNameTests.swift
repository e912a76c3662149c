import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Records that other storages have changed, of types that they may have registered since this one has
/// read the names.
@Suite("Records that other storages have changed", .timeLimit(.minutes(10)))
struct UnknownNameTests {
  private static let due = GraphQLOperation("{ task { id due } }")
  private static let text = GraphQLOperation("{ task { id text } }")

  private static func task(_ field: String, _ value: JSONValue) -> JSONValue {
    ["task": ["__typename": "Task", "id": "2", field: value]]
  }

  @Test("A record of a type that another storage has registered keeps its fields (N9.5)")
  func type() async throws {
    let storage = ScriptedStorage(isDeaf: true)
    let another = { NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory)) }
    let store = NormalizedStore(storage: storage)
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    let other = another()
    try other.write(Self.task("due", "today"), for: Self.due)
    try await other.flush()
    try store.write(Self.task("text", "new"), for: Self.text)
    try await store.flush()
    let saved = await another().load(GraphQLOperation("{ task { id text due } }"))
    #expect(saved?["task"]?["due"]?.string == "today")
    #expect(saved?["task"]?["text"]?.string == "new")
  }

  @Test("The rest of an invalidated record is stale beside a newer field (N5.2, N9.5)")
  func stale() async throws {
    let storage = ScriptedStorage(isDeaf: true)
    let another = { NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory)) }
    let store = NormalizedStore(storage: storage)
    try store.write(
      ["task": ["__typename": "Task", "id": "1", "text": "first", "due": "never"]],
      for: GraphQLOperation("{ task { id text due } }"))
    try await store.flush()
    let other = another()
    try other.write(
      [
        "task": [
          "__typename": "Task", "id": "2", "due": "today",
          "owner": ["__typename": "Owner", "id": "1"],
        ]
      ], for: GraphQLOperation("{ task { id due owner { id } } }"))
    try await other.flush()
    let third = another()
    try third.update { $0.invalidate(.entity(Entity("Task", id: "2"))) }
    try await third.flush()
    // Memory has a part of the record, and has not read the rest of it.
    storage.fail(.load, with: .busy)
    try store.write(Self.task("text", "new"), for: Self.text)
    await #expect(throws: StorageError.self) { try await store.flush() }
    storage.fail(.load, with: nil)
    _ = await store.load(Self.due)
    #expect(store.explain(Self.text).status == .complete)
    #expect(store.explain(Self.due).status == .stale)
  }

  @Test("The rest of an invalidated record is stale within objects without keys, too (N5.2)")
  func embedded() async throws {
    let storage = ScriptedStorage(isDeaf: true)
    let another = { NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory)) }
    func box(_ field: String) -> (operation: GraphQLOperation, data: JSONValue) {
      (
        GraphQLOperation(GraphQLDocument("{ task { id box { \(field) } } }")),
        [
          "task": [
            "__typename": "Task", "id": "2", "box": ["__typename": "Box", field: 1],
          ]
        ]
      )
    }
    let (width, height) = (box("width"), box("height"))
    let other = another()
    try other.write(height.data, for: height.operation)
    try await other.flush()
    let third = another()
    try third.update { $0.invalidate(.entity(Entity("Task", id: "2"))) }
    try await third.flush()
    let store = NormalizedStore(storage: storage)
    storage.fail(.commit, with: .full)
    try store.write(width.data, for: width.operation)
    _ = await store.load(height.operation)
    #expect(store.explain(width.operation).status == .complete)
    #expect(store.explain(height.operation).status == .stale)
  }
}
