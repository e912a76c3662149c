import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Updates through an operation that shows several pages as one list.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct UpdatedPageTests {
  /// Through which page a list of four is updated, and which element is removed.
  static let removals = [0, 1].flatMap { page in (0..<4).map { (page, $0) } }

  private static func withoutElement(at index: Int, _ list: JSONValue?) -> JSONValue {
    var elements = list?.array ?? []
    elements.remove(at: index)
    return .array(elements)
  }

  private static func rest(without index: Int) -> [String] {
    ["1", "2", "3", "4"].enumerated().filter { $0.offset != index }.map(\.element)
  }

  @Test(
    "An element that an update removes leaves a connection of two pages (N7)", arguments: removals)
  func connection(_ page: Int, _ index: Int) throws {
    let store = ConnectionTests.store()
    let pages = [
      ConnectionTests.page(["first": 2]), ConnectionTests.page(["first": 2, "after": "c2"]),
    ]
    try store.write(ConnectionTests.data([1, 2], next: true), for: pages[0])
    try store.write(ConnectionTests.data([3, 4], previous: true), for: pages[1])
    try store.update { transaction in
      try transaction.update(pages[page]) { data in
        let rest = Self.withoutElement(at: index, data["todos"]?["edges"])
        data["todos"]?["edges"] = rest
      }
    }
    for page in pages {
      let shown = store.read(page)?["todos"]?["edges"]?.elements.map { $0["node"]?["id"]?.string }
      #expect(shown == Self.rest(without: index))
    }
  }

  private static let offsetPages: [GraphQLOperation] = [0, 2].map {
    PageTests.page(["skip": .int($0), "limit": 2])
  }

  private static func elements(_ numbers: [Int], of typename: String) -> JSONValue {
    let elements = numbers.map { number -> JSONValue in
      ["__typename": .string(typename), "id": .string("\(number)"), "rank": 1]
    }
    return ["todos": .array(elements)]
  }

  /// A store with two pages by offset. Objects of the type "Note" have no key.
  private static func offsetStore(of typename: String) throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    configuration.keys["Note"] = .embedded
    let store = StoreKind.store(configuration)
    try store.write(elements([1, 2], of: typename), for: offsetPages[0])
    try store.write(elements([3, 4], of: typename), for: offsetPages[1])
    return store
  }

  @Test(
    "An element that an update removes leaves a list of two pages (N7)", arguments: removals,
    ["Todo", "Note"])
  func offsets(_ removal: (page: Int, index: Int), _ typename: String) throws {
    let store = try Self.offsetStore(of: typename)
    let pages = Self.offsetPages
    try store.update { transaction in
      try transaction.update(pages[removal.page]) { data in
        let rest = Self.withoutElement(at: removal.index, data["todos"])
        data["todos"] = rest
      }
    }
    for page in pages {
      let shown = store.read(page)?["todos"]?.elements.map { $0["id"]?.string }
      #expect(shown == Self.rest(without: removal.index))
    }
  }

  @Test("A change of one element of a list without keys loses no element of another page (N7)")
  func unidentified() throws {
    let store = try Self.offsetStore(of: "Note")
    let pages = Self.offsetPages
    try store.update { try $0.update(pages[0]) { $0["todos"]?[0]?["rank"] = 2 } }
    #expect(store.read(pages[0])?["todos"]?.count == 4)
    // The first page is requested again. The second one, which it has taken over, has to be, too.
    try store.write(Self.elements([1, 2], of: "Note"), for: pages[0])
    #expect(GraphQLClient([.cache(store)]).peek(pages[1])?.isStale != false)
  }

  @Test("An element that a closure leaves out of a list stays in its page after an update (N7)")
  func leftOut() throws {
    let store = PageTests.storeOfPositiveRanks()
    func todo(_ id: String, rank: Int64) -> JSONValue {
      ["__typename": "Todo", "id": .string(id), "rank": .int(rank)]
    }
    let pages: [GraphQLOperation] = [0, 2].map { PageTests.page(["skip": .int($0)]) }
    try store.write(["todos": [todo("1", rank: 1), todo("2", rank: 2)]], for: pages[0])
    try store.write(["todos": [todo("3", rank: 3), todo("4", rank: 0)]], for: pages[1])
    try store.update { try $0.update(pages[0]) { $0["todos"]?[0]?["rank"] = 9 } }
    let rank: GraphQLDocument = "query Rank { first { id rank } }"
    try store.write(["first": todo("4", rank: 4)], for: GraphQLOperation(rank))
    let shown = store.read(pages[1])?["todos"]?.elements.compactMap { $0["id"]?.string } ?? []
    #expect(Set(shown) == ["1", "2", "3", "4"])
  }

  @Test("A page that is refetched after an update has the elements that it has now (N7)")
  func refetchedConnection() throws {
    let store = ConnectionTests.store()
    let pages = [
      ConnectionTests.page(["first": 3]), ConnectionTests.page(["first": 3, "after": "c3"]),
    ]
    try store.write(ConnectionTests.data([1, 2, 3], next: true), for: pages[0])
    try store.write(ConnectionTests.data([4, 5, 6], previous: true), for: pages[1])
    try store.update { try $0.update(pages[0]) { $0["todos"]?["totalCount"] = 10 } }
    try store.write(ConnectionTests.data([4, 7, 6], previous: true), for: pages[1])
    let shown = store.read(pages[0])?["todos"]?["edges"]?.elements
    #expect(shown?.map { $0["node"]?["id"]?.string } == ["1", "2", "3", "4", "7", "6"])
  }

  @Test("Pages by offset keep their elements if an update changes or adds one (N7)")
  func keptPages() throws {
    func shown(_ store: NormalizedStore) -> [String?]? {
      store.read(Self.offsetPages[0])?["todos"]?.elements.map { $0["id"]?.string }
    }
    let todo: (Int) -> JSONValue = { ["__typename": "Todo", "id": .string("\($0)"), "rank": 1] }
    let store = try Self.offsetStore(of: "Todo")
    try store.update { try $0.update(Self.offsetPages[0]) { $0["todos"]?[0]?["rank"] = 2 } }
    try store.write(Self.elements([3, 5], of: "Todo"), for: Self.offsetPages[1])
    #expect(shown(store) == ["1", "2", "3", "5"])
    try store.update { transaction in
      try transaction.update(Self.offsetPages[0]) { data in
        let list = data["todos"]?.array ?? []
        data["todos"] = .array([todo(0)] + list[...1] + [todo(9)] + list[2...] + [todo(8)])
      }
    }
    #expect(shown(store) == ["0", "1", "2", "9", "3", "5", "8"])
    try store.write(Self.elements([3, 6], of: "Todo"), for: Self.offsetPages[1])
    #expect(shown(store) == ["0", "1", "2", "9", "3", "6"])
  }

  @Test("An update that shows one list of pages several times loses none of it (N7)")
  func shownTwice() throws {
    let lists: [GraphQLDocument] = [
      "{ a: todos(skip: 0, limit: 2) { id rank } b: todos(skip: 2, limit: 2) { id rank } }",
      "{ a: todos(skip: 0, limit: 2) { id rank } b: todos(skip: 0, limit: 2) { id rank } }",
    ]
    for list in lists {
      let store = try Self.offsetStore(of: "Todo")
      try store.update { try $0.update(GraphQLOperation(list)) { $0["a"]?[0]?["rank"] = 2 } }
      for page in Self.offsetPages {
        let shown = store.read(page)?["todos"]?.elements.map { $0["id"]?.string }
        #expect(shown == ["1", "2", "3", "4"])
      }
    }
  }

  @Test("Pages whose cursors are selected only in their edges are joined, whichever is newer (N7)")
  func edgeCursors() throws {
    func page(_ arguments: String) -> GraphQLOperation {
      GraphQLOperation(
        GraphQLDocument("{ todos(\(arguments)) { edges { cursor node { id } } } }"))
    }
    func data(_ numbers: [Int]) -> JSONValue {
      let edges = numbers.map { number -> JSONValue in
        [
          "__typename": "TodoEdge", "cursor": .string("c\(number)"),
          "node": ["__typename": "Todo", "id": .string("\(number)")],
        ]
      }
      return ["todos": ["__typename": "TodoConnection", "edges": .array(edges)]]
    }
    let pages = [page("first: 2"), page("first: 2, after: \"c2\"")]
    for order in [[0, 1], [1, 0]] {
      let store = ConnectionTests.store()
      for index in order {
        try store.write(data([2 * index + 1, 2 * index + 2]), for: pages[index])
      }
      for page in pages {
        let shown = store.read(page)?["todos"]?["edges"]?.elements.map { $0["cursor"]?.string }
        #expect(shown == ["c1", "c2", "c3", "c4"])
      }
    }
  }
}
