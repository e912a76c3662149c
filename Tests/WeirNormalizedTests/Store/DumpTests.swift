import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The content of a store for people (N8.4).
@Suite(.timeLimit(.minutes(10)))
struct DumpTests {
  @Test("A dump shows records, references, arguments, ages and results (N8.4)")
  func content() throws {
    let clock = ManualClock()
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive["Price"] = .seconds(2)
    let store = NormalizedStore(configuration, clock: clock)
    #expect(store.dump().description == "")
    let operation = GraphQLOperation(
      "query Todos { todos(first: 2) { id text price { amount } tags } }")
    #expect(store.read(operation) == nil)
    try store.write(
      [
        "todos": [
          [
            "__typename": "Todo", "id": "1", "text": "a\n\"b\"",
            "price": ["__typename": "Price", "amount": 1.5], "tags": ["x"],
          ], nil,
        ]
      ], for: operation)
    _ = store.read(operation)
    try store.update { $0.invalidate(.field("todos")) }
    clock.advance(by: .seconds(1))
    let todo: JSONValue = [
      "__typename": "Todo", "id": "1", "text": "a\n\"b\"", "tags": ["x"],
      "price": ["__typename": "Price", "amount": 1.5, "$freshFor": ["amount": 1000]],
    ]
    let dump = store.dump()
    #expect(dump.json["records"]?["Todo:1"] == todo)
    #expect(
      dump.json["records"]?["QUERY_ROOT"]
        == [
          #"todos({"first":2})"#: [["$ref": "Todo:1"], nil],
          "$freshFor": [#"todos({"first":2})"#: 0],
        ])
    let result = dump.json["results"]?.array?.first
    #expect(result?["name"]?.string == "The operation Todos")
    #expect(result?["isComplete"]?.bool == true)
    #expect(result?["age"] == 1000 && result?["watchers"] == 0)
    let lines = dump.description.split(separator: "\n")
    #expect(lines.first == "QUERY_ROOT")
    #expect(lines.contains("Todo:1"))
    #expect(lines.contains(#"  tags: ["x"]"#), "\(dump)")
    #expect(lines.last == "The operation Todos 1000 ms old isComplete")
  }
}
