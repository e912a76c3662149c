import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Lists that are paged by cursors.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ConnectionTests {
  static let query: GraphQLDocument = """
    query Page($first: Int, $after: String, $last: Int, $before: String, $status: String, $sort: String) {
      todos(first: $first, after: $after, last: $last, before: $before, status: $status, sort: $sort) {
        totalCount
        edges { cursor node { id } }
        pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
      }
    }
    """

  static func page(_ arguments: JSONValue) -> GraphQLOperation {
    GraphQLOperation(query, variables: arguments)
  }

  /// A page of todos with these numbers; cursors are `c` and the number.
  static func data(
    _ numbers: [Int], previous: Bool = false, next: Bool = false, total: Int = 9
  ) -> JSON {
    let edges = numbers.map { number in
      #"""
      {"__typename":"TodoEdge","cursor":"c\#(number)",
      "node":{"__typename":"Todo","id":"\#(number)"}}
      """#
    }
    let start = numbers.first.map { "\"c\($0)\"" } ?? "null"
    let end = numbers.last.map { "\"c\($0)\"" } ?? "null"
    return json(
      #"""
      {"todos":{"__typename":"TodoConnection","totalCount":\#(total),
      "edges":[\#(edges.joined(separator: ","))],
      "pageInfo":{"__typename":"PageInfo","startCursor":\#(start),"endCursor":\#(end),
      "hasPreviousPage":\#(previous),"hasNextPage":\#(next)}}}
      """#)
  }

  static func json(_ text: String) -> JSON {
    do { return try JSON(parsing: text) } catch { preconditionFailure("\(error): \(text)") }
  }

  static func store(_ policy: FieldPolicy = .connection()) -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = policy
    return StoreKind.store(configuration)
  }

  /// The result of a read: the ids of the nodes, with `<` if more precede them and `>` if more
  /// follow.
  static func shown(_ store: NormalizedStore, _ arguments: JSONValue) -> String? {
    store.read(page(arguments)).flatMap(summary)
  }

  static func summary(_ data: JSON) -> String? {
    guard let todos = data["todos"], let information = todos["pageInfo"] else { return nil }
    let ids = (todos["edges"]?.elements.map { $0["node"]?["id"]?.string ?? "-" } ?? [])
    let before = information["hasPreviousPage"]?.bool == true ? "<" : ""
    let after = information["hasNextPage"]?.bool == true ? ">" : ""
    let cursors = [information["startCursor"]?.string, information["endCursor"]?.string]
    return before + ids.joined(separator: " ") + after + " "
      + cursors.map { $0 ?? "-" }.joined(separator: "…")
  }

  @Test("A filter names the arguments that separate lists (N7)")
  func filter() throws {
    let store = Self.store(.connection(filter: ["status"]))
    try store.write(Self.data([1, 2], next: true), for: Self.page(["first": 2, "sort": "a"]))
    try store.write(
      Self.data([3, 4], previous: true), for: Self.page(["first": 2, "after": "c2", "sort": "b"]))
    #expect(Self.shown(store, ["first": 2]) == "1 2 3 4 c1…c4")
    #expect(Self.shown(store, ["first": 2, "status": "open"]) == nil)
  }

  @Test("A policy that shows pages shows each one separately (N7)")
  func singlePages() throws {
    let store = Self.store(.connection(shows: .page))
    try store.write(Self.data([1, 2], next: true), for: Self.page(["first": 2]))
    try store.write(Self.data([3], previous: true), for: Self.page(["first": 2, "after": "c2"]))
    #expect(Self.shown(store, ["first": 2]) == "1 2> c1…c2")
    #expect(Self.shown(store, ["first": 2, "after": "c2"]) == "<3 c3…c3")
  }

  @Test("A field without a policy is not paged (N7)")
  func withoutPolicy() throws {
    let store = StoreKind.store()
    try store.write(Self.data([1, 2], next: true), for: Self.page(["first": 2]))
    try store.write(Self.data([3], previous: true), for: Self.page(["first": 2, "after": "c2"]))
    #expect(Self.shown(store, ["first": 2]) == "1 2> c1…c2")
  }

  @Test("Other fields of a connection come from the page that changed last (N7)")
  func otherFields() throws {
    let store = Self.store()
    try store.write(Self.data([1, 2], next: true, total: 3), for: Self.page(["first": 2]))
    try store.write(Self.data([3], total: 4), for: Self.page(["first": 2, "after": "c2"]))
    #expect(store.read(Self.page(["first": 2]))?["todos"]?["totalCount"]?.int == 4)
  }

  @Test("Nodes without edges are joined, too (N7)")
  func nodes() throws {
    let document: GraphQLDocument = """
      query Nodes($after: String) {
        todos(first: 2, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } }
      }
      """
    func data(_ ids: [Int], end: Int) -> JSON {
      let nodes = ids.map { #"{"__typename":"Todo","id":"\#($0)"}"# }.joined(separator: ",")
      return Self.json(
        #"""
        {"todos":{"__typename":"TodoConnection","nodes":[\#(nodes)],"pageInfo":
        {"__typename":"PageInfo","endCursor":"c\#(end)","hasNextPage":\#(end < 4)}}}
        """#)
    }
    let store = Self.store()
    let first = GraphQLOperation(document)
    try store.write(data([1, 2], end: 2), for: first)
    try store.write(
      data([2, 3], end: 4), for: GraphQLOperation(document, variables: ["after": "c2"]))
    let todos = store.read(first)?["todos"]
    #expect(todos?["nodes"]?.elements.map { $0["id"]?.string } == ["1", "2", "3"])
    #expect(todos?["pageInfo"]?["endCursor"]?.string == "c4")
    #expect(todos?["pageInfo"]?["hasNextPage"]?.bool == false)
  }

  @Test("A run is as fresh as the requested page, which one request renews (N7)")
  func freshness() async {
    let server = ScriptedExchange.immediate { operation in
      let isFirst = !operation.identity.variables.string.contains("after")
      return OperationResult(
        data: isFirst ? Self.data([1, 2], next: true) : Self.data([3, 4], previous: true))
    }
    let client = GraphQLClient([.dedup, .cache(Self.store()), server])
    let (first, second) = (Self.page(["first": 2]), Self.page(["first": 2, "after": "c2"]))
    for page in [first, second] { _ = await client.query(page) }
    for types in ["Todo", "TodoEdge", "TodoConnection", "PageInfo", "Query"] {
      client.invalidate(types: types)
      #expect(client.peek(first)?.isStale == true)
      let sent = server.operations.count
      let renewed = await client.query(first)
      #expect(renewed.isStale == false)
      #expect(renewed.data.flatMap(Self.summary) == "1 2 3 4 c1…c4")
      #expect(server.operations.count == sent + 1)
      #expect(client.peek(second)?.isStale == true)
      _ = await client.query(second)
      #expect(client.peek(second)?.isStale == false)
    }
  }

  @Test("A watch of the first page grows with pages that others load, without a refetch (N7)")
  func watch() async {
    let server = ScriptedExchange.immediate { operation in
      let isFirst = !operation.canonicalVariablesText.contains("after")
      return OperationResult(
        data: isFirst
          ? Self.data([1, 2], next: true) : Self.data([3, 4], previous: true))
    }
    let client = GraphQLClient([.dedup, .cache(Self.store()), server])
    var results = client.watch(Self.page(["first": 2])).makeAsyncIterator()
    #expect(await results.next()?.data.flatMap(Self.summary) == "1 2> c1…c2")
    async let more = client.query(Self.page(["first": 2, "after": "c2"]))
    #expect(await results.next()?.data.flatMap(Self.summary) == "1 2 3 4 c1…c4")
    #expect(await more.data.flatMap(Self.summary) == "1 2 3 4 c1…c4")
    #expect(server.operations.count == 2)
  }
}

extension GraphQLOperation {
  fileprivate var canonicalVariablesText: String {
    identity.variables.string
  }
}
