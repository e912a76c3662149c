import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords

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
