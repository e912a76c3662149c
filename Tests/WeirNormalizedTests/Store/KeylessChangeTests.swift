import Testing
import Weir
import WeirNormalized

/// The log of changes, for objects without keys: they belong to a field of the object around them (N4.2).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct KeylessChangeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let document: String
    let before: String
    let after: String
    let expected: [Entity: Set<String>]
  }

  private static let todo = Entity("Todo", id: "1")

  private static func todo(_ members: String) -> String {
    #"{"todo":{"__typename":"Todo","id":"1",\#(members)}}"#
  }

  static let cases = [
    Case(
      testDescription: "an object of an entity", document: "{ todo { id place { x } } }",
      before: todo(#""place":{"__typename":"Place","x":1}"#),
      after: todo(#""place":{"__typename":"Place","x":2}"#), expected: [todo: ["place"]]),
    Case(
      testDescription: "a field with arguments", document: "{ todo { id place(at: 1) { x } } }",
      before: todo(#""place":{"__typename":"Place","x":1}"#),
      after: todo(#""place":{"__typename":"Place","x":2}"#), expected: [todo: ["place({\"at\":1})"]]
    ),
    Case(
      testDescription: "an element of a list", document: "{ todo { id places { x } } }",
      before: todo(#""places":[{"__typename":"Place","x":1},{"__typename":"Place","x":3}]"#),
      after: todo(#""places":[{"__typename":"Place","x":1},{"__typename":"Place","x":2}]"#),
      expected: [todo: ["places"]]),
    Case(
      testDescription: "an object within an object", document: "{ todo { id place { p { x } } } }",
      before: todo(#""place":{"__typename":"Place","p":{"__typename":"Point","x":1}}"#),
      after: todo(#""place":{"__typename":"Place","p":{"__typename":"Point","x":2}}"#),
      expected: [todo: ["place"]]),
    Case(
      testDescription: "an object of the root", document: "{ settings { theme } }",
      before: #"{"settings":{"__typename":"Settings","theme":"a"}}"#,
      after: #"{"settings":{"__typename":"Settings","theme":"b"}}"#,
      expected: [.query: ["settings"]]),
  ]

  @Test(
    "The log of changes names the field that an object without a key belongs to (N4.2)",
    arguments: cases)
  func changed(_ example: Case) async throws {
    let store = StoreKind.store()
    let operation = GraphQLOperation(GraphQLDocument(example.document))
    try store.write(ConnectionTests.json(example.before), for: operation)
    var changes = store.changes().makeAsyncIterator()
    try store.write(ConnectionTests.json(example.after), for: operation)
    #expect(await changes.next()?.fields == example.expected)
  }
}
