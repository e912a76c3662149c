import Foundation
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Unchanged fields keep the spelling of the server: encoding them again may spell them otherwise,
/// or lose digits (N5.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct UnchangedSpellingTests {
  struct Todo: Codable, Sendable {
    var id: String
    var text: String
    var link: URL
    var weight: Double
    var price: Decimal
    var due: Date
    var tags: [String]
  }
  struct Todos: Codable, Sendable { var todos: [Todo] }
  static let todos = Query<Todos, NoVariables>(
    "{ todos { __typename id text link weight price due big tags } }")
  static var operation: GraphQLOperation { todos.operation(NoVariables()) }

  static let updates = [
    UnchangedFieldTests.Update(testDescription: "by JSON") { store in
      try store.update { try $0.update(operation) { $0["todos"]?[0]?["text"] = "x" } }
    },
    UnchangedFieldTests.Update(testDescription: "by a type") { store in
      try store.update(todos, NoVariables()) { $0.todos[0].text = "x" }
    },
    UnchangedFieldTests.Update(testDescription: "by a type, in another order") { store in
      try store.update(todos, NoVariables()) {
        $0.todos[0].text = "x"
        $0.todos.reverse()
      }
      try store.update(todos, NoVariables()) { $0.todos.reverse() }
    },
  ]

  /// One todo as the server spells it.
  private static func todo(_ id: String, text: String, newer: Bool = false) -> String {
    let link = newer ? #"https:\/\/new.example\/\u0061"# : #"https:\/\/old.example\/\u0061"#
    let rest =
      newer
      ? #""weight":5,"price":"13.50","due":"2027-01-31T09:00:00.000+00:00","big":2,"tags":[]"#
      : #""weight":4,"price":"12.50","due":"2026-01-31T10:00:00.0000+01:00","#
        + #""big":12345678901234567890123.250,"tags":["\u0061","b\/c"]"#
    return #"{"__typename":"Todo","id":"\#(id)","text":"\#(text)","link":"\#(link)",\#(rest)}"#
  }

  private static func list(_ todos: String...) -> String {
    "{\"todos\":[\(todos.joined(separator: ","))]}"
  }

  private static func text(_ data: JSON?) -> String? {
    data.map { String(decoding: $0.compactBytes, as: UTF8.self) }
  }

  @Test("Unchanged fields keep their spelling and their digits", arguments: updates)
  func spelling(_ update: UnchangedFieldTests.Update) throws {
    let store = StoreKind.store()
    let data = try JSON(
      parsing: Self.list(Self.todo("1", text: "a"), Self.todo("2", text: "\\u0062")))
    try store.write(data, for: Self.operation)
    try update.perform(store)
    #expect(
      Self.text(store.read(Self.operation))
        == Self.list(Self.todo("1", text: "x"), Self.todo("2", text: "\\u0062")))
  }

  @Test(
    "A response in flight replaces unchanged fields, however they are spelled", arguments: updates)
  func inFlight(_ update: UnchangedFieldTests.Update) async throws {
    let gate = Gate()
    let newer = [Self.todo("1", text: "A", newer: true), Self.todo("2", text: "B", newer: true)]
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .data(Self.list(newer[0], newer[1]))
    }
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    let data = try JSON(
      parsing: Self.list(Self.todo("1", text: "a"), Self.todo("2", text: "\\u0062")))
    try store.write(data, for: Self.operation)
    async let refetched = client.query(Self.operation.with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    try update.perform(store)
    gate.open()
    _ = await refetched
    #expect(
      Self.text(store.read(Self.operation))
        == Self.list(Self.todo("1", text: "x", newer: true), newer[1]))
  }

  @Test("A change that only looks like the old value counts")
  func changes() throws {
    let store = StoreKind.store()
    try store.write(
      JSON(parsing: Self.list(Self.todo("1", text: "caf\u{e9}"))), for: Self.operation)
    try store.update(Self.todos, NoVariables()) {
      $0.todos[0].text = "cafe\u{301}"
      $0.todos[0].weight = 4.5
      $0.todos[0].tags.append("d")
    }
    let todo = store.read(Self.operation)?["todos"]?[0]
    #expect(todo?["text"]?.string?.utf8.count == 6)
    #expect(todo?["weight"]?.double == 4.5)
    #expect(todo?["tags"]?.count == 3)
    #expect(Self.text(todo?["price"]) == "\"12.50\"")
  }
}
