import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// The parts of a snapshot besides records.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct SnapshotTests {
  private static let feed = GraphQLOperation("{ feed { id ... on Closable { isClosed } } }")
  private static let data = #"""
    {"feed":[{"__typename":"Issue","id":"1","isClosed":true},{"__typename":"Note","id":"2"}]}
    """#

  private static func restored() throws -> NormalizedStore {
    let store = StoreKind.store()
    try store.write(try JSON(parsing: data), for: feed)
    let copy = StoreKind.store()
    try copy.restore(store.extract())
    return copy
  }

  @Test("A restored snapshot knows to which objects a type condition applies (N3.2)")
  func conditions() throws {
    let store = try Self.restored()
    #expect(try store.read(Self.feed) == JSON(parsing: Self.data))
    #expect(store.explain(Self.feed).status == .complete)
  }

  @Test("Restored lists become stale for a new entity and lose a removed one (N5.4)")
  func lists() async throws {
    let store = try Self.restored()
    let client = GraphQLClient([
      .cache(store),
      ScriptedExchange.immediate { _ in .data(#"{"add":{"__typename":"Issue","id":"3"}}"#) },
    ])
    try store.update { $0.removeFromLists(Entity("Issue", id: "1")) }
    #expect(store.read(Self.feed)?["feed"]?.count == 1)
    _ = await client.mutate(GraphQLOperation("mutation { add { id } }"))
    #expect(store.explain(Self.feed).status == .stale)
  }

  @Test("A snapshot of a store with other groups is restored without their records (N1.2)")
  func otherGroups() throws {
    let pair = GraphQLOperation("{ issue { id text author { name } } note { id text } }")
    let note = GraphQLOperation("{ note { id text } }")
    var configuration = NormalizedCacheConfiguration()
    configuration.groups["Issue"] = "Closable"
    let store = StoreKind.store(configuration)
    try store.write(
      [
        "issue": [
          "__typename": "Issue", "id": "1", "text": "a",
          "author": ["__typename": "Author", "name": "c"],
        ],
        "note": ["__typename": "Note", "id": "1", "text": "b"],
      ], for: pair)
    let copy = NormalizedStore(storage: MemoryRecordStorage())
    try copy.restore(store.extract())
    #expect(copy.read(note)?["note"]?["text"]?.string == "b")
    #expect(copy.read(pair) == nil)
  }
}
