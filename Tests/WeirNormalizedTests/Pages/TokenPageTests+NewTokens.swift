import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Pages by token of servers that make another token for each response, and other pages that are not as usual.
extension TokenPageTests {
  static let newTokenCases = [
    Case(
      testDescription: "the end was deleted",
      pages: [
        (nil, [1, 2], "a1"), ("a1", [3, 4], "a2"), ("a2", [5, 6], nil), (nil, [1, 2], "b1"),
        ("b1", [3, 4], nil),
      ], reads: [(nil, "1 2 3 4 -")]),
    Case(
      testDescription: "a page in the middle was deleted",
      pages: [
        (nil, [1, 2], "a1"), ("a1", [3, 4], "a2"), ("a2", [5, 6], "a3"), ("a3", [7, 8], nil),
        (nil, [1, 2], "b1"), ("b1", [3, 4], "b2"), ("b2", [7, 8], nil),
      ], reads: [(nil, "1 2 3 4 7 8 -")]),
    Case(
      testDescription: "an element was added at the end, to which the new token leads",
      pages: [
        (nil, [1, 2], "a1"), ("a1", [3, 4], "a2"), ("a2", [5, 6], nil), (nil, [1, 2], "b1"),
        ("b1", [3, 4], "b2"),
      ], reads: [(nil, "1 2 3 4 b2")]),
    Case(
      testDescription: "elements have moved by a page",
      pages: [(nil, [1, 2], "2"), ("2", [3, 4], "4"), ("4", [3, 4], "6")],
      reads: [(nil, "1 2 3 4 6")]),
    Case(
      testDescription: "the first element of a page has moved to a later one",
      pages: [(nil, [1, 2], "t2"), ("t2", [3, 4], "t4"), ("t4", [5, 3], nil)],
      reads: [(nil, "1 2 4 5 3 -")]),
    Case(
      testDescription: "the last element of a page has moved to the first one",
      pages: [
        (nil, [1, 2], "2"), ("2", [3, 4], "4"), ("4", [5, 6], "6"), (nil, [4, 1], "2"),
      ], reads: [(nil, "4 1 3 5 6 6")]),
    Case(
      testDescription: "a page has got the elements of the next one",
      pages: [
        (nil, [1, 2], "2"), ("2", [3, 4], "4"), ("4", [5, 6], "6"), (nil, [3, 4], "2"),
      ], reads: [(nil, "3 4 5 6 6")]),
    Case(
      testDescription: "all pages were requested again",
      pages: [
        (nil, [1, 2], "a1"), ("a1", [3, 4], "a2"), ("a2", [5, 6], nil), (nil, [1, 2], "b1"),
        ("b1", [3, 4], "b2"), ("b2", [5, 6, 7], nil),
      ], reads: [(nil, "1 2 3 4 5 6 7 -")]),
  ]

  @Test(
    "With other tokens for each response, the newest pages are shown (N7)", arguments: newTokenCases
  )
  func newTokens(_ example: Case) throws {
    let store = try Self.store(example.pages)
    for (token, expected) in example.reads { #expect(Self.shown(store, token) == expected) }
  }

  @Test("A larger page is right about what older pages contain (N7)")
  func otherLimits() throws {
    let larger: [(JSONValue, [Int], String?, String)] = [
      (["limit": 4], [1, 2, 5, 6], "t6", "1 2 5 6 t6"), (["limit": 40], [1, 2], nil, "1 2 -"),
    ]
    for (limit, numbers, next, expected) in larger {
      let store = try Self.store([(nil, [1, 2], "t2"), ("t2", [3, 4], "t4")])
      try store.write(Self.data(numbers, next: next), for: Self.page(nil, limit))
      #expect(Self.summary(store.read(Self.page(nil, limit))) == expected)
    }
    let store = try Self.store([("t2", [3, 4], "t4"), (nil, [1, 2], "t2")])
    try store.write(Self.data([], next: nil), for: Self.page("t2", ["limit": 5]))
    #expect(Self.shown(store) == "1 2 -")
  }

  @Test("A page whose token is neither a string nor a number is not the first one (N7)")
  func objectsAsTokens() throws {
    let store = Self.store()
    let second = GraphQLOperation(Self.query, variables: ["limit": 2, "token": ["k": 2]])
    try store.write(Self.data([1, 2], next: "t"), for: Self.page())
    try store.write(Self.data([2, 3], next: nil), for: second)
    #expect(Self.shown(store) == "1 2 3 -")
  }

  @Test("Pages whose list has another name are shown as they were requested (N7)")
  func wrongName() throws {
    let store = Self.store(.tokenPages(items: "result"))
    try store.write(Self.data([1, 2], next: "t2"), for: Self.page())
    try store.write(Self.data([3, 4], next: "t4"), for: Self.page("t2"))
    #expect(Self.shown(store) == "1 2 t2")
  }

  @Test("Invalidating the type of pages does not make one newer than the others (N7)")
  func invalidatedPages() async throws {
    let whole = Self.page(nil, ["limit": 4])
    let store = try Self.store([(nil, [1, 2], "t2")])
    try store.write(Self.data([0, 1, 3], next: nil), for: whole)
    GraphQLClient([.cache(store)], configuration: .silent).invalidate(types: "TodoConnection")
    #expect(Self.shown(store) == "0 1 3 -")
    try store.update { $0.invalidate(.type("TodoConnection")) }
    #expect(Self.shown(store) == "0 1 3 -")
  }

  @Test("A membership makes pages of objects around the entities stale, as other such lists (N5.3)")
  func wrappers() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.search"] = .tokenPages(
      items: "results", token: "cursor", argument: "after")
    configuration.memberships = [ListMembership(of: "Todo", in: "Query.search") { _, _ in true }]
    let store = StoreKind.store(configuration)
    let search = GraphQLOperation("{ search { results { score item { id } } cursor } }")
    let item: JSONValue = ["__typename": "Todo", "id": "1"]
    let results: JSONValue = [["__typename": "Hit", "score": 1, "item": item]]
    try store.write(
      ["search": ["__typename": "Hits", "results": results, "cursor": .null]], for: search)
    try store.write(
      ["add": ["__typename": "Todo", "id": "7"]], for: GraphQLOperation("mutation { add { id } }"))
    #expect(store.read(search)?["search"]?["results"]?.count == 1)
    #expect(GraphQLClient([.cache(store)], configuration: .silent).peek(search)?.isStale == true)
  }

  @Test("A token within another argument leaves open where the page begins (N5.3)")
  func tokenInInput() throws {
    var configuration = Self.configuration()
    configuration.memberships = [
      ListMembership(
        of: "Todo", in: "Query.listTodos",
        orderedBy: { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") },
        includes: { _, _ in true })
    ]
    let store = StoreKind.store(configuration)
    let document = GraphQLDocument(
      "query ($token: String) { listTodos(input: { nextToken: $token }) { items { id } nextToken } }"
    )
    let second = GraphQLOperation(document, variables: ["token": "t2"])
    try store.write(Self.data([3, 4], next: nil), for: second)
    try store.write(
      ["add": ["__typename": "Todo", "id": "0"]], for: GraphQLOperation("mutation { add { id } }"))
    #expect(Self.summary(store.read(second)) == "3 4 -")
    #expect(GraphQLClient([.cache(store)], configuration: .silent).peek(second)?.isStale == true)
  }
}
