import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Pages that operations with other selections have requested.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct IncompletePageTests {
  private static let pageInfo = "pageInfo { startCursor endCursor hasPreviousPage hasNextPage }"

  private static func page(
    _ selection: String, first: Int64 = 2, after: String? = nil
  ) -> GraphQLOperation {
    let document = GraphQLDocument(
      "query Page($first: Int, $after: String) { todos(first: $first, after: $after) { \(selection) } }"
    )
    var variables: JSONValue = ["first": .int(first)]
    variables["after"] = after.map { .string($0) }
    return GraphQLOperation(document, variables: variables)
  }

  private static func rich(after: String? = nil) -> GraphQLOperation {
    page("edges { cursor node { id text } } \(pageInfo)", after: after)
  }

  private static func poor(after: String? = nil) -> GraphQLOperation {
    page("edges { cursor node { id } } \(pageInfo)", after: after)
  }

  /// A page of todos with these numbers, with their texts.
  private static func data(_ numbers: [Int], previous: Bool = false, next: Bool = false) -> JSON {
    let text = ConnectionTests.data(numbers, previous: previous, next: next).bytes
    return ConnectionTests.json(
      String(decoding: text, as: UTF8.self).replacing(#""Todo","#, with: #""Todo","text":"t","#))
  }

  private static func shown(_ store: NormalizedStore, _ page: GraphQLOperation) -> String? {
    store.read(page).flatMap(ConnectionTests.summary)
  }

  @Test("A page with fewer fields is a gap for a query that selects more (N7)")
  func fewerFields() async throws {
    let server = ScriptedExchange.immediate { operation in
      let isFirst = !operation.identity.variables.string.contains("after")
      return OperationResult(
        data: isFirst
          ? Self.data([1, 2], next: true)
          : ConnectionTests.data([3, 4], previous: true, next: true))
    }
    let store = ConnectionTests.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    _ = await client.query(Self.rich())
    _ = await client.query(Self.poor(after: "c2"))
    #expect(Self.shown(store, Self.poor()) == "1 2 3 4> c1…c4")
    #expect(Self.shown(store, Self.rich()) == "1 2> c1…c2")
    #expect(store.explain(Self.rich()).status == .complete)
    let result = await client.query(Self.rich())
    #expect(result.data.flatMap(ConnectionTests.summary) == "1 2> c1…c2")
    #expect(server.operations.count == 2)
    // The requested page itself must have all fields.
    #expect(Self.shown(store, Self.rich(after: "c2")) == nil)
  }

  @Test("A watch shows a page as soon as it has all fields, and does not request it (N4.1, N7)")
  func watch() async throws {
    let server = ScriptedExchange.immediate { _ in
      OperationResult(data: Self.data([1, 2], next: true))
    }
    let store = ConnectionTests.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    try store.write(ConnectionTests.data([3, 4], previous: true), for: Self.poor(after: "c2"))
    var results = client.watch(Self.rich()).makeAsyncIterator()
    #expect(await results.next()?.data.flatMap(ConnectionTests.summary) == "1 2> c1…c2")
    let text = try GraphQLFragment("fragment Text on Todo { text }")
    try store.update { transaction in
      for id in ["3", "4"] {
        let data = ConnectionTests.json(#"{"text":"t"}"#)
        try transaction.write(data, for: text, of: Entity("Todo", id: id))
      }
    }
    #expect(await results.next()?.data.flatMap(ConnectionTests.summary) == "1 2 3 4 c1…c4")
    #expect(server.operations.count == 1)
  }

  @Test("By offset, a page with fewer fields is a gap, too (N7)")
  func offsets() throws {
    let store = ConnectionTests.store(.offsetPages(offset: "skip"))
    let poor: GraphQLDocument = "query ($skip: Int) { todos(skip: $skip, limit: 2) { id } }"
    for skip: Int64 in [0, 2, 4] {
      let numbers = [Int(skip) + 1, Int(skip) + 2]
      let page = PageTests.page(["skip": .int(skip), "limit": 2])
      if skip != 2 {
        try store.write(PageTests.data(numbers), for: page)
      } else {
        let todos = numbers.map { #"{"__typename":"Todo","id":"\#($0)"}"# }
        try store.write(
          ConnectionTests.json("{\"todos\":[\(todos.joined(separator: ","))]}"),
          for: GraphQLOperation(poor, variables: ["skip": 2]))
      }
    }
    #expect(PageTests.shown(store, ["skip": 0, "limit": 2]) == ["1", "2"])
    #expect(PageTests.shown(store, ["skip": 2, "limit": 2]) == nil)
    #expect(PageTests.shown(store, ["skip": 4, "limit": 2]) == ["5", "6"])
  }

  @Test("A page of which only the page information was requested is a gap, not an empty page (N7)")
  func withoutEdges() throws {
    let store = ConnectionTests.store()
    let information = Self.page(Self.pageInfo, after: "c2")
    try store.write(Self.data([1, 2], next: true), for: Self.rich())
    let data = #"""
      {"todos":{"__typename":"TodoConnection","pageInfo":{"__typename":"PageInfo","startCursor":"c3",
      "endCursor":"c4","hasPreviousPage":true,"hasNextPage":false}}}
      """#
    try store.write(ConnectionTests.json(data), for: information)
    #expect(Self.shown(store, Self.rich()) == "1 2> c1…c2")
    #expect(Self.shown(store, Self.rich(after: "c2")) == nil)
    #expect(store.read(information) != nil)
    try store.write(Self.data([3, 4], previous: true), for: Self.rich(after: "c2"))
    #expect(Self.shown(store, Self.rich()) == "1 2 3 4 c1…c4")
  }
}
