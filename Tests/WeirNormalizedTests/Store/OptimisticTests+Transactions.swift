import Testing
import Weir
import WeirNormalized
import WeirTesting

extension OptimisticTests {
  // MARK: - Transactions (N5.1)

  @Test("A transaction that throws writes nothing, and a nested one is an error (N5.1, defect 6)")
  func transactions() async throws {
    let (_, store, _) = await Self.setUp { _ in .failure("no") }
    struct Mistake: Error {}
    #expect(throws: Mistake.self) {
      try store.update { transaction in
        try transaction.update(Self.todos) { data in
          data["todos"] = []
        }
        throw Mistake()
      }
    }
    #expect(Self.texts(store) == ["a", "b"])
    #expect(throws: StoreError.self) {
      try store.update { _ in try store.update { _ in } }
    }
    try store.update { transaction in
      try transaction.update(Self.todos) { data in
        guard case .array(let todos)? = data["todos"] else { return }
        data["todos"] = .array(todos.reversed())
      }
      let card = try GraphQLFragment("fragment Card on Todo { text }")
      try transaction.update(card, of: Entity("Todo", id: "1")) { $0["text"] = "z" }
    }
    #expect(Self.texts(store) == ["b", "z"])
  }

  @Test("An update body that writes to the store directly is an error and writes nothing (N5.1)")
  func writeWithinBody() async throws {
    let (_, store, _) = await Self.setUp { _ in .failure("no") }
    let data = try JSON(
      parsing: #"{"todos":[{"__typename":"Todo","id":"1","text":"by itself"}]}"#)
    #expect(throws: StoreError.self) {
      try store.update { transaction in
        try transaction.update(Self.todos) { $0["todos"] = [] }
        try store.write(data, for: Self.todos)
      }
    }
    #expect(Self.texts(store) == ["a", "b"])
    try store.update { try $0.write(data, for: Self.todos) }
    #expect(Self.texts(store) == ["by itself"])
  }

  // MARK: - Removal (N5.2)

  @Test("Entities, fields, types and prefixes can be removed, with or without references (N5.2)")
  func removal() async throws {
    let (_, store, _) = await Self.setUp { _ in .failure("no") }
    try store.update { $0.remove(.entity(Entity("Todo", id: "1")), references: .removed) }
    #expect(Self.texts(store) == ["b"])
    try store.update { $0.remove(.prefix("Todo:2")) }
    #expect(store.read(Self.todos) == nil)
    try store.write(try JSON(parsing: Self.data), for: Self.todos)
    #expect(Self.texts(store) == ["a", "b"])
    try store.update { $0.remove(.field("text", of: Entity("Todo", id: "2"))) }
    #expect(store.read(Self.todos) == nil)
    #expect(store.read(GraphQLOperation("{ todos { id } }"))?["todos"]?.count == 2)
    try store.update { $0.remove(.field("todos")) }
    #expect(store.read(GraphQLOperation("{ todos { id } }")) == nil)
  }

  @Test("References are also dropped from lists of lists; removing nothing wakes no one (N5.2)")
  func removalFromNestedLists() async throws {
    let store = StoreKind.store()
    let board = GraphQLOperation("{ board { id } }")
    try store.write(
      [
        "board": [
          [["__typename": "T", "id": "1"], ["__typename": "T", "id": "2"]], nil,
          [["__typename": "T", "id": "1"]],
        ]
      ], for: board)
    try store.update { $0.remove(.entity(Entity("T", id: "1")), references: .removed) }
    #expect(store.read(board)?["board"]?.elements.map(\.count) == [1, 0, 0])
    try store.update { $0.remove(.entity(Entity("T", id: "2"))) }
    var changes = store.changes().makeAsyncIterator()
    try store.update { $0.remove(.entity(Entity("T", id: "2"))) }
    try store.write(["other": 1], for: GraphQLOperation("{ other }"))
    #expect(await changes.next()?.fields == [.query: ["other"]])
  }
}
