import Testing
import Weir
import WeirNormalized

/// Lists of which some elements were evicted, in stores that leave out removed ones (N3.4, N8.2).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct EvictedElementTests {
  private static let todos = GraphQLOperation("{ todos { id text } }")

  private static func todo(_ id: Int) -> JSONValue {
    ["__typename": "Todo", "id": .string("\(id)"), "text": "some text that is not short"]
  }

  /// A store with a list of 101 todos, most of which have not been used for longer than the list.
  private static func store() throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.dropsDangling = true
    let store = StoreKind.store(configuration)
    try store.write(["todos": .array((0..<100).map(todo))], for: todos)
    try store.write(["todos": .array(([100] + (0..<100)).map(todo))], for: todos)
    return store
  }

  @Test("A list is never shorter because its elements were evicted (N3.4, N8.2)")
  func wholeOrMissing() throws {
    let store = try Self.store()
    store.collect(.bytes(store.statistics.bytes / 2))
    let count = store.read(Self.todos)?["todos"]?.count
    #expect(count == nil || count == 101)
    if StoreKind.current != .file { #expect(store.explain(Self.todos).status != .complete) }
  }

  @Test(
    "An evicted element that is removed is left out, as one that is there (N3.4, N8.2)",
    .not(.memoryOverFile, .file, because: "memory evicts it once the file has it"))
  func removed() throws {
    let store = try Self.store()
    store.collect(.bytes(store.statistics.bytes / 2))
    let fragment = try GraphQLFragment("fragment F on Todo { id text }")
    let evicted = (0...100).filter {
      store.read(fragment, of: Entity("Todo", id: "\($0)")) == nil
    }
    #expect(!evicted.isEmpty)
    for id in evicted.dropLast() {
      try store.update { $0.remove(.entity(Entity("Todo", id: "\(id)"))) }
    }
    #expect(store.read(Self.todos) == nil)
    try store.update { $0.remove(.entity(Entity("Todo", id: "\(evicted.last ?? 0)"))) }
    #expect(store.read(Self.todos)?["todos"]?.count == 101 - evicted.count)
    // Written again, it is in the list again.
    let one = GraphQLOperation("{ todo { id text } }")
    try store.write(["todo": Self.todo(evicted[0])], for: one)
    #expect(store.read(Self.todos)?["todos"]?.count == 102 - evicted.count)
  }
}
