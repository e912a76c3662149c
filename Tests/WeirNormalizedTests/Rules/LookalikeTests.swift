import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Texts of different bytes that look the same, and that Swift's own comparison treats as equal.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct LookalikeTests {
  static let spellings = ["caf\u{E9}", "cafe\u{301}"]
  private static let page: GraphQLDocument = "query P($p: String) { page(p: $p) }"
  private static let label: GraphQLDocument =
    "query L($p: String) { todo { id label(p: $p) } }"

  private struct Todo: Codable, Sendable {
    var id: String
    var text: String
  }
  private struct Todos: Codable, Sendable { var todos: [Todo] }
  private static let todos = Query<Todos, NoVariables>("{ todos { id text note } }")

  private static func page(_ spelling: String) -> GraphQLOperation {
    GraphQLOperation(page, variables: ["p": .string(spelling)])
  }

  private static func label(_ spelling: String) -> GraphQLOperation {
    GraphQLOperation(label, variables: ["p": .string(spelling)])
  }

  /// Writes pages and labels whose arguments look the same.
  private func fill(_ store: NormalizedStore) throws {
    for (number, spelling) in Self.spellings.enumerated() {
      try store.write(["page": .int(Int64(number))], for: Self.page(spelling))
      let todo: JSONValue = ["__typename": "Todo", "id": "1", "label": .int(Int64(number))]
      try store.write(["todo": todo], for: Self.label(spelling))
    }
  }

  private func pages(_ store: NormalizedStore) -> [Int64?] {
    Self.spellings.map { store.read(Self.page($0))?["page"]?.int }
  }

  private func labels(_ store: NormalizedStore) -> [Int64?] {
    Self.spellings.map { store.read(Self.label($0))?["todo"]?["label"]?.int }
  }

  @Test("Entities whose ids or types only look the same are different (N1.3)")
  func entities() {
    #expect(Set(Self.spellings.map { Entity("Todo", id: $0) }).count == 2)
    #expect(Set(Self.spellings.map { Entity($0, id: "1") }).count == 2)
    #expect(Entity("Todo", id: Self.spellings[0]) == Entity("Todo", id: "caf\u{E9}"))
  }

  @Test("A fragment shows the entity with exactly its id (N1.3)")
  func fragments() async throws {
    let store = StoreKind.store()
    let text = try GraphQLFragment("fragment Text on Todo { text }")
    var watches: [StoreWatch.Iterator] = []
    for spelling in Self.spellings {
      watches.append(store.watch(text, of: Entity("Todo", id: spelling)).makeAsyncIterator())
      #expect(await watches[watches.count - 1].next() == .some(nil))
    }
    for (number, spelling) in Self.spellings.enumerated() {
      let todo: JSONValue = [
        "__typename": "Todo", "id": .string(spelling), "text": .string("\(number)"),
      ]
      try store.write(["todo": todo], for: GraphQLOperation("{ todo { id text } }"))
      #expect(await watches[number].next()??["text"]?.string == "\(number)")
    }
    for (number, spelling) in Self.spellings.enumerated() {
      #expect(
        store.read(text, of: Entity("Todo", id: spelling))?["text"]?.string == "\(number)")
    }
  }

  @Test("A removal reaches the variant of a field with exactly its arguments (N5.2)")
  func arguments() throws {
    let store = StoreKind.store()
    try fill(store)
    #expect(pages(store) == [0, 1])
    #expect(labels(store) == [0, 1])
    let arguments: JSONValue = ["p": .string(Self.spellings[0])]
    try store.update { transaction in
      transaction.remove(.field("page", arguments: arguments))
      transaction.remove(.field("label", of: Entity("Todo", id: "1"), arguments: arguments))
    }
    #expect(pages(store) == [nil, 1])
    #expect(labels(store) == [nil, 1])
  }

  @Test("A snapshot keeps fields whose arguments only look the same (N8.3)")
  func snapshot() throws {
    let pages = Self.spellings.map {
      GraphQLOperation(GraphQLDocument("{ page(p: \"\($0)\") }"))
    }
    let store = StoreKind.store()
    for (number, page) in pages.enumerated() {
      try store.write(["page": .int(Int64(number))], for: page)
    }
    let other = StoreKind.store()
    try other.restore(store.extract())
    #expect(pages.map { other.read($0)?["page"]?.int } == [0, 1])
  }

  @Test("A connection shows edges whose cursors only look the same (N7)")
  func cursors() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .connection()
    let store = StoreKind.store(configuration)
    let query: GraphQLDocument = """
      query Todos($after: String) {
        todos(first: 1, after: $after) {
          edges { cursor node { text } }
          pageInfo { startCursor endCursor }
        }
      }
      """
    var after = JSONValue.null
    for (number, cursor) in Self.spellings.enumerated() {
      let edge: JSONValue = [
        "__typename": "TodoEdge", "cursor": .string(cursor),
        "node": ["__typename": "Todo", "text": .string("\(number)")],
      ]
      let information: JSONValue = [
        "__typename": "PageInfo", "startCursor": .string(cursor), "endCursor": .string(cursor),
      ]
      let todos: JSONValue = [
        "__typename": "TodoConnection", "edges": [edge], "pageInfo": information,
      ]
      try store.write(
        ["todos": todos], for: GraphQLOperation(query, variables: ["after": after]))
      after = .string(cursor)
    }
    let shown = store.read(GraphQLOperation(query, variables: ["after": .null]))
    #expect(
      shown?["todos"]?["edges"]?.elements.map { $0["node"]?["text"]?.string } == ["0", "1"])
  }

  @Test("A typed change keeps what belongs to the element with exactly its id (N5.1)")
  func typedList() throws {
    let store = StoreKind.store()
    let todos = Self.spellings.enumerated().map { number, spelling -> JSONValue in
      [
        "__typename": "Todo", "id": .string(spelling), "text": "old",
        "note": .string("\(number)"),
      ]
    }
    try store.write(["todos": .array(todos)], for: GraphQLOperation("{ todos { id text note } }"))
    // The type lacks the note.
    try store.update(Self.todos) { data in
      data.todos.reverse()
      data.todos[0].text = "new"
    }
    let card = try GraphQLFragment("fragment Card on Todo { text note }")
    let shown = Self.spellings.map { store.read(card, of: Entity("Todo", id: $0)) }
    #expect(shown.map { $0?["text"]?.string } == ["old", "new"])
    #expect(shown.map { $0?["note"]?.string } == ["0", "1"])
  }
}
