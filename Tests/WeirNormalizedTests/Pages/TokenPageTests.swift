import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Pages that are objects with a list and the token of the next page, as those of AWS AppSync.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct TokenPageTests {
  static let query: GraphQLDocument = """
    query Todos($token: String, $limit: Int, $filter: Filter) {
      listTodos(filter: $filter, limit: $limit, nextToken: $token) {
        items { id } nextToken scannedCount
      }
    }
    """

  static func page(_ token: String? = nil, _ others: JSONValue = ["limit": 2]) -> GraphQLOperation {
    var variables = others
    variables["token"] = token.map { .string($0) }
    return GraphQLOperation(query, variables: variables)
  }

  static func data(_ numbers: [Int], next: String?, scanned: Int64 = 2) -> JSONValue {
    let items = numbers.map { ["__typename": "Todo", "id": .string("\($0)")] as JSONValue }
    return [
      "listTodos": [
        "__typename": "TodoConnection", "items": .array(items),
        "nextToken": next.map { .string($0) } ?? .null, "scannedCount": .int(scanned),
      ]
    ]
  }

  static func configuration(_ policy: FieldPolicy = .tokenPages()) -> NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.listTodos"] = policy
    return configuration
  }

  static func store(_ policy: FieldPolicy = .tokenPages()) -> NormalizedStore {
    StoreKind.store(configuration(policy))
  }

  /// A store with these pages: the token that each was requested with, its elements, and its own token.
  static func store(_ pages: [(String?, [Int], String?)]) throws -> NormalizedStore {
    let store = store()
    for (token, numbers, next) in pages {
      try store.write(data(numbers, next: next), for: page(token))
    }
    return store
  }

  static func summary(_ data: JSON?) -> String? {
    guard let page = data?["listTodos"], let items = page["items"] else { return nil }
    let ids = items.elements.map { $0["id"]?.string ?? "-" }.joined(separator: " ")
    return "\(ids) \(page["nextToken"]?.string ?? "-")"
  }

  static func shown(_ store: NormalizedStore, _ token: String? = nil) -> String? {
    summary(store.read(page(token)))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// As for `store`, in the order of their arrival.
    let pages: [(String?, [Int], String?)]
    /// The tokens of requested pages, and what is shown.
    let reads: [(String?, String?)]
  }

  static let cases = [
    Case(
      testDescription: "a single page", pages: [(nil, [1, 2], "t2")],
      reads: [(nil, "1 2 t2"), ("t2", nil)]),
    Case(
      testDescription: "two pages", pages: [(nil, [1, 2], "t2"), ("t2", [3], nil)],
      reads: [(nil, "1 2 3 -"), ("t2", "1 2 3 -")]),
    Case(
      testDescription: "three pages, the last one first",
      pages: [("t4", [5, 6], "t6"), ("t2", [3, 4], "t4"), (nil, [1, 2], "t2")],
      reads: [(nil, "1 2 3 4 5 6 t6"), ("t2", "1 2 3 4 5 6 t6"), ("t4", "1 2 3 4 5 6 t6")]),
    Case(
      testDescription: "a gap", pages: [(nil, [1, 2], "t2"), ("t4", [5, 6], "t6")],
      reads: [(nil, "1 2 t2"), ("t4", "5 6 t6"), ("t2", nil)]),
    Case(
      testDescription: "a first page with another token, to which the second one does not belong",
      pages: [(nil, [1, 2], "t2"), ("t2", [3, 4], "t4"), (nil, [0, 1], "t1")],
      reads: [(nil, "0 1 t1"), ("t2", "3 4 t4")]),
    Case(
      testDescription: "the new second page, which leads to the old third one",
      pages: [
        (nil, [1, 2], "t2"), ("t2", [3, 4], "t4"), ("t4", [5], nil), (nil, [0, 1], "t1"),
        ("t1", [2, 3], "t3"),
      ], reads: [(nil, "0 1 2 3 4 5 -"), ("t4", "0 1 2 3 4 5 -")]),
    Case(
      testDescription: "a first page with another token that overlaps the second one",
      pages: [(nil, [1, 2], "t2"), ("t2", [3, 4], "t4"), (nil, [2, 3], "t3")],
      reads: [(nil, "2 3 4 t4")]),
    Case(
      testDescription: "a newer page that is the last one",
      pages: [(nil, [1, 2], "t2"), ("t2", [3, 4], "t4"), ("t4", [5], nil), (nil, [1, 3], nil)],
      reads: [(nil, "1 3 -")]),
    Case(
      testDescription: "a page whose elements are all filtered out by the server",
      pages: [(nil, [1, 2], "t2"), ("t2", [], "t4"), ("t4", [5], nil)],
      reads: [(nil, "1 2 5 -"), ("t2", "1 2 5 -"), ("t4", "1 2 5 -")]),
    Case(
      testDescription: "several empty pages, in another order",
      pages: [("t6", [7], "t7"), ("t2", [], "t4"), (nil, [], "t2"), ("t4", [], "t6")],
      reads: [(nil, "7 t7"), ("t4", "7 t7")]),
    Case(
      testDescription: "an empty page at the end, which is older than the page before it",
      pages: [(nil, [1, 2], "t2"), ("t4", [], nil), ("t2", [3, 4], "t4")],
      reads: [(nil, "1 2 3 4 -"), ("t4", "1 2 3 4 -")]),
    Case(
      testDescription: "an empty page in place of the first one",
      pages: [(nil, [1, 2], "t2"), ("t2", [3, 4], nil), (nil, [], nil)],
      reads: [(nil, " -"), ("t2", "3 4 -")]),
  ]

  @Test("Pages by token form one list (N7)", arguments: cases)
  func runs(_ example: Case) throws {
    let store = try Self.store(example.pages)
    for (token, expected) in example.reads {
      #expect(Self.shown(store, token) == expected, "read of \(token ?? "the first page")")
    }
  }

  @Test("Filters separate lists by token, and limits do not (N7)")
  func arguments() throws {
    let store = Self.store()
    let open: JSONValue = ["filter": ["done": ["eq": false]], "limit": 2]
    try store.write(Self.data([1, 2], next: "t2"), for: Self.page())
    try store.write(Self.data([3, 4], next: nil), for: Self.page("t2", open))
    #expect(Self.shown(store) == "1 2 t2")
    #expect(Self.summary(store.read(Self.page("t2", open))) == "3 4 -")
    try store.write(Self.data([3, 4, 5], next: "t5"), for: Self.page("t2", ["limit": 3]))
    #expect(Self.shown(store) == "1 2 3 4 5 t5")
  }

  @Test("Other fields of an object with a token are those of the requested page (N7)")
  func otherFields() throws {
    let store = Self.store()
    try store.write(Self.data([1, 2], next: "t2", scanned: 7), for: Self.page())
    try store.write(Self.data([3], next: nil, scanned: 9), for: Self.page("t2"))
    for (token, count) in [(nil, 7), ("t2", 9)] as [(String?, Int64)] {
      #expect(store.read(Self.page(token))?["listTodos"]?["scannedCount"]?.int == count)
    }
  }

  @Test("The names of the list, the token and the arguments can be others (N7)")
  func names() throws {
    let search: GraphQLDocument = """
      query ($after: String) {
        found: search(text: "a", after: $after, size: 2) { hits: results { id } end: cursor }
      }
      """
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.search"] = .tokenPages(
      items: "results", token: "cursor", argument: "after", limit: "size")
    let store = StoreKind.store(configuration)
    let first = GraphQLOperation(search)
    for (after, ids, cursor) in [(nil, [1, 2], 2), (2, [3, 4], 4)] as [(Int64?, [Int64], Int64)] {
      let hits = ids.map { ["__typename": "Hit", "id": .int($0)] as JSONValue }
      try store.write(
        ["found": ["__typename": "Hits", "hits": .array(hits), "end": .int(cursor)]],
        for: GraphQLOperation(search, variables: after.map { ["after": .int($0)] } ?? [:]))
    }
    let found = store.read(first)?["found"]
    #expect(found?["hits"]?.elements.map { $0["id"]?.int } == [1, 2, 3, 4])
    #expect(found?["end"]?.int == 4)
  }

  @Test("A page without a cached token is the last one of its run (N7)")
  func withoutToken() throws {
    let plain: GraphQLDocument = """
      query ($token: String) { listTodos(limit: 2, nextToken: $token) { items { id } } }
      """
    func page(_ token: String?) -> GraphQLOperation {
      GraphQLOperation(plain, variables: token.map { ["token": .string($0)] } ?? [:])
    }
    func shown(_ token: String?) -> [String?]? {
      store.read(page(token))?["listTodos"]?["items"]?.elements.map { $0["id"]?.string }
    }
    let store = try Self.store([("t2", [3, 4], "t4"), ("t4", [5, 6], "t6")])
    let first: JSONValue = [
      "listTodos": [
        "__typename": "TodoConnection",
        "items": [["__typename": "Todo", "id": "1"], ["__typename": "Todo", "id": "2"]],
      ]
    ]
    try store.write(first, for: page(nil))
    #expect(shown(nil) == ["1", "2"])
    #expect(Self.shown(store) == nil)
    // A document that selects the token completes the page for the others, too.
    try store.write(Self.data([1, 2], next: "t2"), for: Self.page())
    #expect(shown(nil) == ["1", "2", "3", "4", "5", "6"])
    // For a document that selects it, a page without a token is a gap.
    try store.update { $0.remove(.field("listTodos", arguments: ["limit": 2, "nextToken": "t2"])) }
    let second: JSONValue = [
      "__typename": "TodoConnection", "items": [["__typename": "Todo", "id": "3"]],
    ]
    try store.write(["listTodos": second], for: page("t2"))
    #expect(shown(nil) == ["1", "2", "3"])
    #expect(Self.shown(store) == "1 2 t2")
  }

  @Test("A policy that shows pages shows those with tokens separately, a directive joins them (N7)")
  func directive() throws {
    let store = Self.store(.tokenPages(shows: .page))
    let labelled: GraphQLDocument = """
      query ($token: String) {
        listTodos(limit: 2, nextToken: $token) @connection(key: "all") {
          items { id } nextToken scannedCount
        }
      }
      """
    for (token, numbers, next) in [(nil, [1, 2], "t2"), ("t2", [3], nil)]
      as [(String?, [Int], String?)]
    {
      let data = Self.data(numbers, next: next)
      try store.write(data, for: Self.page(token))
      let variables: JSONValue = token.map { ["token": .string($0)] } ?? [:]
      try store.write(data, for: GraphQLOperation(labelled, variables: variables))
    }
    #expect(Self.shown(store) == "1 2 t2")
    #expect(Self.summary(store.read(GraphQLOperation(labelled))) == "1 2 3 -")
  }

  @Test("Lists of scalars beside a token are shown page by page (N7)")
  func scalars() throws {
    let store = Self.store()
    let names: GraphQLDocument = """
      query ($token: String) { listTodos(nextToken: $token) { items nextToken } }
      """
    for (token, name, next) in [(nil, "a", "t1"), ("t1", "b", "t2")] as [(String?, String, String)]
    {
      let page = GraphQLOperation(
        names, variables: token.map { ["token": .string($0)] } ?? [:])
      let data: JSONValue = [
        "listTodos": ["__typename": "Names", "items": [.string(name)], "nextToken": .string(next)]
      ]
      try store.write(data, for: page)
    }
    let first = store.read(GraphQLOperation(names))?["listTodos"]
    #expect(first?["items"]?.elements.map(\.string) == ["a"])
    #expect(first?["nextToken"]?.string == "t1")
  }
}
