import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The meaning of nil in typed data, and of fields that the type lacks (N5.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct TypedUpdateTests {
  struct Todo: Codable, Sendable, Equatable {
    var id: String
    var text: String
    var note: String?
  }
  struct Todos: Codable, Sendable { var todos: [Todo] }
  struct One: Codable, Sendable { var todo: Todo }
  struct Text: Codable, Sendable { var text: String }
  struct Texts: Codable, Sendable { var todos: [Text] }
  /// An embedded object, with and without one of its fields.
  struct Price: Codable, Sendable, Equatable {
    var unit: String
    var amount: Int?
    var note: String?
  }
  struct Prices: Codable, Sendable { var prices: [Price] }
  struct Unit: Codable, Sendable { var unit: String }
  struct Units: Codable, Sendable { var prices: [Unit] }

  static let one = Query<One, NoVariables>("query Q { todo { id text note } }")
  static let todos = Query<Todos, NoVariables>("{ todos { id text note } }")
  static let texts = Query<Texts, NoVariables>("{ todos { id text note } }")
  static let prices = Query<Prices, NoVariables>("{ prices { unit amount note } }")
  static let units = Query<Units, NoVariables>("{ prices { unit amount note } }")

  static func store() throws -> NormalizedStore {
    let store = StoreKind.store()
    try store.write(
      try JSON(
        parsing: #"""
          {"todos":[{"__typename":"Todo","id":"1","text":"a","note":"N"},
            {"__typename":"Todo","id":"2","text":"b","note":"M"}]}
          """#), for: todos.operation(NoVariables()))
    try store.write(
      try JSON(
        parsing: #"""
          {"prices":[{"__typename":"Price","unit":"EUR","amount":1,"note":null},
            {"__typename":"Price","unit":"USD","amount":2,"note":"old"},
            {"__typename":"Price","unit":"EUR","amount":3,"note":null}]}
          """#), for: prices.operation(NoVariables()))
    try store.write(
      try JSON(parsing: #"{"todo":{"__typename":"Todo","id":"1","text":"a","note":"N"}}"#),
      for: one.operation(NoVariables()))
    return store
  }

  static func read(_ store: NormalizedStore) throws -> [String] {
    try store.read(todos)?.todos.map { "\($0.id)\($0.text)\($0.note ?? "-")" } ?? ["miss"]
  }

  static func readPrices(_ store: NormalizedStore) throws -> [String] {
    try store.read(prices)?.prices.map {
      "\($0.unit)\($0.amount.map(String.init) ?? "-")\($0.note ?? "-")"
    } ?? ["miss"]
  }

  // MARK: Nil

  @Test("An optional that is set to nil becomes null, by query, by fragment and by write (N5.1)")
  func setToNil() throws {
    let store = try Self.store()
    try store.update(Self.one) { $0.todo.note = nil }
    #expect(try store.read(Self.one)?.todo == Todo(id: "1", text: "a"))
    let card = try Fragment<Todo>("fragment T on Todo { id text note }")
    try store.update(card, of: Entity("Todo", id: "2")) { $0.note = nil }
    #expect(try Self.read(store) == ["1a-", "2b-"])
    try store.update(Self.todos) {
      $0.todos[0].note = "changed"
      $0.todos[1].note = "M"
    }
    try store.update(Self.todos) {
      $0.todos[0].note = nil
      $0.todos[1].note = "changed"
    }
    #expect(try Self.read(store) == ["1a-", "2bchanged"])
    try store.update { transaction in
      try transaction.write(
        Todo(id: "2", text: "w"), for: card, of: Entity("Todo", id: "2"))
      try transaction.write(One(todo: Todo(id: "1", text: "v")), for: Self.one)
    }
    #expect(try Self.read(store) == ["1v-", "2w-"])
    try store.update(Self.todos) { $0.todos.append(Todo(id: "3", text: "new")) }
    #expect(try Self.read(store) == ["1v-", "2w-", "3new-"])
  }

  @Test("Embedded objects with null fields stay complete when others change or go (N5.1)")
  func embeddedNulls() throws {
    let store = try Self.store()
    try store.update(Self.prices) { $0.prices[0].amount = 7 }
    #expect(try Self.readPrices(store) == ["EUR7-", "USD2old", "EUR3-"])
    try store.update(Self.prices) { $0.prices.removeLast() }
    #expect(try Self.readPrices(store) == ["EUR7-", "USD2old"])
    try store.update(Self.prices) {
      $0.prices[1].note = nil
      $0.prices.append(Price(unit: "CHF", amount: nil, note: nil))
    }
    #expect(try Self.readPrices(store) == ["EUR7-", "USD2-", "CHF--"])
  }

  @Test("An optimistic result shows nil as null, and rolls it back (N5.1)")
  func optimistic() async throws {
    struct Set: Encodable {
      var __typename = "Todo"
      var id: String
      var note: String?
    }
    let store = try Self.store()
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .failure("no")
    }
    let client = GraphQLClient([.cache(store), server])
    var context = OperationContext()
    try context.setOptimisticData(["setNote": Set(id: "1", note: nil)])
    let operation = GraphQLOperation("mutation { setNote { id note } }", context: context)
    async let result = client.mutate(operation)
    await server.received(1)
    #expect(try Self.read(store) == ["1a-", "2bM"])
    gate.open()
    #expect(await result.error != nil)
    #expect(try Self.read(store) == ["1aN", "2bM"])
  }

  @Test("Fields that variables or type conditions exclude are not written (N5.1)")
  func leftOut() throws {
    struct Flag: Encodable, Sendable { var with: Bool }
    struct Animal: Codable, Sendable {
      var id: String
      var name: String
      var bark: String?
      var meow: String?
    }
    struct Animals: Codable, Sendable { var animals: [Animal] }
    let store = try Self.store()
    let note = Query<One, Flag>(
      "query Q($with: Boolean!) { todo { id text note @include(if: $with) } }")
    try store.update(note, Flag(with: false)) { $0.todo.text = "z" }
    #expect(try store.read(Self.one)?.todo == Todo(id: "1", text: "z", note: "N"))
    try store.update(note, Flag(with: true)) { $0.todo.note = nil }
    #expect(try store.read(Self.one)?.todo.note == nil)

    let animals = Query<Animals, NoVariables>(
      "{ animals { id name ... on Dog { bark } ... on Feline { meow } } }")
    try store.write(
      [
        "animals": [
          ["__typename": "Dog", "id": "1", "name": "a", "bark": "wuff"],
          ["__typename": "Cat", "id": "2", "name": "b", "meow": "miau"],
        ]
      ], for: animals.operation(NoVariables()))
    try store.update(animals) {
      $0.animals.reverse()
      $0.animals[1].bark = nil
      $0.animals[0].name = "c"
    }
    let shown = try #require(store.read(animals.operation(NoVariables())))
    #expect(shown["animals"]?[0]?["meow"]?.string == "miau")
    #expect(shown["animals"]?[0]?["bark"] == nil)
    #expect(shown["animals"]?[1]?["bark"]?.isNull == true)
    #expect(shown["animals"]?[1]?["meow"] == nil)
    // It is unknown whether a cow is a feline, so null must not be stored for it.
    try store.write(
      try JSON(
        parsing: #"{"animals":[{"__typename":"Cow","id":"7","name":"d"}]}"#),
      for: GraphQLOperation("{ animals { id name } }"))
    _ = try? store.update(animals) { $0.animals[0].name = "e" }
    let name = GraphQLOperation("{ animals { id ... on Feline { meow } ... on Cow { name } } }")
    #expect(store.read(name)?["animals"]?[0]?["meow"] == nil)
  }

  @Test("A scalar that the type decodes as an object is written as the type encodes it (N5.1)")
  func objectScalar() throws {
    struct Options: Codable, Sendable {
      var size: Int
      var color: String?
    }
    struct Item: Codable, Sendable { var id, text: String, options: Options, tag: String? }
    struct Items: Codable, Sendable { var items: [Item] }
    let store = try Self.store()
    let query = Query<Items, NoVariables>("{ items { id text options tag } }")
    try store.write(
      [
        "items": [
          ["__typename": "Item", "id": "1", "text": "a", "options": ["size": 1], "tag": "t"]
        ]
      ], for: query.operation(NoVariables()))
    try store.update(query) {
      $0.items[0].options.size = 2
      $0.items[0].tag = nil
    }
    let item = store.read(query.operation(NoVariables()))?["items"]?[0]
    #expect(item?["options"]?.value == ["size": 2])
    #expect(item?["tag"]?.isNull == true)
  }
}
