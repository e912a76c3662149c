import Foundation
import Testing
import Weir
import WeirNormalized

/// Keys that a type writes in another way than the server does (G6, G10).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct EncodedKeyTests {
  struct Todo<ID: Codable & Sendable>: Codable, Sendable {
    var id: ID
    var text: String
  }

  struct Todos<ID: Codable & Sendable>: Codable, Sendable {
    var todos: [Todo<ID>]
    var first: Todo<ID>
  }

  /// An identifier that is written in capital letters.
  struct Shouted: Codable, Sendable {
    var text: String

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text.uppercased())
    }
  }

  private static let ids = [
    "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "e621e1f8-c36c-495a-93fc-0c247a3e6e5a",
  ]

  private func update<ID: Codable & Sendable>(_ type: ID.Type) throws {
    let query = Query<Todos<ID>, NoVariables>("{ todos { id text } first { id text } }")
    let store = StoreKind.store()
    let todos = Self.ids.map { id -> JSONValue in
      ["__typename": "Todo", "id": .string(id), "text": "a"]
    }
    try store.write(
      ["todos": .array(todos), "first": todos[0]], for: query.operation(NoVariables()))
    try store.update(query, NoVariables()) { data in
      data.todos[1].text = "b"
      data.todos.swapAt(0, 1)
      data.first.text = "c"
    }
    let fragment = try GraphQLFragment("fragment F on Todo { text }")
    let texts = Self.ids.map { store.read(fragment, of: Entity("Todo", id: $0))?["text"]?.string }
    #expect(texts == ["c", "b"])
    let read = try #require(store.read(query.operation(NoVariables())))
    #expect(read["todos"]?.elements.map { $0["id"]?.string } == Self.ids.reversed())
  }

  @Test("An update of objects whose keys are UUIDs changes the server's entities (G10)")
  func identifiers() throws { try update(UUID.self) }

  @Test("An update finds the entities of which a type writes the keys in other letters (G6)")
  func otherLetters() throws { try update(Shouted.self) }
}
