import Testing
import Weir
import WeirNormalized

/// The operations and the data of these tests.
enum Todos {
  static let all = GraphQLOperation("{ todos { id text author { id name } } }")
  static let first = GraphQLOperation(
    "query One($id: ID!) { todo(id: $id) { id text author { id name } } }",
    variables: ["id": "1"])
  static let text = GraphQLOperation("{ todo(id: \"1\") { id text } }")
  static let due = GraphQLOperation("{ todo(id: \"1\") { id due } }")
  static let data: JSONValue = [
    "todos": [todo("1"), todo("2"), todo("3")]
  ]

  static func todo(_ id: String, _ text: String = "text") -> JSONValue {
    [
      "__typename": "Todo", "id": .string(id), "text": .string("\(text) \(id)"),
      "author": ["__typename": "Author", "id": "7", "name": "Ann"],
    ]
  }

  static func texts(_ data: JSON?) -> [String?]? {
    data?["todos"]?.elements.map { $0["text"]?.string }
  }

  /// Adds to one todo and changes another in a store, and returns when a second one was notified of both: its
  /// watch shows one of two changes in a commit.
  static func change(in other: NormalizedStore, noticedBy store: NormalizedStore) async throws {
    let text = try GraphQLFragment("fragment Text on Todo { text }")
    var watch = store.watch(text, of: Entity("Todo", id: "2")).makeAsyncIterator()
    _ = await watch.next()
    _ = await other.load(all)
    async let next = watch.next()
    try other.update { transaction in
      try transaction.write(["todo": ["__typename": "Todo", "id": "1", "due": "today"]], for: due)
      try transaction.write(["todos": [todo("2", "new")]], for: all)
    }
    #expect(await next??["text"]?.string == "new 2")
  }
}
