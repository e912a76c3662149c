import Testing
import Weir
import WeirNormalized
import WeirTesting

extension TokenPageTests {
  private static func server(first: JSONValue, second: JSONValue) -> ScriptedExchange {
    ScriptedExchange.immediate { operation in
      let isFirst = !operation.identity.variables.string.contains("token")
      return OperationResult(data: (isFirst ? first : second).json)
    }
  }

  @Test("A watch of the first page by token grows with pages that others load (N7)")
  func watch() async {
    let server = Self.server(
      first: Self.data([1, 2], next: "t2"), second: Self.data([3, 4], next: nil))
    let client = GraphQLClient([.dedup, .cache(Self.store()), server])
    var results = client.watch(Self.page()).makeAsyncIterator()
    #expect(await results.next().flatMap { Self.summary($0.data) } == "1 2 t2")
    async let more = client.query(Self.page("t2"))
    #expect(await results.next().flatMap { Self.summary($0.data) } == "1 2 3 4 -")
    #expect(await Self.summary(more.data) == "1 2 3 4 -")
    #expect(server.operations.count == 2)
  }

  private static let pages: [(String?, [Int], String?)] = [
    (nil, [1, 2], "t2"), ("t2", [3, 4], "t4"), ("t4", [5, 6], nil),
  ]

  @Test(
    "An entity that leaves its lists leaves the pages by token, which keep their order (N7)",
    arguments: EmptiedPageTests.removals)
  func removal(_ removed: [Int]) throws {
    let store = try Self.store(Self.pages)
    for number in removed {
      try store.update { $0.removeFromLists(Entity("Todo", id: "\(number)")) }
    }
    let rest = (1...6).filter { !removed.contains($0) }.map { "\($0)" }
    for (token, _, _) in Self.pages {
      #expect(Self.shown(store, token) == rest.joined(separator: " ") + " -")
    }
  }

  @Test(
    "An element that an update removes leaves the list of three pages by token (N7)",
    arguments: [nil, "t2", "t4"], 0..<6)
  func update(through token: String?, removing index: Int) throws {
    let store = try Self.store(Self.pages)
    try store.update { transaction in
      try transaction.update(Self.page(token)) { data in
        var items = data["listTodos"]?["items"]?.array ?? []
        items.remove(at: index)
        data["listTodos"]?["items"] = .array(items)
      }
    }
    var rest = (1...6).map { "\($0)" }
    rest.remove(at: index)
    for (token, _, _) in Self.pages {
      #expect(Self.shown(store, token) == rest.joined(separator: " ") + " -")
    }
  }

  @Test("An element that an update appends to pages by token is shown at the end (N7)")
  func appended() throws {
    let store = try Self.store(Self.pages)
    try store.update { transaction in
      try transaction.update(Self.page()) { data in
        let items = data["listTodos"]?["items"]?.array ?? []
        data["listTodos"]?["items"] = .array(items + [["__typename": "Todo", "id": "7"]])
      }
    }
    #expect(Self.shown(store) == "1 2 3 4 5 6 7 -")
  }

  @Test("Pages by token with other fields become stale when an entity leaves one of them (N5.3)")
  func counts() throws {
    let store = try Self.store(Self.pages)
    try store.update { $0.removeFromLists(Entity("Todo", id: "3")) }
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    for (token, _, _) in Self.pages { #expect(client.peek(Self.page(token))?.isStale == true) }
  }

  @Test("An update of something below pages by token leaves these alone (N7)")
  func unchanged() throws {
    let store = try Self.store(Self.pages)
    try store.update { try $0.update(Self.page()) { $0["listTodos"]?["scannedCount"] = 5 } }
    #expect(Self.shown(store) == "1 2 3 4 5 6 -")
    #expect(store.read(Self.page())?["listTodos"]?["scannedCount"]?.int == 5)
    try store.write(Self.data([1, 9], next: "t9"), for: Self.page())
    #expect(Self.shown(store) == "1 9 t9")
    #expect(Self.shown(store, "t2") == "3 4 5 6 -")
  }

  @Test("A page by token does not become newer because it becomes stale or shorter (N7)")
  func order() throws {
    let whole = Self.page(nil, ["limit": 4])
    let store = try Self.store([(nil, [1, 2], "t2")])
    try store.write(Self.data([0, 1, 3], next: nil), for: whole)
    try store.update { $0.removeFromLists(Entity("Todo", id: "2")) }
    #expect(Self.shown(store) == "0 1 3 -")
    try store.update { $0.invalidate(.type("Todo")) }
    #expect(Self.shown(store) == "0 1 3 -")
    try store.write(Self.data([1], next: "t2"), for: Self.page())
    #expect(Self.shown(store) == "1 3 -")
  }

  struct MembershipCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var fields = "items { id } nextToken"
    let added: String
    var belongs = true
    /// The two pages together, and whether each is stale.
    let shown: String
    let isStale: [Bool]
  }

  static let membershipCases = [
    MembershipCase(
      testDescription: "between two others of the first page", added: "15", shown: "1 15 2 3 4 -",
      isStale: [false, false]),
    MembershipCase(
      testDescription: "at the beginning of the list", added: "05", shown: "05 1 2 3 4 -",
      isStale: [false, false]),
    MembershipCase(
      testDescription: "between two others of the second page, after the end of the first",
      added: "35", shown: "1 2 3 35 4 -", isStale: [true, false]),
    MembershipCase(
      testDescription: "at the end of the list", added: "5", shown: "1 2 3 4 5 -",
      isStale: [true, false]),
    MembershipCase(
      testDescription: "an entity that leaves", added: "2", belongs: false, shown: "1 3 4 -",
      isStale: [false, false]),
    MembershipCase(
      testDescription: "a count changes, too", fields: "items { id } nextToken scannedCount",
      added: "15", shown: "1 15 2 3 4 -", isStale: [true, true]),
  ]

  @Test(
    "A membership changes pages by token if it can decide, or makes them stale (N5.3)",
    arguments: membershipCases)
  func membership(_ example: MembershipCase) throws {
    var configuration = Self.configuration()
    configuration.memberships = [
      ListMembership(
        of: "Todo", in: "Query.listTodos",
        orderedBy: { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") },
        includes: { todo, _ in todo["belongs"]?.bool ?? true })
    ]
    let store = StoreKind.store(configuration)
    let document = GraphQLDocument(
      "query ($token: String) { listTodos(limit: 2, nextToken: $token) { \(example.fields) } }")
    let first = GraphQLOperation(document)
    let second = GraphQLOperation(document, variables: ["token": "t2"])
    let client = GraphQLClient(
      [
        .cache(store),
        Self.server(first: Self.data([1, 2], next: "t2"), second: Self.data([3, 4], next: nil)),
      ], configuration: .silent)
    try store.write(Self.data([1, 2], next: "t2"), for: first)
    try store.write(Self.data([3, 4], next: nil), for: second)
    try store.write(
      [
        "add": [
          "__typename": "Todo", "id": .string(example.added), "belongs": .bool(example.belongs),
        ]
      ], for: GraphQLOperation("mutation { add { id belongs } }"))
    #expect(Self.summary(store.read(first)) == example.shown)
    #expect([first, second].map { client.peek($0)?.isStale } == example.isStale)
  }

  @Test("A list in another object is not taken for that of a page by token (N5.2)")
  func otherItems() async throws {
    let store = try Self.store(Self.pages)
    let order = GraphQLOperation(
      "{ order { items { id } total } listTodos(limit: 2) { nextToken } }")
    let items: JSONValue = [["__typename": "Todo", "id": "1"], ["__typename": "Todo", "id": "2"]]
    try store.write(
      [
        "order": ["__typename": "Order", "items": items, "total": 2],
        "listTodos": ["__typename": "TodoConnection", "nextToken": "t2"],
      ], for: order)
    try store.update { $0.removeFromLists(Entity("Todo", id: "2")) }
    let shown = GraphQLOperation("{ order { items { id } total } }")
    let result = GraphQLClient([.cache(store)], configuration: .silent).peek(shown)
    #expect(result?.data?["order"]?["items"]?.count == 1)
    #expect(result?.isStale == false)
  }
}
