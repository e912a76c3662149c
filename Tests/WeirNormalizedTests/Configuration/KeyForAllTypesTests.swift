import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Keys and groups for all types, and memberships with wrong names (N1.2, N5.4).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct KeyForAllTypesTests {
  private static let things = GraphQLOperation("{ things { code uid name } }")

  private static func write(_ things: [JSONValue], to store: NormalizedStore) throws {
    try store.write(["things": .array(things)], for: Self.things)
  }

  @Test(
    "One key, or one closure, can serve all types that have no own (N1.2)",
    arguments: [true, false])
  func allTypes(isClosure: Bool) throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.keys["*"] = isClosure ? .computed { $0["uid"]?.string } : .field("uid")
    configuration.keys["Book"] = .field("code")
    let store = StoreKind.store(configuration)
    try Self.write(
      [
        ["__typename": "Book", "code": "c", "uid": "u", "name": "a"],
        ["__typename": "Map", "code": "c", "uid": "u", "name": "b"],
      ], to: store)
    let book = try GraphQLFragment("fragment F on Book { name }")
    let map = try GraphQLFragment("fragment F on Map { name }")
    #expect(store.read(book, of: Entity("Book", id: "c"))?["name"]?.string == "a")
    #expect(store.read(map, of: Entity("Map", id: "u"))?["name"]?.string == "b")
    #expect(store.read(map, of: Entity("Map", id: "c")) == nil)
  }

  /// Configurations that make `Draft` and `Post` one group.
  private static let groups: [@Sendable (inout NormalizedCacheConfiguration) -> Void] = [
    { $0.groups = ["Draft": "Article", "Post": "Article"] },
    {
      $0.groups = ["Text": "Article"]
      $0.possibleTypes = ["Text": ["Draft", "Post"]]
    },
    { $0.groupOfType = { $0 == "Draft" || $0 == "Post" ? "Article" : nil } },
  ]

  @Test(
    "A group is declared by types, by an interface, or by a closure (N1.2)",
    arguments: groups.indices)
  func grouped(index: Int) throws {
    var configuration = NormalizedCacheConfiguration()
    Self.groups[index](&configuration)
    configuration.fields["Query.post"] = .redirecting(to: "Post", idFrom: "id")
    let store = StoreKind.store(configuration)
    let draft = GraphQLOperation("{ draft { id title } }")
    try store.write(["draft": ["__typename": "Draft", "id": "1", "title": "a"]], for: draft)
    let fragment = try GraphQLFragment("fragment T on Text { title }")
    var title = "a"
    for name in ["Draft", "Post", "Article"] {
      #expect(store.read(fragment, of: Entity(name, id: "1"))?["title"]?.string == title, "\(name)")
      title = "by \(name)"
      try store.update { transaction in
        try transaction.update(fragment, of: Entity(name, id: "1")) {
          $0["title"] = .string("by \(name)")
        }
      }
      #expect(store.read(draft)?["draft"]?["title"]?.string == title)
    }
    let post = GraphQLOperation("{ post(id: 1) { title } }")
    #expect(store.read(post)?["post"]?["title"]?.string == "by Article")
    try store.update { $0.remove(.entity(Entity("Post", id: "1"))) }
    #expect(store.read(draft) == nil)
    #expect(store.read(fragment, of: Entity("Other", id: "1")) == nil)
  }

  private static let todos = GraphQLOperation("{ todos { id text } }")
  private static let others = GraphQLOperation("{ others { id text } }")

  /// A declaration, and which of the lists `todos` and `others` become stale when a
  /// mutation returns a new entity.
  private static let declarations:
    [(declare: @Sendable (inout NormalizedCacheConfiguration) -> Void, stale: [Bool])] = [
      ({ _ in }, [true, true]),
      (
        { $0.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }] },
        [false, true]
      ),
      (
        { $0.memberships = [ListMembership(of: "Todo", in: "Query.tdos") { _, _ in true }] },
        [true, true]
      ),
      (
        { $0.memberships = [ListMembership(of: "Tood", in: "Query.todos") { _, _ in true }] },
        [true, true]
      ),
      ({ $0.mutations["add"] = .refreshing("Query.todos") }, [true, false]),
      ({ $0.mutations["add"] = .refreshing("Query.tdos") }, [true, true]),
      (
        {
          $0.possibleTypes = ["Node": ["Todo"]]
          $0.memberships = [ListMembership(of: "Node", in: "Query.todos") { _, _ in true }]
        }, [false, true]
      ),
    ]

  @Test(
    "A declaration with a wrong name does not keep lists from becoming stale (N5.4)",
    arguments: declarations.indices)
  func wrongNames(index: Int) async throws {
    let (declare, stale) = Self.declarations[index]
    var configuration = NormalizedCacheConfiguration()
    declare(&configuration)
    configuration.onDiagnostic = { _ in }
    let store = StoreKind.store(configuration)
    let todo: JSONValue = ["__typename": "Todo", "id": "1", "text": "a"]
    try store.write(["todos": [todo]], for: Self.todos)
    try store.write(["others": [todo]], for: Self.others)
    let server = ScriptedExchange { _ in
      .data(#"{"add":{"__typename":"Todo","id":"2","text":"b"}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.mutate(GraphQLOperation("mutation { add { id text } }"))
    #expect([Self.todos, Self.others].map { store.explain($0).status == .stale } == stale)
  }
}
