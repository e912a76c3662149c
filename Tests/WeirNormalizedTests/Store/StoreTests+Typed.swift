import Testing
import Weir
import WeirNormalized

extension StoreTests {
  // MARK: - Typed data (N4.3, N5.1)

  @Test("A literal can be written to an entity, whatever the fragment's type (N4.3)")
  func literals() throws {
    struct Card: Codable, Sendable { let text: String }
    let store = try Self.store()
    let card = try Fragment<Card>("fragment Card on Todo { text }")
    let first = Entity("Todo", id: "1")
    try store.update { try $0.write(["text": "x"], for: card, of: first) }
    #expect(try store.read(card, of: first)?.text == "x")
    try store.update { try $0.write(["text": "y"], for: card.untyped, of: first) }
    #expect(try store.read(card, of: first)?.text == "y")
    try store.update { try $0.write(Card(text: "z"), for: card, of: first) }
    #expect(try store.read(card, of: first)?.text == "z")
  }

  @Test("Fragments and queries can be watched as typed values, with decoding errors (N4.3)")
  func typedWatches() async throws {
    struct Card: Decodable, Sendable { let text: String }
    let store = try Self.store()
    let first = Entity("Todo", id: "1")
    let card = try Fragment<Card>("fragment Card on Todo { text }")
    var cards = store.watch(card, of: first).makeAsyncIterator()
    var todos = store.watch(Self.query, NoVariables()).makeAsyncIterator()
    #expect(try await cards.next()??.text == "a")
    #expect(try await todos.next()??.todos.map(\.text) == ["a", "b"])
    try store.update(card.untyped, of: first, "z")
    #expect(try await cards.next()??.text == "z")
    #expect(try await todos.next()??.todos.map(\.text) == ["z", "b"])
    try store.update(card.untyped, of: first, 7)
    do {
      _ = try await cards.next()
      Issue.record("A number was decoded as a text.")
    } catch {
      #expect(error.code == .decoding)
    }
    try store.update { $0.remove(.entity(first)) }
    let missing = try await cards.next()
    let isNothing = if case .some(.none) = missing { true } else { false }
    #expect(isNothing)
  }

  @Test("Typed reads and updates keep type names (N5.1)")
  func typed() throws {
    let store = try Self.store()
    try store.update(Self.query, NoVariables()) { data in
      data.todos.reverse()
      data.todos.append(Todo(id: "3", text: "c"))
    }
    #expect(
      try store.read(Self.query, NoVariables())?.todos.map(\.text) == ["b", "a", "c"])
    let card = try GraphQLFragment("fragment Card on Todo { __typename text }")
    #expect(store.read(card, of: Entity("Todo", id: "3"))?["text"]?.string == "c")
    let empty = StoreKind.store()
    #expect(throws: StoreError.self) {
      try empty.update {
        try $0.write(Todos(todos: [Todo(id: "1", text: "")]), for: Self.query, NoVariables())
      }
    }
    #expect(throws: StoreError.self) { try empty.update(Self.query, NoVariables()) { _ in } }
  }

  @Test("Typed fragments and queries can be read together at one moment (N5.1)")
  func typedFragments() throws {
    struct Card: Codable, Sendable, Equatable {
      struct Author: Codable, Sendable, Equatable { var name: String }
      var text: String
      var author: Author?
    }
    let store = try Self.store()
    let card = try Fragment<Card>("fragment Card on Todo { text author { name } }")
    let first = Entity("Todo", id: "1")
    #expect(try store.read(card, of: first) == nil)
    #expect(throws: StoreError.self) { try store.update(card, of: first) { $0.text = "z" } }
    try store.update { try $0.write(Card(text: "b"), for: card, of: first) }
    #expect(try store.read(card, of: first) == Card(text: "b"))
    let author = try GraphQLFragment("fragment A on Todo { author { name } }")
    let ann: JSONValue = ["author": ["__typename": "Author", "name": "Ann"]]
    try store.update { try $0.write(ann.json, for: author, of: first) }
    try store.update(card, of: first) { $0.author?.name += "!" }
    #expect(try store.read(card, of: first) == Card(text: "b", author: .init(name: "Ann!")))
    let (todos, again) = try store.read { try ($0.read(Self.query), $0.read(card, of: first)) }
    #expect(todos?.todos.map(\.text) == ["b", "b"])
    #expect(again?.author?.name == "Ann!")
    try store.update(Self.query) { $0.todos.removeLast() }
    #expect(try store.read(Self.query)?.todos.count == 1)
  }

  @Test("Typed writes find type names with the configured keys (N5.1)")
  func typedKeys() throws {
    struct Shelf: Codable, Sendable {
      struct Item: Codable, Sendable {
        var isbn: String
        var title: String
      }
      var items: [Item]
    }
    var configuration = NormalizedCacheConfiguration()
    configuration.keys = ["Book": .field("isbn"), "Map": .field("isbn")]
    let store = StoreKind.store(configuration)
    let query = Query<Shelf, NoVariables>("{ items { isbn title } }")
    try store.write(
      [
        "items": [
          ["__typename": "Book", "isbn": "1", "title": "a"],
          ["__typename": "Map", "isbn": "2", "title": "b"],
        ]
      ], for: query.operation(NoVariables()))
    try store.update(query, NoVariables()) { shelf in
      shelf.items.reverse()
      shelf.items[0].title = "z"
    }
    let title = try GraphQLFragment("fragment Title on Map { title }")
    #expect(store.read(title, of: Entity("Map", id: "2"))?["title"]?.string == "z")
    #expect(try store.read(query, NoVariables())?.items.map(\.isbn) == ["2", "1"])
  }
}
