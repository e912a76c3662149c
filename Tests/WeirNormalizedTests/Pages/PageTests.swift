import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// Pages by offset, by a custom closure, and by `@connection` in a document.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct PageTests {
  static let query: GraphQLDocument = """
    query Page($skip: Int, $limit: Int, $status: String) {
      todos(skip: $skip, limit: $limit, status: $status) { id rank }
    }
    """

  static func page(_ arguments: JSONValue) -> GraphQLOperation {
    GraphQLOperation(query, variables: arguments)
  }

  static func data(_ numbers: [Int]) -> JSON {
    let todos = numbers.map { #"{"__typename":"Todo","id":"\#($0)","rank":\#(100 - $0)}"# }
    return ConnectionTests.json("{\"todos\":[\(todos.joined(separator: ","))]}")
  }

  static func shown(_ store: NormalizedStore, _ arguments: JSONValue) -> [String]? {
    store.read(page(arguments))?["todos"]?.elements.map { $0["id"]?.string ?? "-" }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The offset, limit and elements of each page.
    let pages: [(Int?, Int?, [Int])]
    let reads: [(JSONValue, String?)]
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "pages are in order whichever arrived first",
      pages: [(2, 2, [3, 4]), (0, 2, [1, 2]), (4, 2, [5])],
      reads: [(["skip": 0, "limit": 2], "12345"), (["skip": 4, "limit": 2], "12345")]),
    Case(
      name: "an absent offset is zero", pages: [(nil, 2, [1, 2]), (2, 2, [3])],
      reads: [(["limit": 2], "123")]),
    Case(
      name: "a gap stays a gap", pages: [(0, 2, [1, 2]), (4, 2, [5, 6]), (6, 2, [7])],
      reads: [(["skip": 0, "limit": 2], "12"), (["skip": 6, "limit": 2], "567")]),
    Case(
      name: "pages of another size may overlap", pages: [(0, 3, [1, 2, 3]), (2, 3, [3, 4, 5])],
      reads: [(["skip": 0, "limit": 3], "12345")]),
    Case(
      name: "an element that moved into the next page is shown once",
      pages: [(0, 2, [1, 2]), (2, 2, [2, 3])], reads: [(["skip": 0, "limit": 2], "123")]),
    Case(
      name: "a refetched page replaces the old one",
      pages: [(0, 2, [1, 2]), (2, 2, [3, 4]), (0, 2, [9, 1])],
      reads: [(["skip": 0, "limit": 2], "9134")]),
    Case(
      name: "among pages with the same offset, the requested one wins",
      pages: [(0, 4, [1, 2, 3, 4]), (0, 2, [9, 1]), (nil, 2, [1, 2])],
      reads: [
        (["skip": 0, "limit": 2], "9134"), (["skip": 0, "limit": 4], "1234"),
        (["limit": 2], "1234"),
      ]),
    Case(
      name: "an unknown page is a miss", pages: [(0, 2, [1, 2])],
      reads: [(["skip": 2, "limit": 2], nil), (["skip": 0, "limit": 9], nil), ([:], nil)]),
    Case(
      name: "extreme numbers do no harm",
      pages: [(Int.max, 2, [1]), (Int.max - 1, Int.max, [2]), (-5, 2, [3])],
      reads: [(["skip": -5, "limit": 2], "3")]),
  ]

  @Test("Pages by offset form one list (N7)", arguments: cases)
  func offsets(_ example: Case) throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    let store = StoreKind.store(configuration)
    for (skip, limit, numbers) in example.pages {
      var arguments: JSONValue = [:]
      arguments["skip"] = skip.map { .int(Int64($0)) }
      arguments["limit"] = limit.map { .int(Int64($0)) }
      try store.write(Self.data(numbers), for: Self.page(arguments))
    }
    for (arguments, expected) in example.reads {
      #expect(Self.shown(store, arguments)?.joined() == expected, "read of \(arguments)")
    }
  }

  @Test("A closure merges pages: it may sort them, and receives their arguments (N7)")
  func closure() throws {
    let seen = Seen()
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .pages(
      arguments: ["skip", "limit"], reading: ["rank"]
    ) { step in
      seen.add(step.arguments)
      var shown: Set<PageElement> = []
      return (step.existing + step.incoming).filter { shown.insert($0).inserted }.sorted {
        ($0.fields["rank"]?.int ?? 0) < ($1.fields["rank"]?.int ?? 0)
      }
    }
    let store = StoreKind.store(configuration)
    try store.write(Self.data([1, 2]), for: Self.page(["skip": 0]))
    try store.write(Self.data([2, 3, 4]), for: Self.page(["skip": 2]))
    #expect(Self.shown(store, ["skip": 0]) == ["4", "3", "2", "1"])
    #expect(seen.arguments == [["skip": 0], ["skip": 2]])
    // A change of a field that only the closure reads wakes watches and updates the list (N7)
    let rank: GraphQLDocument = "query Rank { first { id rank } }"
    let data = ConnectionTests.json(#"{"first":{"__typename":"Todo","id":"1","rank":-1}}"#)
    try store.write(data, for: GraphQLOperation(rank))
    #expect(Self.shown(store, ["skip": 2]) == ["1", "4", "3", "2"])
  }

  /// A store that shows only todos of all pages whose rank is positive.
  static func storeOfPositiveRanks() -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .pages(
      arguments: ["skip", "limit"], reading: ["rank"]
    ) { step in
      (step.existing + step.incoming).filter { ($0.fields["rank"]?.int ?? 0) > 0 }
    }
    return StoreKind.store(configuration)
  }

  @Test("An element that a closure left out is considered again when it changes (N7)")
  func leftOut() throws {
    let store = Self.storeOfPositiveRanks()
    try store.write(Self.data([1, 2]), for: Self.page(["skip": 0]))
    #expect(Self.shown(store, ["skip": 0]) == ["1", "2"])
    for (rank, shown) in [(-1, ["2"]), (1, ["1", "2"])] {
      let data = ConnectionTests.json(
        #"{"first":{"__typename":"Todo","id":"1","rank":\#(rank)}}"#)
      try store.write(data, for: GraphQLOperation("query Rank { first { id rank } }"))
      #expect(Self.shown(store, ["skip": 0]) == shown)
    }
  }

  private final class Seen: Sendable {
    private let list = Locked<[JSONValue]>([])
    var arguments: [JSONValue] { list.withLock { $0 } }
    func add(_ value: JSONValue) { list.withLock { $0.append(value) } }
  }

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
  ]

  @Test(
    "A membership changes pages of connections if it can decide, or makes them stale (N5.3)",
    arguments: connectionCases)
  func connectionMembership(_ example: ConnectionCase) throws {
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
    let store = StoreKind.store(configuration)
    let list = GraphQLOperation(
      GraphQLDocument("query($n: Int) { todos(first: $n) { \(example.fields) } }"),
      variables: ["n": 3])
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

  static let labelled: GraphQLDocument = """
    query Feed($after: String) {
      todos(first: 2, after: $after, sort: "x") @connection(key: "feed (a)", filter: []) {
        edges { cursor node { id } }
        pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
      }
    }
    """

  @Test("@connection(key:filter:) in a document makes pages and is not sent (N2.1, defect 8)")
  func directive() throws {
    let first = GraphQLOperation(Self.labelled)
    #expect(!first.text.contains("@connection"))
    #expect(first.text.contains("todos(first: 2"))
    let store = StoreKind.store()
    try store.write(ConnectionTests.data([1, 2], next: true), for: first)
    try store.write(
      ConnectionTests.data([3]), for: GraphQLOperation(Self.labelled, variables: ["after": "c2"]))
    #expect(store.read(first).flatMap(ConnectionTests.summary) == "1 2 3 c1…c3")
  }

  @Test("An operation with @connection has another key than the same one without (N2.1)")
  func identity() {
    let text = "query { todos(first: 2) { id } }"
    let plain = GraphQLOperation(GraphQLDocument(text))
    let other = GraphQLOperation(
      GraphQLDocument("query { todos(first: 2) @connection(key: \"a\") { id } }"))
    #expect(plain.text == other.text)
    #expect(plain.key != other.key)
    let fragment = GraphQLOperation(
      GraphQLDocument("query { ...F } fragment F on Query { todos @connection(key: \"a\") { id } }")
    )
    #expect(!fragment.text.contains("@connection"))
  }

  @Test("Removing a page by its arguments splits the list (N7)")
  func removal() throws {
    let store = ConnectionTests.store()
    try store.write(
      ConnectionTests.data([1, 2], next: true), for: ConnectionTests.page(["first": 2]))
    try store.write(
      ConnectionTests.data([3]), for: ConnectionTests.page(["first": 2, "after": "c2"]))
    try store.update {
      $0.remove(.field("todos", arguments: ["first": 2, "after": "c2"]))
    }
    #expect(ConnectionTests.shown(store, ["first": 2]) == "1 2> c1…c2")
  }
}
