import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Fields with pages whose values are not lists of objects.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct OtherPageTests {
  private static let policies: [(String, FieldPolicy)] = [
    ("connection", .connection()), ("offset", .offsetPages(offset: "skip")),
    ("closure", .pages(arguments: ["skip", "first", "after"]) { $0.existing + $0.incoming }),
  ]

  private static func store(_ policy: String) -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.items"] = policies.first { $0.0 == policy }?.1
    return StoreKind.store(configuration)
  }

  @Test(
    "Lists of scalars are shown page by page (N7)", arguments: Self.policies.map(\.0))
  func scalars(_ policy: String) throws {
    let store = Self.store(policy)
    let query: GraphQLDocument = "query ($skip: Int) { items(skip: $skip, limit: 2) }"
    let pages: [Int64: JSONValue] = [0: ["items": ["a", "b"]], 2: ["items": ["c", "d"]]]
    for (skip, data) in pages {
      try store.write(data, for: GraphQLOperation(query, variables: ["skip": .int(skip)]))
    }
    for (skip, data) in pages {
      let page = GraphQLOperation(query, variables: ["skip": .int(skip)])
      #expect(store.read(page)?.value == data)
    }
  }

  @Test("Objects around lists are shown page by page (N7)", arguments: ["offset", "closure"])
  func objects(_ policy: String) throws {
    let store = Self.store(policy)
    let query: GraphQLDocument = """
      query ($skip: Int) { items(skip: $skip, limit: 1) { total list { id } } }
      """
    func page(_ skip: Int64) -> GraphQLOperation {
      GraphQLOperation(query, variables: ["skip": .int(skip)])
    }
    for skip: Int64 in 0..<3 {
      let list: JSONValue = [["__typename": "Item", "id": .int(skip)]]
      let items: JSONValue = ["__typename": "Items", "total": 3, "list": list]
      try store.write(["items": items], for: page(skip))
    }
    for skip: Int64 in 0..<3 {
      let items = store.read(page(skip))?["items"]
      #expect(items?["list"]?.elements.map { $0["id"]?.int } == [skip])
    }
  }

  static let nested: [(FieldPolicy, first: JSONValue, second: JSONValue)] = [
    (.connection(filter: ["genre"]), ["first": 1], ["first": 1, "after": "a"]),
    (.offsetPages(filter: ["genre"]), ["offset": 0, "limit": 1], ["offset": 1, "limit": 1]),
    (
      .pages(arguments: ["number"], filter: ["genre"]) { $0.existing + $0.incoming },
      ["by": ["number": 1]], ["by": ["number": 2]]
    ),
  ]

  @Test(
    "Pages that an input object selects are not mistaken for each other (N7)", arguments: nested)
  func inputObjects(_ policy: FieldPolicy, first: JSONValue, second: JSONValue) throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.items"] = policy
    let store = StoreKind.store(configuration)
    func page(_ page: JSONValue, locale: String = "de") -> GraphQLOperation {
      GraphQLOperation(
        """
        query ($page: Page, $locale: String) {
          items(genre: "a", page: $page, locale: { language: $locale }) { id }
        }
        """, variables: ["page": page, "locale": .string(locale)])
    }
    try store.write(["items": [["__typename": "Item", "id": "1"]]], for: page(first))
    let other = page(second)
    #expect(store.read(other) == nil)
    // Any other argument that is not a filter is ignored.
    let same = store.read(page(first, locale: "en"))?["items"]
    #expect(same?.elements.map { $0["id"]?.string } == ["1"])
  }
}
