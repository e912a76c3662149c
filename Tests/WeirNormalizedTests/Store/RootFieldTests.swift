import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A root has the fields of all operations (N5.1). A result that no one watches stays right
/// whichever of them change, and is the same document if none of its own fields changed.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RootFieldTests {
  static let selections = [
    "name": "name", "motto": "motto", "numbers": "numbers", "list": "list(n: $n) { id text }",
    "matrix": "matrix { id text }", "one": "one { id text }",
  ]

  static let data: JSONValue = [
    "name": "short", "motto": "longer than what a cell has room for", "numbers": [1, 2, 3],
    "list": [item("1"), item("2")], "matrix": [[item("1")], [item("2")]], "one": item("1"),
  ]

  /// An operation with one field, because checks of a result cover all its fields.
  static func operation(_ field: String, n: JSONValue = 1) throws -> GraphQLOperation {
    let selection = try #require(selections[field])
    return GraphQLOperation(
      GraphQLDocument("query Q($n: Int) { \(selection) }"), variables: ["n": n])
  }

  static func item(_ id: String) -> JSONValue {
    ["__typename": "Item", "id": .string(id), "text": .string("text \(id)")]
  }

  struct Change: CustomTestStringConvertible {
    let testDescription: String
    let field: String
    let value: JSONValue
  }

  static let changes = [
    Change(testDescription: "short text", field: "name", value: "other"),
    Change(
      testDescription: "long text", field: "motto",
      value: "another that has exactly as much of it"),
    Change(testDescription: "null", field: "name", value: .null),
    Change(testDescription: "scalars", field: "numbers", value: [1, 3, 2]),
    Change(testDescription: "order", field: "list", value: [item("2"), item("1")]),
    Change(testDescription: "fewer", field: "list", value: [item("1")]),
    Change(testDescription: "none", field: "list", value: []),
    Change(testDescription: "more", field: "list", value: [item("1"), item("2"), item("3")]),
    Change(testDescription: "null among them", field: "list", value: [item("1"), .null]),
    Change(
      testDescription: "list of lists", field: "matrix", value: [[item("2")], [item("1")]]),
    Change(testDescription: "reference", field: "one", value: item("2")),
  ]

  @Test("A change of a root field is shown (N5.1)", arguments: changes)
  func changed(_ change: Change) throws {
    let store = StoreKind.store()
    let operation = try Self.operation(change.field)
    let old: JSONValue = [change.field: Self.data[change.field] ?? .null]
    let new: JSONValue = [change.field: change.value]
    try store.write(old, for: operation)
    let before = try #require(store.read(operation))
    #expect(before.value == old)
    try store.write(["other": 1], for: GraphQLOperation("{ other }"))
    #expect(store.read(operation)?.document === before.document)
    try store.write(new, for: operation)
    #expect(store.read(operation)?.value == new)
    try store.write(["other": 2], for: GraphQLOperation("{ other }"))
    #expect(store.read(operation)?.value == new)
    try store.write(old, for: operation)
    #expect(store.read(operation)?.value == old)
  }

  @Test("A new value is shown even if it reuses the memory of an older one (N5.1)")
  func again() throws {
    let store = StoreKind.store()
    let operations = try (Self.operation("motto"), Self.operation("matrix"))
    for number in 0..<300 {
      let text = String(repeating: "long ", count: 100) + "\(100 + number)"
      let motto: JSONValue = ["motto": .string(text)]
      let items = (0..<3).map { Self.item("\((number * 7 + $0) % 5)") }
      let matrix: JSONValue = ["matrix": [[items[0]], [items[1], items[2]]]]
      try store.write(motto, for: operations.0)
      try store.write(matrix, for: operations.1)
      // Each time after a few more writes.
      guard number % (number / 50 + 1) == 0 else { continue }
      #expect(store.read(operations.0)?.value == motto)
      #expect(store.read(operations.1)?.value == matrix)
    }
  }

  @Test("The same field with other arguments is another field (N5.1)")
  func arguments() throws {
    let store = StoreKind.store()
    let (one, two) = try (Self.operation("list", n: 1), Self.operation("list", n: 2))
    try store.write(["list": [Self.item("1")]], for: one)
    let before = try #require(store.read(one))
    try store.write(["list": [Self.item("7")]], for: two)
    #expect(store.read(one)?.document === before.document)
    #expect(store.read(two)?.value == ["list": [Self.item("7")]])
  }

  @Test("A root field that was invalidated is refetched (N8.2)", arguments: selections.keys)
  func stale(_ field: String) async throws {
    let store = StoreKind.store()
    let server = ScriptedExchange.immediate { _ in .data("\(Self.data)") }
    let client = GraphQLClient([.normalizedCache(store), server])
    let operation = try Self.operation(field)
    _ = await client.query(operation)
    #expect(await client.query(operation).outcome == .hit)
    try store.write(["other": 1], for: GraphQLOperation("{ other }"))
    #expect(await client.query(operation).outcome == .hit)
    try store.update { $0.invalidate(.field(field)) }
    #expect(await client.query(operation).outcome != .hit)
    #expect(server.operations.count == 2)
  }
}
