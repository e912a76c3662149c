import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Mistakes in data and operations of the app (N5.5), and in optimistic results (N6.4).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct MistakeTests {
  private static let todos = GraphQLOperation("query Todos { todos { id text } }")
  private static let broken = GraphQLOperation("query Todos { todos { id text }")

  private static func todo(_ text: String) -> JSONValue {
    ["__typename": "Todo", "id": "1", "text": .string(text)]
  }

  private static func store(_ told: Told = Told()) throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    let store = StoreKind.store(configuration)
    try store.write(["todos": [todo("a")]], for: todos)
    return store
  }

  /// An operation, data that does not fit it, and the code of the error.
  private static let refused:
    [(operation: GraphQLOperation, data: JSONValue, code: StoreError.Code)] = [
      (broken, ["todos": [todo("b")]], .operation),
      (GraphQLOperation("query A { a } query B { b }"), ["a": 1], .operation),
      (todos, [todo("b")], .notAnObject),
      (todos, "todos", .notAnObject),
      (todos, ["todos": "none"], .notAnObject),
      (todos, ["todos": ["1"]], .notAnObject),
      (todos, ["todos": [["id": "1", "text": "b"]]], .noTypename),
    ]

  @Test(
    "A store and a transaction refuse the same data with the same error, and write nothing (N5.5)",
    arguments: refused.indices)
  func refusal(index: Int) throws {
    let (operation, data, code) = Self.refused[index]
    let store = try Self.store()
    let alone = #expect(throws: StoreError.self) { try store.write(data, for: operation) }
    let together = #expect(throws: StoreError.self) {
      try store.update { try $0.write(data, for: operation) }
    }
    #expect(alone?.code == code)
    #expect(alone == together)
    #expect(store.read(Self.todos)?["todos"]?[0]?["text"]?.string == "a")
  }

  @Test("A defective operation is nothing to read, and cannot be updated (N5.5)")
  func defect() throws {
    let store = try Self.store()
    #expect(store.read(Self.broken) == nil)
    #expect(store.read { $0.read(Self.broken) } == nil)
    let error = #expect(throws: StoreError.self) {
      try store.update { try $0.update(Self.broken) { _ in } }
    }
    #expect(error?.code == .operation)
  }

  @Test("An update of something that is missing names it (N5.5)")
  func missing() throws {
    let store = try Self.store()
    func message(_ body: (inout StoreTransaction) throws -> Void) -> String {
      #expect(throws: StoreError.self) { try store.update(body) }?.message ?? ""
    }
    let wide = GraphQLOperation("query Wide { todos { id isDone } }")
    let first = message { try $0.update(wide) { _ in } }
    #expect(first.contains("todos.0.isDone is missing"), "\(first)")
    let fragment = try GraphQLFragment("fragment F on Todo { id isDone }")
    let second = message { try $0.update(fragment, of: Entity("Todo", id: "1")) { _ in } }
    #expect(second.contains("isDone is missing"), "\(second)")
    let third = message { try $0.update(fragment, of: Entity("Todo", id: "2")) { _ in } }
    #expect(third.contains("Todo:2") && third.contains("does not exist"), "\(third)")
  }

  @Test("An update of an entity of another type names both types (N5.5)")
  func otherType() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(
      sdl: """
        type Query { todos: [Todo] } interface Node { id: ID } type User implements Node { id: ID }
        type Todo implements Node { id: ID text: String isDone: Boolean }
        """)
    let store = StoreKind.store(configuration)
    try store.write(["todos": [Self.todo("a")]], for: Self.todos)
    func message(_ type: String, _ id: String, on condition: String) throws -> String? {
      let fragment = try GraphQLFragment("fragment F on \(condition) { id name }")
      return #expect(throws: StoreError.self) {
        try store.update { try $0.update(fragment, of: Entity(type, id: id)) { _ in } }
      }?.message
    }
    for id in ["1", "2"] {
      #expect(
        try message("Todo", id, on: "User")
          == "The fragment on User of Todo:\(id) cannot be updated: the entity has the type Todo, but "
          + "the fragment is on User. Pass an entity of the type User, or a fragment on Todo.")
    }
    #expect(try message("Todo", "1", on: "Node")?.contains("name is missing") == true)
    #expect(try message("Todo", "2", on: "Node")?.contains("does not exist") == true)
  }

  @Test("Members that are not selected are reported, and variables without a value (N5.5)")
  func ignored() throws {
    let told = Told()
    let store = try Self.store(told)
    var todo = Self.todo("b")
    todo["txet"] = "c"
    try store.write(["todos": [todo]], for: Self.todos)
    #expect(
      told.messages == [
        "Todo has a member txet that is not selected; it was ignored. Did you mean text?"
      ])
    let byID = GraphQLOperation("query One($id: ID!, $x: Int) { todo(id: $id, x: $x) { id } }")
    let refused = #expect(throws: StoreError.self) {
      try store.update { try $0.write(["todo": Self.todo("b")], for: byID) }
    }
    #expect(refused?.message.contains("$id") == true && refused?.message.contains("$x") == false)
    let count = told.all.count
    let fragment = try GraphQLFragment("fragment F on Todo { lines(first: $n) }")
    try store.update {
      try $0.write(JSON(parsing: #"{"lines":1}"#), for: fragment, of: Entity("Todo", id: "1"))
    }
    #expect(told.all.dropFirst(count).map(\.code) == [.unsetVariable])
  }

  /// Optimistic data that cannot be shown, and a part of what is reported.
  private static let optimistic: [(data: JSONValue, told: String)] = [
    ([["rename": "x"]], "The data is not a JSON object"),
    ("x", "The data is not a JSON object"),
    (["rename": "x"], "Mutation.rename is not an object"),
    (["rename": ["id": "1", "text": "x"]], "no __typename"),
    (["rename": ["__typename": "Todo", "text": "x"]], "without its key (id)"),
    (
      ["renamed": todo("x")],
      "has a member renamed that is not selected; it was ignored. Did you mean rename?"
    ),
  ]

  @Test(
    "An optimistic result that cannot be shown is reported (N6.4)", arguments: optimistic.indices)
  func optimisticResult(index: Int) async throws {
    let (data, message) = Self.optimistic[index]
    let told = Told()
    let store = try Self.store(told)
    let client = GraphQLClient([.cache(store), ScriptedExchange { _ in .failure("no") }])
    let mutation = GraphQLOperation("mutation Rename { rename { id text } }")
    _ = await client.mutate(mutation.with { $0.optimisticData = data })
    #expect(told.all.map(\.code) == [.optimisticResult])
    #expect(told.messages.first?.hasPrefix("The operation Rename: the optimistic result") == true)
    #expect(told.messages.first?.contains(message) == true, "\(told.messages)")
  }

  @Test("A policy that changes nothing because it fails is reported (N6.4)")
  func policies() async throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.mutations["rename"] = MutationPolicy { _, transaction in
      try transaction.update(GraphQLOperation("query Other { other }")) { _ in }
    }
    let store = StoreKind.store(configuration)
    let todos = GraphQLOperation("{ todos { id text } }")
    try store.write(
      ["todos": [["__typename": "Todo", "id": "2", "text": "y"]]], for: todos)
    let server = ScriptedExchange { _ in
      .data(#"{"rename":{"__typename":"Todo","id":"1","text":"x"}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    let mutation = GraphQLOperation("mutation Rename { rename { id text } }")
    _ = await client.mutate(mutation)
    #expect(client.peek(todos)?.isStale == true, "The todo is new: the list may have to show it.")
    #expect(told.all.map(\.code) == [.mutationPolicy])
    #expect(told.messages.first?.contains("other is missing") == true, "\(told.messages)")
  }

  private struct OwnError: Error {
    let text = "secret"
  }

  private enum State: String, Decodable {
    case open
  }

  /// Errors of your code that quote the text of a todo.
  private static let quoting: [@Sendable (MutationField) throws -> Void] = [
    { _ in throw OwnError() },
    { field in _ = try field.value?["text"]?.decode(State.self) },
  ]

  @Test("A report about your code's error does not quote data (N6.4)", arguments: quoting.indices)
  func quotedData(index: Int) async throws {
    let told = Told()
    let fail = Self.quoting[index]
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.mutations["rename"] = MutationPolicy { field, _ in try fail(field) }
    let store = StoreKind.store(configuration)
    let data = #"{"rename":{"__typename":"Todo","id":"1","text":"secret"}}"#
    let client = GraphQLClient([.cache(store), ScriptedExchange { _ in .data(data) }])
    let mutation = GraphQLOperation("mutation Rename { rename { id text } }")
    let optimistic = try JSON(parsing: data).value
    _ = await client.mutate(mutation.with { $0.optimisticData = optimistic })
    #expect(Set(told.all.map(\.code)) == [.mutationPolicy, .optimisticResult])
    #expect(!told.messages.contains { $0.contains("secret") }, "\(told.messages)")
  }

  @Test("An update that sets only a member that nothing selects is reported (N5.5)")
  func onlyUnknownMember() throws {
    let told = Told()
    let store = try Self.store(told)
    try store.update { try $0.update(Self.todos) { $0["todoz"] = [] } }
    #expect(told.all.map(\.code) == [.unknownMember])
  }
}
