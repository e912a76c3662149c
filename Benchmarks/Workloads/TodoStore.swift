import Weir
import WeirNormalized

/// Normalized stores that hold a list of todos.
enum TodoStore {
  static let list = GraphQLOperation(GraphQLDocument(Documents.todos))

  /// Keeps everything, and knows which todo `todo(id:)` is.
  static func configuration() -> NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 1 << 30
    configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")
    return configuration
  }

  /// Returns a store that holds `count` todos.
  static func filled(
    _ count: Int, _ change: (inout NormalizedCacheConfiguration) -> Void = { _ in }
  ) throws -> NormalizedStore {
    var configuration = configuration()
    change(&configuration)
    let store = NormalizedStore(configuration)
    try write(Payloads.todos(count), to: store)
    return store
  }

  /// Parses a response to `Documents.todos` and writes it.
  ///
  /// - Returns: how many records have changed.
  @discardableResult
  static func write(_ bytes: [UInt8], to store: NormalizedStore) throws -> Int {
    try write(try data(of: bytes), to: store)
  }

  @discardableResult
  static func write(_ data: JSON, to store: NormalizedStore) throws -> Int {
    try store.write(data, for: list)
  }

  /// Writes what views of slots show: the first `concerned` ones todo 0, each other one a todo of its
  /// own.
  static func writeSlots(
    _ views: Int, concerned: Int, of todos: Int, to store: NormalizedStore
  ) throws {
    for slot in 0..<views {
      let todo = Payloads.todo(slot < concerned ? 0 : slot + 1, of: todos)
      try store.write(
        JSON(parsing: #"{"todoAt":\#(todo)}"#),
        for: Queries.todoView.operation(SlotVariables(slot: slot)))
    }
  }

  /// The data of a response.
  static func data(of response: [UInt8]) throws -> JSON {
    guard let data = try JSON(parsing: response)["data"] else {
      throw WrongAnswer(description: "The response contains no data.")
    }
    return data
  }

  /// Returns the number of records for a list of todos, including its authors and the root.
  static func records(_ todos: Int) -> Int { todos + max(1, todos / 10) + 1 }
}

/// Writes one of two texts to a todo in turn.
struct TodoChanges {
  private let data: [JSON]
  private let operation: GraphQLOperation
  private let round = Counter()

  init(of id: String = "0") throws {
    operation = Queries.oneTodo.operation(IDVariables(id: id))
    data = try (0..<2).map { round in
      try JSON(
        parsing: """
          {"todo":{"id":"\(id)","text":"\(Self.text(round))","complete":true,"__typename":"Todo"}}
          """)
    }
  }

  private static func text(_ round: Int) -> String { "changed \(round)" }

  /// The next text, and the data with it.
  func next() -> (text: String, data: JSON) {
    let round = round.next() % 2
    return (Self.text(round), data[round])
  }

  /// - Returns: the text that the todo has now.
  @discardableResult
  func write(to store: NormalizedStore) throws -> String {
    let (text, data) = next()
    try expect(store.write(data, for: operation) > 0, "A write has changed nothing.")
    return text
  }
}
