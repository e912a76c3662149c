import Testing
import Weir
import WeirNormalized

extension TypedUpdateTests {
  // MARK: Types that lack fields

  @Test(
    "Fields that the type lacks stay, and entities stay entities (N5.1)",
    arguments: [
      ([("A", nil)], ["1AN", "2bM"]),
      ([("b", 1), ("a", nil)], ["2bM", "1aN"]),
      ([("b", nil)], ["2bM"]),
      ([("a", nil)], ["1aN"]),
      ([], []),
    ] as [([(String, Int?)], [String])])
  func thinEntities(_ edits: [(String, Int?)], _ expected: [String]) throws {
    let store = try Self.store()
    try store.update(Self.texts) { data in
      if edits.count == 1, edits[0].0 == "A" {
        data.todos[0].text = "A"
      } else {
        data.todos = edits.map { Text(text: $0.0) }
      }
    }
    #expect(try Self.read(store) == expected)
    #expect(try store.read(Self.one)?.todo.note == "N")
  }

  @Test("Fields of embedded objects that the type lacks stay (N5.1)")
  func thinEmbedded() throws {
    let store = try Self.store()
    try store.update(Self.units) { $0.prices[1].unit = "GBP" }
    #expect(try Self.readPrices(store) == ["EUR1-", "GBP2old", "EUR3-"])
    try store.update(Self.units) { $0.prices.swapAt(0, 1) }
    #expect(try Self.readPrices(store).first == "GBP2old")
    #expect(try Set(Self.readPrices(store)) == ["EUR1-", "GBP2old", "EUR3-"])
  }

  @Test("A single or nested object keeps what the type lacks, but another one does not (N5.1)")
  func thinSingle() throws {
    struct Thin: Codable, Sendable { var todo: Text }
    struct WithID: Codable, Sendable {
      struct Todo: Codable, Sendable { var id: String }
      var todo: Todo
    }
    let store = try Self.store()
    let thin = Query<Thin, NoVariables>("{ todo { id text note } }")
    try store.update(thin) { $0.todo.text = "z" }
    #expect(try store.read(Self.one)?.todo == Todo(id: "1", text: "z", note: "N"))
    try store.update { try $0.write(Thin(todo: Text(text: "y")), for: thin) }
    #expect(try store.read(Self.one)?.todo == Todo(id: "1", text: "y", note: "N"))
    let other = Query<WithID, NoVariables>("{ todo { id text note } }")
    try store.update(other) { $0.todo.id = "2" }
    #expect(try store.read(Self.one)?.todo == Todo(id: "2", text: "b", note: "M"))
    #expect(throws: StoreError.self) { try store.update(other) { $0.todo.id = "9" } }
    #expect(try Self.read(store) == ["1yN", "2bM"])
  }

  @Test("Entities that move or come from another list keep what the type lacks (N5.1)")
  func moved() throws {
    struct Key: Codable, Sendable { var id: String }
    struct Lists: Codable, Sendable { var todos, archive: [Key] }
    let store = try Self.store()
    let lists = Query<Lists, NoVariables>(
      "{ todos { id text note } archive { id text note } }")
    try store.write(
      ["archive": [["__typename": "Todo", "id": "3", "text": "c", "note": nil]]],
      for: GraphQLOperation("{ archive { id text note } }"))
    try store.update(lists) { data in
      data.todos.insert(data.archive.removeLast(), at: 0)
      data.archive.append(data.todos.removeLast())
    }
    #expect(try Self.read(store) == ["3c-", "1aN"])
    #expect(try store.read(lists)?.archive.map(\.id) == ["2"])
    try store.update { try $0.write(Lists(todos: [Key(id: "2")], archive: []), for: lists) }
    #expect(try Self.read(store) == ["2bM"])
  }

  @Test("An undecidable change is an error with its path and fields, and changes nothing (N5.1)")
  func undecided() throws {
    struct Draft: Codable, Sendable {
      var id: String?
      var text: String
      var note: String?
    }
    struct Drafts: Codable, Sendable { var todos: [Draft] }
    let store = try Self.store()
    let drafts = Query<Drafts, NoVariables>("{ todos { id text note } }")
    let fails: [(path: String, fields: String, (inout StoreTransaction) throws -> Void)] = [
      ("todos[2]", "id, note", { try $0.update(Self.texts) { $0.todos.append(Text(text: "c")) } }),
      (
        "todos[0]", "id, note",
        {
          try $0.update(Self.texts) { data in
            data.todos.reverse()
            data.todos[0].text = "B"
          }
        }
      ),
      (
        "todos[0]", "id, note",
        { try $0.write(Texts(todos: [Text(text: "a"), Text(text: "b")]), for: Self.texts) }
      ),
      ("prices[1]", "amount, note", { try $0.update(Self.units) { $0.prices.removeFirst() } }),
      (
        "prices[0]", "amount, note",
        { try $0.write(Units(prices: [Unit(unit: "EUR")]), for: Self.units) }
      ),
      ("todos[1]", "id", { try $0.update(drafts) { $0.todos[1].id = nil } }),
      (
        "todos[2]", "id",
        { try $0.update(drafts) { $0.todos.append(Draft(text: "d")) } }
      ),
    ]
    for (path, fields, body) in fails {
      let error = #expect(throws: StoreError.self) { try store.update(body) }
      #expect(error?.code == .incompleteType)
      #expect(error?.message.contains("data.\(path): ") == true, "\(path) \(error?.message ?? "")")
      #expect(error?.message.contains("(\(fields))") == true, "\(fields) \(error?.message ?? "")")
    }
    try store.update { transaction in
      for (_, _, body) in fails { #expect(throws: StoreError.self) { try body(&transaction) } }
    }
    #expect(try Self.read(store) == ["1aN", "2bM"])
    #expect(try Self.readPrices(store) == ["EUR1-", "USD2old", "EUR3-"])
  }
}
