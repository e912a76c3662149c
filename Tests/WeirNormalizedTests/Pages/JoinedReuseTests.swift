import TestSupport
import Testing
import Weir
import WeirNormalized

/// Unchanged elements of joined pages are neither read nor decoded again (N3.5, N7).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct JoinedReuseTests {
  typealias Counter = ReuseTests.Counter

  struct Connection: Decodable, Sendable, Equatable {
    struct Edge: Decodable, Sendable, Equatable {
      let cursor: String
      let node: Node?
    }

    struct Node: Decodable, Sendable, Equatable {
      let id: String
      let text: String

      private enum CodingKeys: CodingKey { case id, text }

      init(from decoder: any Decoder) throws {
        Counter.current?.add()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        text = try container.decode(String.self, forKey: .text)
      }
    }

    struct Information: Decodable, Sendable, Equatable {
      let hasNextPage: Bool
      let endCursor: String?
    }

    let edges: [Edge]
    let pageInfo: Information

    var ids: String { edges.map { $0.node?.id ?? "-" }.joined(separator: " ") }
  }

  struct Posts: Decodable, Sendable, Equatable {
    let posts: Connection
  }

  struct Page: Encodable, Sendable {
    let first: Int
    var after: String?
  }

  static let selection = """
    edges { cursor node { id text } } pageInfo { hasNextPage endCursor }
    """

  static let query = Query<Posts, Page>(
    GraphQLDocument(
      """
      query Posts($first: Int!, $after: String) {
        posts(first: $first, after: $after) { \(selection) }
      }
      """))

  static func edge(_ number: Int, _ text: String = "some text that is not short") -> JSONValue {
    [
      "__typename": "PostEdge", "cursor": .string("c\(number)"),
      "node": ["__typename": "Post", "id": .string("\(number)"), "text": .string(text)],
    ]
  }

  static func page(_ numbers: ClosedRange<Int>, hasNext: Bool = true) -> JSONValue {
    [
      "posts": [
        "__typename": "PostConnection", "edges": .array(numbers.map { edge($0) }),
        "pageInfo": [
          "__typename": "PageInfo", "hasNextPage": .bool(hasNext),
          "endCursor": .string("c\(numbers.upperBound)"),
        ],
      ]
    ]
  }

  /// A store with pages of 20 posts.
  static func store(
    pages: ClosedRange<Int>, _ configuration: NormalizedCacheConfiguration = .init()
  ) throws -> NormalizedStore {
    var configuration = configuration
    configuration.fields["Query.posts"] = .connection()
    let store = StoreKind.store(configuration)
    for page in pages { try write(page, to: store) }
    return store
  }

  static func write(_ number: Int, to store: NormalizedStore, hasNext: Bool = true) throws {
    let first = (number - 1) * 20 + 1
    try store.write(
      JSON(Self.page(first...(first + 19), hasNext: hasNext)),
      for: query.operation(Page(first: 20, after: number == 1 ? nil : "c\(first - 1)")))
  }

  @Test("Two runs of one list are decoded each for itself (N7)")
  func twoRuns() throws {
    struct Both: Decodable, Sendable {
      let start: Connection
      let later: Connection
    }
    let store = try Self.store(pages: 1...2)
    try Self.write(4, to: store)
    let both = Query<Both, NoVariables>(
      GraphQLDocument(
        """
        {
          start: posts(first: 20) { \(Self.selection) }
          later: posts(first: 20, after: "c60") { \(Self.selection) }
        }
        """))
    let shown = try #require(try store.read(both))
    #expect(shown.start.edges.count == 40 && shown.start.pageInfo.endCursor == "c40")
    #expect(shown.later.edges.count == 20 && shown.later.pageInfo.endCursor == "c80")
  }

  @Test(
    "Only the changed elements of joined pages are decoded again (N3.5, N7)",
    .not(.file, because: "it tests the reuse of data in memory"))
  func decodes() throws {
    let store = try Self.store(pages: 1...5)
    let counter = Counter()
    func decoded(_ change: () throws -> Void) throws -> (count: Int, shown: Connection) {
      try change()
      let before = counter.count
      let shown = try #require(try store.read(Self.query, Page(first: 20)))
      return (counter.count - before, shown.posts)
    }
    try Counter.$current.withValue(counter) {
      #expect(try decoded {}.count == 100)
      // The first element is always read, for its keys.
      let renamed = try decoded {
        try store.write(
          ["post": ["__typename": "Post", "id": "50", "text": "another text"]],
          for: GraphQLOperation("{ post { id text } }"))
      }
      #expect(renamed.count == 2 && renamed.shown.edges[49].node?.text == "another text")
      let longer = try decoded { try Self.write(6, to: store, hasNext: false) }
      #expect(longer.count == 21 && longer.shown.edges.count == 120)
      #expect(
        longer.shown.pageInfo == Connection.Information(hasNextPage: false, endCursor: "c120"))
      let shorter = try decoded {
        try store.write(
          JSON(Self.page(101...110, hasNext: false)),
          for: Self.query.operation(Page(first: 20, after: "c100")))
      }
      #expect(shorter.count <= 11 && shorter.shown.edges.count == 110)
    }
  }

  /// Comments of posts by pages of two.
  static func comments(_ post: Int, _ page: Int, _ text: String = "text") -> JSONValue {
    let edges = (0..<2).map { place -> JSONValue in
      let number = "\(post).\(page).\(place)"
      return [
        "__typename": "CommentEdge", "cursor": .string("c\(number)"),
        "node": ["__typename": "Comment", "id": .string(number), "text": .string(text)],
      ]
    }
    return [
      "__typename": "CommentConnection", "edges": .array(edges),
      "pageInfo": [
        "__typename": "PageInfo", "hasNextPage": true,
        "endCursor": .string("c\(post).\(page).1"),
      ],
    ]
  }

  static func feed(_ posts: some Sequence<Int>, name: String = "Feed") throws -> (
    operation: GraphQLOperation, data: JSON
  ) {
    let text = "query \(name) { feed { id comments(first: 2) { \(selection) } } }"
    let data: JSONValue = [
      "feed": .array(
        posts.map {
          ["__typename": "Post", "id": .string("\($0)"), "comments": comments($0, 1)]
        })
    ]
    return (GraphQLOperation(GraphQLDocument(text)), try JSON(data))
  }

  @Test(
    "Objects are copied with their keys, whichever of them show several pages (N3.5)",
    arguments: [[1], [3], [1, 2], [8], [2, 5, 7]])
  func nested(paged: [Int]) throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Post.comments"] = .connection()
    let store = StoreKind.store(configuration)
    try store.write(Self.feed(1...8).data, for: Self.feed(1...8).operation)
    for post in paged {
      let next = GraphQLDocument(
        """
        { post { id comments(first: 2, after: "c\(post).1.1") { \(Self.selection) } } }
        """)
      try store.write(
        [
          "post": [
            "__typename": "Post", "id": .string("\(post)"), "comments": Self.comments(post, 2),
          ]
        ],
        for: GraphQLOperation(next))
    }
    var round = 0
    func check() throws {
      round += 1
      let again = store.read(try Self.feed([]).operation)
      let fresh = store.read(try Self.feed([], name: "Round\(round)").operation)
      #expect(again?.value == fresh?.value, "round \(round)")
      #expect(again?["feed"]?.elements.allSatisfy { $0["comments"]?["edges"] != nil } == true)
    }
    try check()
    for post in 1...8 {
      let node: JSONValue = [
        "__typename": "Comment", "id": .string("\(post).1.1"),
        "text": .string(String(repeating: "longer ", count: post)),
      ]
      try store.write(["node": node], for: GraphQLOperation("{ node { id text } }"))
      try check()
    }
    for posts in [[3, 4, 5, 6, 7, 8], [8, 3, 4, 5, 6, 7, 1], [1, 2, 3, 4, 5, 6, 7, 8]] {
      try store.write(Self.feed(posts).data, for: Self.feed(posts).operation)
      try check()
    }
  }

  @Test(
    "Reusing joined pages and reading them again give equal results (N3.5, N7)",
    arguments: Stress.seeds(6))
  func random(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let store = try Self.store(pages: 1...3)
    let starts = [1, 41, 81]
    func document(_ round: Int) -> String {
      let lists = starts.map { start in
        let after = start == 1 ? "" : #", after: "c\#(start - 1)""#
        return "from\(start): posts(first: 20\(after)) { \(Self.selection) }"
      }
      return "query Round\(round) { \(lists.joined(separator: " ")) }"
    }
    for round in 1...StoreKind.scaled(20) {
      switch random.below(7) {
      case 0: try Self.write(1 + random.below(6), to: store, hasNext: random.chance(50))
      case 1:
        // The server's list has changed since the other pages were fetched.
        let first = 1 + random.below(100)
        try store.write(
          JSON(Self.page(first...(first + random.below(25)))),
          for: Self.query.operation(Page(first: 20, after: "c\(20 * random.below(6))")))
      case 2:
        try store.update { $0.remove(.entity(Entity("Post", id: "\(1 + random.below(100))"))) }
      case 3:
        NormalizedCacheExchange(store: store).invalidate(
          .types([random.chance(50) ? "Post" : "PostConnection"]))
      default:
        try store.write(
          JSON(["node": Self.edge(1 + random.below(100), "round \(round)")["node"] ?? .null]),
          for: GraphQLOperation("{ node { id text } }"))
      }
      // The first text is read each time, the others once.
      let again = store.read(GraphQLOperation(GraphQLDocument(document(0))))
      let fresh = store.read(GraphQLOperation(GraphQLDocument(document(round))))
      #expect(again?.bytes == fresh?.bytes, "round \(round)")
      #expect(again?.value == fresh?.value, "round \(round)")
    }
  }
}
