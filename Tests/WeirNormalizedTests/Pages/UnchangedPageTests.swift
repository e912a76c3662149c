import Testing
import Weir
import WeirNormalized
import WeirTesting

/// An update through one page of a list that shows several. A page whose elements are the same as before
/// does not count as written (N5.1, N7).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct UnchangedPageTests {
  private static let pages: [GraphQLOperation] = [0, 2].map {
    PageTests.page(["skip": .int($0), "limit": 2])
  }

  private static func store() throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .offsetPages(offset: "skip")
    let store = StoreKind.store(configuration)
    try store.write(PageTests.data([1, 2]), for: pages[0])
    try store.write(PageTests.data([3, 4]), for: pages[1])
    return store
  }

  private static func update(_ store: NormalizedStore, _ page: Int) throws {
    try store.update { try $0.update(pages[page]) { $0["todos"]?[0]?["rank"] = 7 } }
  }

  @Test(
    "A stale page stays stale if an update changes only its elements (N5.1)", arguments: [0, 1])
  func stale(_ page: Int) throws {
    let store = try Self.store()
    let client = GraphQLClient([.cache(store)])
    try store.update { $0.invalidate(.field("todos")) }
    try Self.update(store, page)
    #expect(store.read(Self.pages[page])?["todos"]?[0]?["rank"]?.int == 7)
    #expect(client.peek(Self.pages[page])?.isStale == true)
  }

  @Test("A response in flight replaces a page of which an update has changed an element (N5.1)")
  func inFlight() async throws {
    let store = try Self.store()
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return OperationResult(data: PageTests.data([1, 5]))
    }
    let client = GraphQLClient([.cache(store), server])
    async let result = client.query(Self.pages[0].with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    try Self.update(store, 0)
    gate.open()
    _ = await result
    #expect(PageTests.shown(store, ["skip": 0, "limit": 2]) == ["1", "5", "3", "4"])
    #expect(store.read(Self.pages[0])?["todos"]?[0]?["rank"]?.int == 7)
  }

  @Test("The log of changes does not name a list whose element alone has changed (N4.2)")
  func log() async throws {
    let store = try Self.store()
    var changes = store.changes().makeAsyncIterator()
    try Self.update(store, 0)
    #expect(await changes.next()?.fields == [Entity("Todo", id: "1"): ["rank"]])
  }

  // MARK: - Connections

  private static let document: GraphQLDocument = """
    query ($after: String) {
      todos(first: 2, after: $after) {
        totalCount
        edges { cursor node { id rank } }
        pageInfo { startCursor endCursor hasPreviousPage hasNextPage }
      }
    }
    """
  private static let connections = [
    GraphQLOperation(document), GraphQLOperation(document, variables: ["after": "c2"]),
  ]

  private static func connection(_ numbers: [Int]) -> JSONValue {
    let edges = numbers.map { number -> JSONValue in
      [
        "__typename": "TodoEdge", "cursor": .string("c\(number)"),
        "node": ["__typename": "Todo", "id": .string("\(number)"), "rank": 1],
      ]
    }
    return [
      "todos": [
        "__typename": "TodoConnection", "totalCount": 9, "edges": .array(edges),
        "pageInfo": [
          "__typename": "PageInfo", "startCursor": .string("c\(numbers.first ?? 0)"),
          "endCursor": .string("c\(numbers.last ?? 0)"), "hasPreviousPage": false,
          "hasNextPage": true,
        ],
      ]
    ]
  }

  private static func storeOfConnections() throws -> NormalizedStore {
    let store = ConnectionTests.store()
    try store.write(connection([1, 2]), for: connections[0])
    try store.write(connection([3, 4]), for: connections[1])
    return store
  }

  /// Changes the rank of one todo of the list through one page.
  private static func update(_ store: NormalizedStore, through page: Int, at index: Int) throws {
    try store.update { transaction in
      try transaction.update(connections[page]) {
        $0["todos"]?["edges"]?[index]?["node"]?["rank"] = 7
      }
    }
  }

  @Test(
    "An update changes entities in any page of a connection, and no page (N5.1, N7)",
    arguments: [0, 1], 0..<4)
  func connections(_ page: Int, _ index: Int) throws {
    let store = try Self.storeOfConnections()
    let client = GraphQLClient([.cache(store)])
    try store.update { $0.invalidate(.field("todos")) }
    try Self.update(store, through: page, at: index)
    for operation in Self.connections {
      let todos = client.peek(operation)
      #expect(todos?.isStale == true)
      #expect(todos?.data.flatMap(ConnectionTests.summary) == "1 2 3 4> c1…c4")
      #expect(todos?.data?["todos"]?["edges"]?[index]?["node"]?["rank"]?.int == 7)
    }
    // Neither page has what belongs to the other.
    try store.update { $0.remove(.field("todos", arguments: ["first": 2, "after": "c2"])) }
    #expect(store.read(Self.connections[0]).flatMap(ConnectionTests.summary) == "1 2> c1…c2")
  }

  @Test(
    "The log of changes does not name a connection of which a node has changed (N4.2)",
    .not(.file, because: "what is read again from a file is in the log, too"), arguments: [0, 1])
  func connectionLog(_ page: Int) async throws {
    let store = try Self.storeOfConnections()
    var changes = store.changes().makeAsyncIterator()
    try Self.update(store, through: page, at: 2)
    #expect(await changes.next()?.fields == [Entity("Todo", id: "3"): ["rank"]])
  }

  @Test("A response in flight replaces a connection of which a node was changed (N5.1, N7)")
  func connectionInFlight() async throws {
    let store = try Self.storeOfConnections()
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return OperationResult(data: Self.connection([1, 5]).json)
    }
    let client = GraphQLClient([.cache(store), server])
    async let result = client.query(Self.connections[0].with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    try Self.update(store, through: 0, at: 0)
    gate.open()
    _ = await result
    let shown = store.read(Self.connections[0])?["todos"]?["edges"]
    #expect(shown?.elements.map { $0["node"]?["id"]?.string } == ["1", "5"])
    #expect(shown?[0]?["node"]?["rank"]?.int == 7)
  }

  @Test("A count of a connection can be changed, and the pages stay as they are (N5.1, N7)")
  func count() throws {
    let store = try Self.storeOfConnections()
    try store.update { transaction in
      try transaction.update(Self.connections[0]) {
        $0["todos"]?["totalCount"] = 10
        $0["todos"]?["pageInfo"]?["hasPreviousPage"] = true
      }
    }
    let shown = try #require(store.read(Self.connections[1]))
    #expect(shown["todos"]?["totalCount"]?.int == 10)
    #expect(ConnectionTests.summary(shown) == "<1 2 3 4> c1…c4")
    try store.update { $0.remove(.field("todos", arguments: ["first": 2, "after": "c2"])) }
    #expect(store.read(Self.connections[0]).flatMap(ConnectionTests.summary) == "<1 2> c1…c2")
  }
}
