import Foundation
import Weir
import WeirNormalized

/// A normalized store with a list of todos, and what is done with it.
enum TodoStore {
  static let rows = GraphQLDocument(Documents.todos)
  /// The same selection under another name: two that take turns are each read anew.
  static let otherRows = GraphQLDocument(
    Documents.todos.replacingOccurrences(of: "query Todos", with: "query OtherTodos"))
  static let one = GraphQLDocument(
    "query One($id: ID!) { todo(id: $id) { id text complete } }")
  static let update = GraphQLDocument(
    """
    mutation UpdateTodo($id: ID!, $text: String!, $complete: Boolean!) {
      updateTodo(id: $id, text: $text, complete: $complete) { id text complete }
    }
    """)

  /// Keeps everything, and knows which todo `todo(id:)` is.
  static func configuration() -> NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 1 << 30
    configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")
    return configuration
  }

  /// A store that holds so many todos.
  static func filled(_ count: Int, maximumResults: Int = 1_000) throws -> NormalizedStore {
    var configuration = configuration()
    configuration.maximumResults = maximumResults
    let store = NormalizedStore(configuration)
    try write(Payloads.todos(count), to: store)
    return store
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to store: NormalizedStore) throws -> Int {
    let json = try JSON(parsing: bytes)
    return store.write(json["data"] ?? json, for: GraphQLOperation(rows))
  }

  /// Data of `One`.
  static func todo(_ id: String = "0", text: String) throws -> JSON {
    try JSON(
      parsing: """
        {"todo":{"__typename":"Todo","id":"\(id)","text":"\(text)","complete":true}}
        """)
  }

  static let oneOperation = GraphQLOperation(one, variables: ["id": "0"])
}

/// Changes a todo again and again.
struct TodoChanges {
  private let data: [JSON]
  private let round = Counter()

  init() throws {
    data = try (0..<2).map { try TodoStore.todo(text: Self.text($0)) }
  }

  private static func text(_ number: Int) -> String { "changed \(number)" }

  /// The text that it has then.
  @discardableResult
  func write(to store: NormalizedStore) throws -> String {
    let number = round.next() % 2
    try expect(store.write(data[number], for: TodoStore.oneOperation) > 0, "Nothing changed.")
    return Self.text(number)
  }
}
