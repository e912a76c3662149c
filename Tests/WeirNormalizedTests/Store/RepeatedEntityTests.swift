import Testing
import Weir
import WeirNormalized

/// An entity that one result shows several times is decoded once (N3.5).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RepeatedEntityTests {
  /// Counts how often authors are decoded.
  struct Author: Decodable, Sendable, Equatable {
    let id: String
    let name: String

    private enum CodingKeys: CodingKey { case id, name }

    init(from decoder: any Decoder) throws {
      ReuseTests.Counter.current?.add()
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      name = try container.decode(String.self, forKey: .name)
    }
  }

  struct Posts: Decodable, Sendable {
    struct Post: Decodable, Sendable {
      let id: String
      let author: Author
      let editor: Author?
    }

    let posts: [Post]
  }

  /// The same data, decoded by its own initializers.
  struct Selected: SelectionDecodable, Sendable {
    struct Author: SelectionDecodable, Sendable, Equatable {
      let id: String
      let name: String

      init(reading fields: inout FieldReader) throws {
        ReuseTests.Counter.current?.add()
        id = try fields.read("id")
        name = try fields.read("name")
      }
    }

    struct Post: SelectionDecodable, Sendable {
      let id: String
      let author: Author
      let editor: Author?

      init(reading fields: inout FieldReader) throws {
        // Another order than in the selection.
        editor = try fields.read("editor")
        author = try fields.read("author")
        id = try fields.read("id")
      }
    }

    let posts: [Post]

    init(reading fields: inout FieldReader) throws {
      posts = try fields.read("posts")
    }
  }

  static let document = "{ posts { id author { id name } editor { id name } } }"
  static let query = Query<Posts, NoVariables>(GraphQLDocument(document))
  static let selected = Query<Selected, NoVariables>(GraphQLDocument(document))

  static func post(_ number: Int) -> JSONValue {
    [
      "__typename": "Post", "id": .string("\(number)"),
      "author": ReuseTests.person(number % 7),
      "editor": number % 3 == 0 ? .null : ReuseTests.person(number % 5),
    ]
  }

  static func store() throws -> NormalizedStore {
    let store = StoreKind.store()
    let posts = (0..<100).map { post($0) }
    try store.write(["posts": .array(posts)], for: query.operation(NoVariables()))
    return store
  }

  @Test(
    "A repeated entity is decoded once for each selection that shows it (N3.5)",
    .not(.file, because: "it tests the reuse of data in memory"))
  func decodedOnce() throws {
    let store = try Self.store()
    let counter = ReuseTests.Counter()
    try ReuseTests.Counter.$current.withValue(counter) {
      let posts = try #require(try store.read(Self.query, NoVariables())).posts
      // Seven authors, and five of them also as editors, which is another selection.
      #expect(counter.count == 12)
      for (number, post) in posts.enumerated() {
        #expect(post.id == "\(number)" && post.author.id == "\(number % 7)")
        #expect(post.author.name == "p\(number % 7)")
        #expect(post.editor?.id == (number % 3 == 0 ? nil : "\(number % 5)"))
      }
      let selected = try #require(try store.read(Self.selected, NoVariables())).posts
      #expect(counter.count == 24)
      #expect(selected.map(\.author.name) == posts.map(\.author.name))
      #expect(selected.map(\.editor?.name) == posts.map(\.editor?.name))
    }
  }

  @Test("A change of a repeated entity is shown everywhere (N3.5)")
  func changed() throws {
    let store = try Self.store()
    _ = try store.read(Self.query, NoVariables())
    let rename = GraphQLOperation("{ p { id name } }")
    for round in 0..<3 {
      let name = "a name of round \(round)"
      try store.write(["p": ReuseTests.person(3, name: name)], for: rename)
      let posts = try #require(try store.read(Self.query, NoVariables())).posts
      for post in posts {
        #expect(post.author.name == (post.author.id == "3" ? name : "p\(post.author.id)"))
        if let editor = post.editor {
          #expect(editor.name == (editor.id == "3" ? name : "p\(editor.id)"))
        }
      }
    }
  }

  @Test("Each place of a repeated entity shows all its fields, or that one is missing (N3.1)")
  func everyPlace() async throws {
    func author(_ number: Int) -> JSONValue {
      [
        "__typename": "Author", "id": .string("\(number)"),
        "name": .string(String(repeating: "n", count: number * 5)),
        "extra": ["some": [true, .null], "more": ["a": .int(Int64(number))]],
        "note": number == 2 ? .null : "note",
      ]
    }
    let store = StoreKind.store()
    let list = GraphQLOperation("{ posts { id author { id name extra note } } }")
    let authors = (0..<100).map { $0 * 3 % 7 }
    let posts = authors.enumerated().map { post -> JSONValue in
      [
        "__typename": "Post", "id": .string("\(post.offset)"),
        "author": author(post.element),
      ]
    }
    // Objects with and without others in them, and a second read, which takes over what has not changed.
    for (removed, fields) in [
      (0, "id name extra note"), (1, "id name note"), (2, "id name extra note"),
    ] {
      try store.write(["posts": .array(Array(posts.dropFirst(removed)))], for: list)
      let document = GraphQLDocument("{ posts { id author { \(fields) } } }")
      for _ in 0..<2 {
        let data = try #require(store.read(GraphQLOperation(document)))
        for (index, number) in authors.dropFirst(removed).enumerated() {
          let shown = try #require(data["posts"]?[index]?["author"])
          for field in fields.split(separator: " ") {
            #expect(shown[String(field)]?.value == author(number)[String(field)])
          }
        }
      }
    }

    try store.write(["posts": .array(posts)], for: list)
    try store.update { $0.remove(.field("name", of: Entity("Author", id: "3"))) }
    let client = GraphQLClient([.cache(store)])
    let partial = GraphQLOperation("{ posts { id author { name id } } }")
      .with { $0.allowsPartialData = true }
    let result = await client.query(partial.with(.cacheOnly))
    #expect(
      result.missingPaths
        == authors.indices.filter { authors[$0] == 3 }.map {
          [.key("posts"), .index($0), .key("author"), .key("name")]
        })
  }

  @Test("Data that cannot be decoded is an error with its path, each time (N3.5)")
  func errors() throws {
    struct Wrong: Decodable, Sendable {
      struct Post: Decodable, Sendable { let author: Author }
      struct Author: Decodable, Sendable { let name: Int }
      let posts: [Post]
    }
    let store = try Self.store()
    for _ in 0..<2 {
      let error = try #require(throws: OperationError.self) {
        try store.read(Query<Wrong, NoVariables>(GraphQLDocument(Self.document)), NoVariables())
      }
      #expect(error.code == .decoding && error.message.contains("posts[0].author.name"))
    }
  }
}
