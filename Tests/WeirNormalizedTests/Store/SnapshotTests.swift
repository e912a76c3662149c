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

  private static func page(_ count: Int) -> GraphQLOperation {
    GraphQLOperation(
      "query ($n: Int) { items(first: $n) { total nodes { id } } }",
      variables: ["n": .int(Int64(count))])
  }

  private static func data(_ count: Int) -> JSONValue {
    let nodes = (1...count).map { ["__typename": "Item", "id": .string("\($0)")] as JSONValue }
    return [
      "items": ["__typename": "Items", "total": .int(Int64(count)), "nodes": .array(nodes)]
    ]
  }

  private static var pages: NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.items"] = .connection()
    return configuration
  }

  @Test("A page that arrives after a restore is newer, even if the snapshot's clock was ahead (N7)")
  func clockAhead() throws {
    let ahead = StoreKind.store(Self.pages)
    ahead.state.withLock { $0.passVersion($0.lastVersion + 1_000_000_000) }
    for count in [1, 3] { try ahead.write(Self.data(count), for: Self.page(count)) }
    let store = StoreKind.store(Self.pages)
    try store.restore(ahead.extract())
    #expect(store.read(Self.page(1))?["items"]?["total"]?.int == 3)
    try store.write(Self.data(2), for: Self.page(2))
    #expect(store.read(Self.page(1))?["items"]?["total"]?.int == 2)
  }

  @Test("A snapshot from beyond all time is damaged, and leaves no page the newest for ever (N9.6)")
  func clockBeyondTime() throws {
    let ahead = NormalizedStore(Self.pages)
    ahead.state.withLock { $0.passVersion(1 << 48 - 3) }
    for count in [1, 3] { try ahead.write(Self.data(count), for: Self.page(count)) }
    let store = StoreKind.store(Self.pages)
    #expect(throws: StoreError.self) { try store.restore(ahead.extract()) }
    try store.write(Self.data(2), for: Self.page(2))
    #expect(store.read(Self.page(2))?["items"]?["total"]?.int == 2)
  }
}
