import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The outcomes of `explain` (N3.1), and which arguments select a variant of a field (N5.2).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ExplanationTests {
  private static func todo(_ id: String) -> JSONValue { ["__typename": "Todo", "id": .string(id)] }

  @Test("A defect, nothing at all, and a reference to nothing have different explanations (N3.1)")
  func apart() throws {
    let store = StoreKind.store()
    let todo = GraphQLOperation("{ todo { id } }")
    let broken = store.explain(GraphQLOperation("{ todo { id }"))
    #expect(broken.status == .defective)
    #expect(broken.defect?.code == .document)
    #expect(broken.description.split(separator: "\n").count == 2)
    #expect(store.explain(todo).description == "missing\ntodo is missing")
    try store.write(["todo": Self.todo("1")], for: todo)
    #expect(store.explain(todo).status == .complete)
    try store.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
    #expect(store.explain(todo).description == "missing\ntodo is dangling")
    let fragment = try GraphQLFragment("fragment F on Todo { id }")
    let absent = store.explain(fragment, of: Entity("Todo", id: "1"))
    #expect(absent.description == "missing\nthe entity does not exist")
  }

  @Test("Arguments select all variants of a field, one of them, or the one without (N5.2)")
  func variants() throws {
    let lists = ["{ todos { id } }", "{ todos(a: 1) { id } }", "{ todos(a: 2) { id } }"].map {
      GraphQLOperation(GraphQLDocument($0))
    }
    let examples: [(JSONValue?, left: [Bool])] = [
      (nil, [false, false, false]), ([:], [false, true, true]), (["a": 1], [true, false, true]),
      (["b": 1], [true, true, true]),
    ]
    for (arguments, left) in examples {
      let store = StoreKind.store()
      for list in lists { try store.write(["todos": [Self.todo("1")]], for: list) }
      try store.update { $0.remove(.field("todos", arguments: arguments)) }
      #expect(lists.map { store.read($0) != nil } == left)
    }
  }

  @Test("A transaction that misses something over a storage says that it can be loaded (N9.1)")
  func unloaded() throws {
    let store = StoreKind.store()
    let error = #expect(throws: StoreError.self) {
      try store.update { try $0.update(GraphQLOperation("{ todo { id } }")) { _ in } }
    }
    let namesLoad = error?.message.contains("await store.load") == true
    #expect(namesLoad == (StoreKind.current != .memory), "\(error?.message ?? "")")
  }

  @Test("Joined pages are as old as the requested one, and fields are named once (N3.1)")
  func joinedPages() throws {
    let store = ConnectionTests.store()
    let first: JSONValue = ["first": 2]
    let page = ConnectionTests.page(first)
    try store.write(ConnectionTests.data([1, 2], next: true), for: page)
    try store.write(
      ConnectionTests.data([3, 4], previous: true),
      for: ConnectionTests.page(["first": 2, "after": "c2"]))
    #expect(store.read(page)?["todos"]?["edges"]?.count == 4)
    try store.update { $0.invalidate(.entity(Entity("Todo", id: "3"))) }
    #expect(store.explain(page).description == "complete")
    try store.update { $0.invalidate(.type("TodoConnection")) }
    let fields = store.explain(page).fields.map(\.description)
    #expect(fields.contains { $0.contains("totalCount") })
    #expect(Set(fields).count == fields.count, "\(fields)")
    try store.update { $0.invalidate(.type("PageInfo")) }
    let more = store.explain(page).fields.map(\.description)
    #expect(more.contains { $0.contains("hasNextPage") })
    #expect(Set(more).count == more.count, "\(more)")
  }
}
