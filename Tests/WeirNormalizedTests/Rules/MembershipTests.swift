import Testing
import Weir
import WeirNormalized
import WeirTesting

/// The lists that memberships and mutation policies name.
@Suite("Lists that policies name", .timeLimit(.minutes(10)), .overStorages)
struct MembershipTests {
  private static let posts = GraphQLOperation("{ posts { id } }")

  private static func ids(_ data: JSON?, _ path: String...) -> [String?]? {
    path.reduce(data) { $0?[$1] }?.elements.map { $0["id"]?.string }
  }

  @Test("An entity leaves a list that was empty before a membership put it in (N5.4, N6.1)")
  func emptyList() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Post", in: "Query.posts") { _, _ in true }]
    configuration.mutations["deletePost"] = .removing("Post", idFrom: "id")
    let store = StoreKind.store(configuration)
    let server = ScriptedExchange.immediate { operation in
      .data(
        operation.text.contains("add")
          ? #"{"addPost":{"__typename":"Post","id":"9"}}"# : #"{"deletePost":true}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    try store.write(["posts": []], for: Self.posts)
    _ = await client.mutate(GraphQLOperation("mutation { addPost { id } }"))
    #expect(Self.ids(client.peek(Self.posts)?.data, "posts") == ["9"])
    _ = await client.mutate(GraphQLOperation(#"mutation { deletePost(id: "9") }"#))
    #expect(Self.ids(client.peek(Self.posts)?.data, "posts") == [])
  }

  private static let feed = GraphQLOperation("{ feed { id ... on Feed { items { id } } } }")

  private static func storeWithFeed(
    _ change: (inout NormalizedCacheConfiguration) -> Void
  ) throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.possibleTypes["Feed"] = ["HomeFeed", "TeamFeed"]
    change(&configuration)
    let store = StoreKind.store(configuration)
    try store.write(
      [
        "feed": [
          "__typename": "HomeFeed", "id": "1", "items": [["__typename": "Post", "id": "1"]],
        ]
      ],
      for: feed)
    return store
  }

  private static let add = GraphQLOperation("mutation { addPost { id } }")
  private static let server = ScriptedExchange.immediate { _ in
    .data(#"{"addPost":{"__typename":"Post","id":"2"}}"#)
  }

  @Test("A membership in a list of an interface concerns the lists of its types (Q1, N5.4)")
  func interface() async throws {
    let store = try Self.storeWithFeed {
      $0.memberships = [ListMembership(of: "Post", in: "Feed.items") { _, _ in true }]
    }
    let client = GraphQLClient([.cache(store), Self.server])
    _ = await client.mutate(Self.add)
    #expect(Self.ids(client.peek(Self.feed)?.data, "feed", "items") == ["1", "2"])
  }

  @Test("A membership in a list of lists makes it stale (N5.3)")
  func listOfLists() async throws {
    let rows = GraphQLOperation("{ rows { id } }")
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Post", in: "Query.rows") { _, _ in true }]
    let store = StoreKind.store(configuration)
    try store.write(["rows": [[["__typename": "Post", "id": "1"]], []]], for: rows)
    let client = GraphQLClient([.cache(store), Self.server])
    _ = await client.mutate(Self.add)
    #expect(store.explain(rows).status == .stale)
    #expect(store.read(rows)?["rows"]?.elements.map(\.kind) == [.array, .array])
  }

  @Test("A mutation policy refreshes a list of an interface in all its types (Q1, N5.4)")
  func refreshed() async throws {
    let store = try Self.storeWithFeed { $0.mutations["addPost"] = .refreshing("Feed.items") }
    let client = GraphQLClient([.cache(store), Self.server])
    _ = await client.mutate(Self.add)
    #expect(store.explain(Self.feed).status == .stale)
  }

  @Test("An older response does not change the type that a newer one has named (N6.2)")
  func overtaken() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.groups = ["Draft": "Article", "Post": "Article"]
    let store = StoreKind.store(configuration)
    let first = GraphQLOperation("query First { article { id title } }")
    let second = GraphQLOperation("query Second { article { id title } }")
    let gate = Gate()
    let server = ScriptedExchange { operation in
      if operation.name == "First" { await gate.pass() }
      let (type, title) = operation.name == "First" ? ("Draft", "old") : ("Post", "new")
      return .data(#"{"article":{"__typename":"\#(type)","id":"1","title":"\#(title)"}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    async let slow = client.query(first)
    await server.received(1)
    _ = await client.query(second)
    gate.open()
    _ = await slow
    let article = store.read(GraphQLOperation("{ article { __typename title } }"))?["article"]
    #expect(article?["title"]?.string == "new" && article?["__typename"]?.string == "Post")
  }

  @Test("A list that was written as it is remains as new as it was (N5.4)")
  func unchangedWrite() async throws {
    let gate = Gate(isOpen: true)
    let data = #"{"posts":[{"__typename":"Post","id":"1"}]}"#
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .data(data)
    }
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Post", in: "Query.posts") { _, _ in true }]
    let store = StoreKind.store(configuration)
    let client = GraphQLClient([.dedup, .cache(store), server])
    let posts = GraphQLOperation("{ posts { id } }")
    _ = await client.query(posts)
    gate.close()
    async let result = client.query(posts.with { $0.requestPolicy = .networkOnly })
    await server.received(2)
    try store.write(try JSON(parsing: data), for: posts)
    gate.open()
    #expect(await result.isStale == false)
  }
}

// Lists that each object of a type has of its own.
extension MembershipTests {
  private static let threads = GraphQLOperation("{ posts { id comments { id post { id } } } }")
  private static let pages = GraphQLOperation(
    """
    { posts { id comments(first: 9) { nodes { id post { id } } pageInfo { hasNextPage } } } }
    """)
  private static let comment = GraphQLOperation("mutation { addComment { id post { id } } }")

  private static func comment(_ id: String, on post: String) -> JSONValue {
    [
      "__typename": "Comment", "id": .string(id),
      "post": ["__typename": "Post", "id": .string(post)],
    ]
  }

  private static func configuration(_ arePages: Bool) -> NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    if arePages { configuration.fields["Post.comments"] = .connection() }
    configuration.memberships = [
      ListMembership(of: "Comment", in: "Post.comments") { comment, _, post in
        guard let post, let parent = comment["post"]?["id"] else { return nil }
        return parent == .string(post.id)
      }
    ]
    return configuration
  }

  private static func posts(_ list: (JSONValue) -> JSONValue) -> JSONValue {
    [
      "posts": .array(
        ["1", "2"].map { id in
          [
            "__typename": "Post", "id": .string(id), "comments": list([comment(id, on: id)]),
          ]
        })
    ]
  }

  private static func comments(_ store: NormalizedStore) -> [[String?]?]? {
    store.read(threads)?["posts"]?.elements.map { ids($0, "comments") }
      ?? store.read(pages)?["posts"]?.elements.map { ids($0, "comments", "nodes") }
  }

  @Test(
    "A membership tells the lists of several parents apart (N5.3, N6.1)", arguments: [true, false])
  func parents(_ arePages: Bool) async throws {
    let store = StoreKind.store(Self.configuration(arePages))
    if arePages {
      try store.write(
        Self.posts {
          [
            "__typename": "CommentConnection", "nodes": $0,
            "pageInfo": ["__typename": "PageInfo", "hasNextPage": false],
          ]
        }, for: Self.pages)
    } else {
      try store.write(Self.posts { $0 }, for: Self.threads)
    }
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .data(
        #"{"addComment":{"__typename":"Comment","id":"9","post":{"__typename":"Post","id":"1"}}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    let optimistic = Self.comment.with {
      $0.optimisticData = ["addComment": Self.comment("8", on: "2")]
    }
    async let result = client.mutate(optimistic)
    await server.received(1)
    #expect(Self.comments(store) == [["1"], ["2", "8"]])
    gate.open()
    #expect(await result.error == nil)
    #expect(Self.comments(store) == [["1", "9"], ["2"]])
  }

  @Test("A membership gets nil for the root and for a parent without a key (N5.3)")
  func otherParents() async throws {
    let query = GraphQLOperation("{ comments { id } sidebar { comments { id } } }")
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = ["Query.comments", "Sidebar.comments"].map { field in
      ListMembership(of: "Comment", in: field) { _, _, parent in parent == nil }
    }
    let store = StoreKind.store(configuration)
    try store.write(
      ["comments": [], "sidebar": ["__typename": "Sidebar", "comments": []]], for: query)
    try store.update {
      try $0.write(
        ["comment": Self.comment("1", on: "1")],
        for: GraphQLOperation("{ comment { id post { id } } }"))
    }
    #expect(Self.ids(store.read(query), "comments") == ["1"])
    #expect(Self.ids(store.read(query), "sidebar", "comments") == ["1"])
  }

  @Test("An entity whose parent is not cached stays in its list, which becomes stale (N5.3)")
  func undecided() async throws {
    let query = GraphQLOperation("{ posts { id comments { id likes } } }")
    let store = StoreKind.store(Self.configuration(false))
    let comment: JSONValue = ["__typename": "Comment", "id": "1", "likes": 0]
    try store.write(
      ["posts": [["__typename": "Post", "id": "1", "comments": [comment]]]], for: query)
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"like":{"__typename":"Comment","id":"1","likes":1}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.mutate(GraphQLOperation("mutation { like { id likes } }"))
    let comments = store.read(query)?["posts"]?[0]?["comments"]
    #expect(comments?.count == 1)
    #expect(comments?[0]?["likes"]?.int == 1)
    #expect(await client.query(query.with(.cacheOnly)).isStale)
  }
}
