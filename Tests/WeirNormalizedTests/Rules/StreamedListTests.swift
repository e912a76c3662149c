import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Until the last part of a response, nobody but its caller sees the lists that it streams.
@Suite(
  "Lists of which @stream brings one item after the other", .timeLimit(.minutes(10)), .overStorages)
struct StreamedListTests {
  private static let streamed = GraphQLOperation(
    "{ todos @stream(initialCount: 1) { id text } tags @stream }")
  private static let whole = GraphQLOperation("{ todos { id } tags }")
  private static let card = StoreTests.fragment("fragment Card on Todo { text }")

  private static func todos(_ ids: [String]) -> JSON {
    let todos = ids.map { #"{"__typename":"Todo","id":"\#($0)","text":"text of \#($0)"}"# }
    let tags = ids.map { "\"\($0)\"" }
    return ConnectionTests.json(
      "{\"todos\":[\(todos.joined(separator: ","))],\"tags\":[\(tags.joined(separator: ","))]}")
  }

  private static func ids(_ data: JSON?) -> [String?]? {
    guard let data else { return nil }
    let ids = data["todos"]?.elements.map { $0["id"]?.string }
    #expect(data["tags"]?.elements.map(\.string) == ids)
    return ids
  }

  /// Sends the results, and waits for the gate after the first.
  private static func server(_ gate: Gate, _ results: [OperationResult]) -> ScriptedExchange {
    ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        for (index, result) in results.enumerated() {
          yield(result)
          if index == 0 { await gate.pass() }
        }
      }
    })
  }

  private static func server(_ gate: Gate, lists: [[String]]) -> ScriptedExchange {
    server(
      gate,
      lists.enumerated().map { index, ids in
        OperationResult(data: todos(ids), hasNext: index < lists.count - 1)
      })
  }

  /// A store that knows nothing of the list, or all.
  private static func store(isWarm: Bool) throws -> NormalizedStore {
    let store = StoreKind.store()
    if isWarm { try store.write(todos(["1", "8", "9"]), for: streamed) }
    return store
  }

  private static func operation(isWarm: Bool) -> GraphQLOperation {
    streamed.with { $0.requestPolicy = isWarm ? .networkOnly : .cacheFirst }
  }

  @Test(
    "A list is stored with its last part, and its items are at once (N6.3)",
    arguments: [false, true])
  func parts(isWarm: Bool) async throws {
    let old = isWarm ? ["1", "8", "9"] : nil
    let store = try Self.store(isWarm: isWarm)
    let gate = Gate()
    let lists = [["1"], ["1", "2"], ["1", "2", "3"]]
    let client = GraphQLClient([.cache(store), Self.server(gate, lists: lists)])
    var shown: [[String?]?] = []
    for await result in client.results(of: Self.operation(isWarm: isWarm)) {
      shown.append(Self.ids(result.data))
      if result.hasNext, shown.count == 1 {
        #expect(Self.ids(store.read(Self.streamed)) == old)
        #expect(Self.ids(client.peek(Self.whole)?.data) == old)
        #expect(store.read(Self.card, of: Entity("Todo", id: "1")) != nil)
        gate.open()
      }
    }
    #expect(shown.first == ["1"])
    #expect(shown.last == ["1", "2", "3"])
    #expect(Self.ids(store.read(Self.whole)) == ["1", "2", "3"])
  }

  @Test(
    "A list whose stream is abandoned is not stored (N6.3)", arguments: [false, true])
  func abandoned(isWarm: Bool) async throws {
    let store = try Self.store(isWarm: isWarm)
    let gate = Gate()
    let client = GraphQLClient([.cache(store), Self.server(gate, lists: [["1"], ["1", "2"]])])
    for await _ in client.results(of: Self.operation(isWarm: isWarm)) { break }
    #expect(Self.ids(store.read(Self.whole)) == (isWarm ? ["1", "8", "9"] : nil))
    gate.open()
    let result = await client.query(Self.streamed)
    #expect(result.outcome == (isWarm ? .hit : .miss))
    #expect(Self.ids(result.data) == (isWarm ? ["1", "8", "9"] : ["1", "2"]))
  }

  /// With what a stream ends after its first item, and whether the list is complete.
  static let ends: [(error: OperationError, isComplete: Bool)] = [
    (OperationError(code: .transport, message: "lost"), false),
    (OperationError(code: .malformedResponse, message: "cut off"), false),
    (OperationError(graphQLErrors: [GraphQLError(message: "no", path: [.key("todos")])]), false),
    (
      OperationError(
        graphQLErrors: [GraphQLError(message: "no", path: [.key("todos"), .index(1)])]), false
    ),
    (OperationError(graphQLErrors: [GraphQLError(message: "no")]), false),
    (OperationError(graphQLErrors: [GraphQLError(message: "no", path: [.key("other")])]), true),
  ]

  @Test(
    "A list whose stream breaks off is not stored (N6.3)", arguments: ends.indices, [false, true])
  func brokenOff(end: Int, isWarm: Bool) async throws {
    let (error, isComplete) = Self.ends[end]
    let store = try Self.store(isWarm: isWarm)
    let gate = Gate()
    gate.open()
    let other = GraphQLOperation(
      "{ todos @stream(initialCount: 1) { id text } tags @stream other }")
    let rest = String(decoding: Self.todos(["1"]).bytes, as: UTF8.self).dropFirst()
    let data = try JSON(parsing: #"{"other":null,"# + rest)
    let server = Self.server(
      gate,
      [
        OperationResult(data: Self.todos(["1"]), hasNext: true),
        OperationResult(data: data, error: error),
      ])
    let client = GraphQLClient([.cache(store), server])
    let result = await client.query(other.with { $0.requestPolicy = .networkOnly })
    #expect(Self.ids(result.data) == ["1"])
    #expect(result.error == error)
    let old = isWarm ? ["1", "8", "9"] : nil
    #expect(Self.ids(store.read(Self.whole)) == (isComplete ? ["1"] : old))
    #expect(store.read(Self.card, of: Entity("Todo", id: "1")) != nil)
  }

  @Test(
    "A list of a single result is stored, unless that has broken off (N6.3)",
    arguments: [
      (OperationError(graphQLErrors: [GraphQLError(message: "no")]), ["1", "2"]),
      (OperationError(code: .transport, message: "lost"), nil),
    ])
  func unstreamed(error: OperationError, stored: [String]?) async {
    let store = StoreKind.store()
    let server = ScriptedExchange.immediate { _ in
      OperationResult(data: Self.todos(["1", "2"]), error: error)
    }
    let result = await GraphQLClient([.cache(store), server]).query(Self.streamed)
    #expect(result.error == error)
    #expect(Self.ids(store.read(Self.whole)) == stored)
  }

  @Test("A streamed list does not stay with another object of a list without keys (N1.4, N6.3)")
  func unkeyed() async throws {
    let store = StoreKind.store()
    let shelves = GraphQLOperation("{ shelves { name items @stream { id } tags @stream } }")
    func shelf(_ name: String, _ ids: String) -> String {
      let items = ids.map { #"{"__typename":"Item","id":"\#($0)"}"# }.joined(separator: ",")
      let tags = ids.map { "\"\($0)\"" }.joined(separator: ",")
      return #"{"__typename":"Shelf","name":"\#(name)","items":[\#(items)],"tags":[\#(tags)]}"#
    }
    func data(_ shelves: String...) throws -> JSON {
      try JSON(parsing: "{\"shelves\":[\(shelves.joined(separator: ","))]}")
    }
    try store.write(try data(shelf("a", "12"), shelf("b", "3")), for: shelves)
    let gate = Gate()
    let server = Self.server(
      gate,
      [
        OperationResult(data: try data(shelf("b", ""), shelf("a", "1")), hasNext: true),
        OperationResult(data: try data(shelf("b", "3"), shelf("a", "1"))),
      ])
    let client = GraphQLClient([.cache(store), server])
    for await result in client.results(of: shelves.with { $0.requestPolicy = .networkOnly })
    where result.hasNext {
      #expect(store.read(shelves) == nil)
      gate.open()
    }
    #expect(try store.read(shelves) == data(shelf("b", "3"), shelf("a", "1")))
  }

  @Test("The list that a mutation streams is stored with its last part (N6.3)")
  func mutation() async throws {
    let store = StoreKind.store()
    let post = GraphQLOperation("{ post { id comments { id } } }")
    func data(_ field: String, _ ids: String) -> JSON {
      let comments = ids.map { #"{"__typename":"Comment","id":"\#($0)"}"# }
      return ConnectionTests.json(
        #"{"\#(field)":{"__typename":"Post","id":"1","comments":[\#(comments.joined(separator: ","))]}}"#
      )
    }
    try store.write(data("post", "12"), for: post)
    func answer(_ last: OperationResult) async -> Int? {
      let gate = Gate()
      gate.open()
      let first = OperationResult(data: data("add", "1"), hasNext: true)
      let client = GraphQLClient([.cache(store), Self.server(gate, [first, last])])
      _ = await client.mutate(
        GraphQLOperation("mutation { add { id comments @stream { id } } }"))
      return store.read(post)?["post"]?["comments"]?.count
    }
    let lost = OperationError(code: .transport, message: "lost")
    #expect(await answer(OperationResult(data: data("add", "1"), error: lost)) == 2)
    #expect(await answer(OperationResult(data: data("add", "123"))) == 3)
  }
}
