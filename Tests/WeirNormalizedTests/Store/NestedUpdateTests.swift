import Testing
import Weir
import WeirNormalized

/// An update of data that shows one entity in several places changes fields that hold objects and lists, or
/// an entity within itself (N5.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct NestedUpdateTests {
  /// A field of a todo with its value, and a change of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let selection: String
    let value: JSONValue
    let change: @Sendable (inout JSONValue?) -> Void
    /// The changed value.
    let expected: JSONValue
  }

  private static func user(_ id: String) -> JSONValue { ["__typename": "User", "id": .string(id)] }
  private static func point(_ x: Int64) -> JSONValue { ["__typename": "Point", "x": .int(x)] }

  static let cases = [
    Case(
      testDescription: "another entity", selection: "v { id }", value: user("1"),
      change: { $0 = user("2") }, expected: user("2")),
    Case(
      testDescription: "no entity", selection: "v { id }", value: user("1"),
      change: { $0 = .null }, expected: .null),
    Case(
      testDescription: "an entity instead of none", selection: "v { id }", value: .null,
      change: { $0 = user("1") }, expected: user("1")),
    Case(
      testDescription: "a list with fewer entities", selection: "v { id }",
      value: [user("1"), user("2")], change: { $0 = [user("2")] }, expected: [user("2")]),
    Case(
      testDescription: "a list with more entities", selection: "v { id }",
      value: [user("1")], change: { $0 = [user("2"), user("1")] },
      expected: [user("2"), user("1")]),
    Case(
      testDescription: "a field of an object without a key", selection: "v { x }", value: point(1),
      change: { $0?["x"] = 2 }, expected: point(2)),
    Case(
      testDescription: "no object without a key", selection: "v { x }", value: point(1),
      change: { $0 = .null }, expected: .null),
    Case(
      testDescription: "a list with fewer objects without keys", selection: "v { x }",
      value: [point(1), point(2), point(3)], change: { $0 = [point(2), point(3)] },
      expected: [point(2), point(3)]),
    Case(
      testDescription: "a list with more objects without keys", selection: "v { x }",
      value: [point(1)], change: { $0 = [point(0), point(1)] }, expected: [point(0), point(1)]),
    Case(
      testDescription: "a list of lists", selection: "v { id }", value: [[user("1")], [user("2")]],
      change: { $0 = [[user("2")]] }, expected: [[user("2")]]),
    Case(
      testDescription: "a scalar that is an object", selection: "v", value: ["a": [1.5]],
      change: { $0 = ["a": []] }, expected: ["a": []]),
    Case(
      testDescription: "a field with arguments", selection: "v: w(a: 1)", value: 1.5,
      change: { $0 = 2 }, expected: 2),
    Case(
      testDescription: "a string with escapes", selection: "v", value: "a\nb",
      change: { $0 = "c" }, expected: "c"),
  ]

  @Test(
    "A change in any place of an entity that is shown twice is kept (N5.1)", arguments: cases,
    ["a", "b"])
  func twice(_ example: Case, _ place: String) throws {
    let store = StoreKind.store()
    let operation = GraphQLOperation(
      GraphQLDocument("{ a { id \(example.selection) } b { id \(example.selection) } }"))
    let todo: JSONValue = ["__typename": "Todo", "id": "1", "v": example.value]
    try store.write(["a": todo, "b": todo], for: operation)
    try store.update { transaction in
      try transaction.update(operation) { data in
        var value = data[place]?["v"]
        example.change(&value)
        data[place]?["v"] = value
      }
    }
    let shown = store.read(operation)?.value.withoutTypenames
    let expected = example.expected.withoutTypenames
    #expect(shown?["a"]?["v"] == expected)
    #expect(shown?["b"]?["v"] == expected)
  }

  @Test(
    "A change of an entity that contains itself is kept, outside and inside (N5.1)",
    arguments: [0, 1, 2])
  func withinItself(_ depth: Int) throws {
    let store = StoreKind.store()
    let operation = GraphQLOperation(
      "{ todo { id done friend { id } next { id done friend { id } next { id done friend { id } } } } }"
    )
    var todo: JSONValue = ["__typename": "Todo", "id": "1", "done": false, "friend": .null]
    for _ in 0..<2 {
      todo = [
        "__typename": "Todo", "id": "1", "done": false, "friend": .null, "next": todo,
      ]
    }
    try store.write(["todo": todo], for: operation)
    try store.update { transaction in
      try transaction.update(operation) { data in
        switch depth {
        case 0:
          data["todo"]?["done"] = true
          data["todo"]?["friend"] = Self.user("1")
        case 1:
          data["todo"]?["next"]?["done"] = true
          data["todo"]?["next"]?["friend"] = Self.user("1")
        default:
          data["todo"]?["next"]?["next"]?["done"] = true
          data["todo"]?["next"]?["next"]?["friend"] = Self.user("1")
        }
      }
    }
    let shown = try #require(store.read(operation)?["todo"])
    #expect(shown["done"]?.bool == true && shown["next"]?["next"]?["done"]?.bool == true)
    #expect(shown["friend"]?["id"]?.string == "1")
  }

  @Test("A change of a field within its own value is kept (N5.1)", arguments: [0, 1])
  func recurring(_ depth: Int) throws {
    let store = StoreKind.store()
    let operation = GraphQLOperation(
      "{ me { id friend { id friend { id friend { id } } } } }")
    func person(_ id: String, _ friend: JSONValue? = nil) -> JSONValue {
      var person: JSONValue = ["__typename": "Person", "id": .string(id)]
      if let friend { person["friend"] = friend }
      return person
    }
    try store.write(
      ["me": person("1", person("2", person("1", person("2"))))] as JSONValue, for: operation)
    let other = person("3", person("1", person("3")))
    try store.update { transaction in
      try transaction.update(operation) { data in
        if depth == 0 {
          data["me"]?["friend"] = other
        } else {
          data["me"]?["friend"]?["friend"]?["friend"] = person("3")
        }
      }
    }
    let friend = GraphQLOperation("{ me { id friend { id } } }")
    #expect(store.read(friend)?["me"]?["friend"]?["id"]?.string == "3")
  }
}
