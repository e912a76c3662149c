import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

extension PageTests {
  @Test("A new entity is inserted into the page it lies within; other pages become stale (N5.3)")
  func membership() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    configuration.memberships = [
      ListMembership(
        of: "Todo", in: "Query.todos",
        orderedBy: { ($0["rank"]?.int ?? 0) > ($1["rank"]?.int ?? 0) },
        includes: { _, _ in true })
    ]
    let store = StoreKind.store(configuration)
    try store.write(Self.data([1, 3]), for: Self.page(["skip": 0, "limit": 2]))
    try store.write(Self.data([5, 7]), for: Self.page(["skip": 2, "limit": 2]))
    let add: GraphQLDocument = "query Add { first { id rank } }"
    func write(_ number: Int) throws {
      let todo = #"{"__typename":"Todo","id":"\#(number)","rank":\#(100 - number)}"#
      try store.update {
        try $0.write(ConnectionTests.json("{\"first\":\(todo)}"), for: GraphQLOperation(add))
      }
    }
    try write(2)
    #expect(Self.shown(store, ["skip": 0, "limit": 2]) == ["1", "2", "3", "5", "7"])
    try write(2)
    try write(6)
    #expect(Self.shown(store, ["skip": 0, "limit": 2]) == ["1", "2", "3", "5", "6", "7"])
  }

  struct ConnectionCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var fields = "edges { node { id } } pageInfo { hasNextPage hasPreviousPage }"
    var more = (previous: false, next: false)
    var arguments: JSONValue = ["first": 3]
    /// The written entity, and whether it belongs in the list.
    var added = "25"
    var belongs = "yes"
    let shown: [String]
    let isStale: Bool
  }

  static let connectionCases = [
    ConnectionCase(
      testDescription: "between two others", shown: ["1", "2", "25", "3"], isStale: false),
    ConnectionCase(
      testDescription: "at the end of the list", added: "4", shown: ["1", "2", "3", "4"],
      isStale: false),
    ConnectionCase(
      testDescription: "at the end of a page that has a next one", more: (false, true), added: "4",
      shown: ["1", "2", "3"], isStale: true),
    ConnectionCase(
      testDescription: "at the start of a page that has a previous one", more: (true, false),
      added: "05",
      shown: ["1", "2", "3"], isStale: true),
    ConnectionCase(
      testDescription: "at the beginning of the list", added: "05", shown: ["05", "1", "2", "3"],
      isStale: false),
    ConnectionCase(
      testDescription: "at the start of a page after a cursor, of which a server may say anything",
      arguments: ["first": 3, "after": "c0"], added: "05", shown: ["1", "2", "3"], isStale: true),
    ConnectionCase(
      testDescription: "at the end of a page before a cursor, of which a server may say anything",
      arguments: ["last": 3, "before": "c4"], added: "4", shown: ["1", "2", "3"], isStale: true),
    ConnectionCase(
      testDescription: "edges with cursors can only come from the server",
      fields: "edges { cursor node { id } }",
      shown: ["1", "2", "3"], isStale: true),
    ConnectionCase(
      testDescription: "the following page is unknown", fields: "edges { node { id } }", added: "4",
      shown: ["1", "2", "3"], isStale: true),
    ConnectionCase(
      testDescription: "a count changes, too", fields: "edges { node { id } } totalCount",
      shown: ["1", "2", "25", "3"], isStale: true),
    ConnectionCase(
      testDescription: "an entity that leaves", added: "2", belongs: "no", shown: ["1", "3"],
      isStale: false),
    ConnectionCase(
      testDescription: "an undecided membership", belongs: "perhaps", shown: ["1", "2", "3"],
      isStale: true),
    ConnectionCase(
      testDescription: "nodes without edges", fields: "nodes { id }",
      shown: ["1", "2", "25", "3"], isStale: false),
    ConnectionCase(
      testDescription: "at the beginning of the first page, without the flag",
      fields: "nodes { id } pageInfo { hasNextPage }", more: (true, true), added: "05",
      shown: ["05", "1", "2", "3"], isStale: false),
    ConnectionCase(
      testDescription: "at the start of the last elements, without the flag",
      fields: "nodes { id } pageInfo { hasNextPage }", arguments: ["last": 3], added: "05",
      shown: ["1", "2", "3"], isStale: true),
  ]

  /// A store whose connection holds the todos that belong, by their ids.
  private static func connectionStore() -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .connection()
    configuration.memberships = [
      ListMembership(
        of: "Todo", in: "Query.todos",
        orderedBy: { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") },
        includes: { todo, _ in
          ["yes": true, "no": false][todo["belongs"]?.string ?? "yes"]
        })
    ]
    return StoreKind.store(configuration)
  }

  @Test(
    "A membership changes pages of connections if it can decide, or makes them stale (N5.3)",
    arguments: connectionCases)
  func connectionMembership(_ example: ConnectionCase) throws {
    let store = Self.connectionStore()
    let list = GraphQLOperation(
      GraphQLDocument(
        """
        query($first: Int, $after: String, $last: Int, $before: String) {
          todos(first: $first, after: $after, last: $last, before: $before) { \(example.fields) }
        }
        """), variables: example.arguments)
    let ids = ["1", "2", "3"]
    let nodes = ids.map { id -> JSONValue in ["__typename": "Todo", "id": .string(id)] }
    let edges = zip(ids, nodes).map { id, node -> JSONValue in
      ["__typename": "TodoEdge", "cursor": .string("c\(id)"), "node": node]
    }
    let data: JSONValue = [
      "todos": [
        "__typename": "TodoConnection", "edges": .array(edges), "nodes": .array(nodes),
        "totalCount": 3,
        "pageInfo": [
          "__typename": "PageInfo", "hasNextPage": .bool(example.more.next),
          "hasPreviousPage": .bool(example.more.previous),
        ],
      ]
    ]
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    _ = store.write(data.json, errors: [], of: list.ofAnySession, origin: WriteOrigin())
    try store.write(
      [
        "add": [
          "__typename": "Todo", "id": .string(example.added), "belongs": .string(example.belongs),
        ]
      ], for: GraphQLOperation("mutation { add { id belongs } }"))
    let shown = store.read(list)?["todos"]
    #expect(
      (shown?["nodes"] ?? shown?["edges"])?.elements.map {
        ($0["node"] ?? $0)["id"]?.string
      } == example.shown)
    #expect(client.peek(list)?.isStale == example.isStale)
    #expect(store.state.withLock { $0.records.defects } == [])
  }

  @Test(
    "A new entity in one page makes all pages with a count of the list stale (N5.3)",
    arguments: [false, true])
  func countsOfOtherPages(isReversed: Bool) throws {
    let store = Self.connectionStore()
    let pages = [("first: 2", "12"), ("first: 2, after: \"c2\"", "35")].map { arguments, ids in
      let list = GraphQLOperation(
        GraphQLDocument("{ todos(\(arguments)) { totalCount nodes { id } } }"))
      return (list, ids)
    }
    for (list, ids) in isReversed ? pages.reversed() : pages {
      let nodes = ids.map { #"{"__typename":"Todo","id":"\#($0)"}"# }.joined(separator: ",")
      let data = ConnectionTests.json(
        #"{"todos":{"__typename":"TodoConnection","totalCount":4,"nodes":[\#(nodes)]}}"#)
      _ = store.write(data, errors: [], of: list.ofAnySession, origin: WriteOrigin())
    }
    try store.write(
      ["add": ["__typename": "Todo", "id": "4"]], for: GraphQLOperation("mutation { add { id } }"))
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    #expect(pages.map { client.peek($0.0)?.isStale } == [true, true])
    let shown = client.peek(pages[1].0)?.data?["todos"]?["nodes"]?.elements
    #expect(shown?.map { $0["id"]?.string } == ["3", "4", "5"])
  }
}
