import Weir

/// The operations and the data of these tests.
enum Todos {
  static let all = GraphQLOperation("{ todos { id text author { id name } } }")
  static let first = GraphQLOperation(
    "query One($id: ID!) { todo(id: $id) { id text author { id name } } }",
    variables: ["id": "1"])
  static let text = GraphQLOperation("{ todo(id: \"1\") { id text } }")
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
}
