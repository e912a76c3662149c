import Testing
import Weir
import WeirNormalized
import WeirTesting

/// An update reads everything that an operation selects and writes it back. Only what it has changed counts
/// as written.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct UnchangedFieldTests {
  struct Todo: Codable, Equatable, Sendable { var id: String; var text: String }
  struct Todos: Codable, Equatable, Sendable { var todos: [Todo] }
  static let todos = Query<Todos, NoVariables>("{ todos { id text } }")
  static let operation = GraphQLOperation("{ todos { id text } }")

  /// Changes the text of the first todo.
  struct Update: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let perform: @Sendable (NormalizedStore) throws -> Void
  }

  static let updates = [
    Update(testDescription: "by JSON") { store in
      try store.update { try $0.update(operation) { $0["todos"]?[0]?["text"] = "x" } }
    },
    Update(testDescription: "by a type") { store in
      try store.update(todos, NoVariables()) { $0.todos[0].text = "x" }
    },
    Update(testDescription: "by a fragment") { store in
      let fragment = try GraphQLFragment("fragment Text on Todo { id text }")
      try store.update { try $0.update(fragment, of: Entity("Todo", id: "1")) { $0["text"] = "x" } }
    },
  ]

  private static func data(_ texts: String...) -> JSON {
    let todos = texts.enumerated().map { index, text in
      #"{"__typename":"Todo","id":"\#(index + 1)","text":"\#(text)"}"#
    }
    return ConnectionTests.json("{\"todos\":[\(todos.joined(separator: ","))]}")
  }

  private static func texts(_ data: JSON?) -> [String?]? {
    data?["todos"]?.elements.map { $0["text"]?.string }
  }

  @Test(
    "A response in flight changes what an update has read but not changed (N6.2)",
    arguments: updates)
  func inFlight(_ update: Update) async throws {
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return OperationResult(data: Self.data("A", "B", "C"))
    }
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    try store.write(Self.data("a", "b"), for: Self.operation)
    async let refetched = client.query(Self.operation.with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    try update.perform(store)
    gate.open()
    #expect(await Self.texts(refetched.data) == ["x", "B", "C"])
    #expect(Self.texts(store.read(Self.operation)) == ["x", "B", "C"])
  }

  @Test("Stale data that an update has not changed stays stale (N8.1)", arguments: updates)
  func staleness(_ update: Update) async throws {
    let server = ScriptedExchange.immediate { _ in OperationResult(data: Self.data("A", "B")) }
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    try store.write(Self.data("a", "b"), for: Self.operation)
    client.invalidate(types: "Todo")
    try update.perform(store)
    #expect(Self.texts(client.peek(Self.operation)?.data) == ["x", "b"])
    #expect(client.peek(Self.operation)?.isStale == true)
    #expect(await Self.texts(client.query(Self.operation).data) == ["A", "B"])
    #expect(client.peek(Self.operation)?.isStale == false)
  }

  @Test("Objects without keys are not mixed with those of a response in flight (N1.4)")
  func keylessElements() async throws {
    let gate = Gate()
    let points = GraphQLOperation("{ points { x y } }")
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .data(#"{"points":[{"__typename":"P","x":2,"y":2},{"__typename":"P","x":1,"y":1}]}"#)
    }
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    let data = #"{"points":[{"__typename":"P","x":1,"y":1},{"__typename":"P","x":2,"y":2}]}"#
    try store.write(ConnectionTests.json(data), for: points)
    async let refetched = client.query(points.with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    try store.update { try $0.update(points) { $0["points"]?[0]?["y"] = 9 } }
    gate.open()
    let shown = await refetched.data?["points"]?.elements.map { [$0["x"]?.int, $0["y"]?.int] }
    #expect(shown == [[1, 9], [2, 2]])
  }
}
