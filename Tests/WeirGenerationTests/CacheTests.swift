import GraphQLValidation
import Testing
import Weir
import WeirGeneration
import WeirNormalized
import WeirTesting

@Suite("Generated knowledge for a normalized cache", .timeLimit(.minutes(10)))
struct CacheTests {
  private func client(
    _ configuration: NormalizedCacheConfiguration
  ) throws -> (GraphQLClient, NormalizedStore) {
    let store = NormalizedStore(configuration)
    let server = try blogServer()
    return (GraphQLClient([.dedup, .normalizedCache(store), .fetch(from: server)]), store)
  }

  @Test("The generated configuration has the schema and the keys, also those of interfaces (G9)")
  func configuration() async throws {
    var configuration = Blog.cacheConfiguration
    let diagnostics = Locked<[StoreDiagnostic]>([])
    configuration.onDiagnostic = { diagnostic in diagnostics.withLock { $0.append(diagnostic) } }
    let (client, store) = try client(configuration)
    _ = try await client.query(Search(text: "s")).get()
    let tag = try GraphQLFragment("fragment Card on Tag { name }")
    #expect(store.read(tag, of: Blog.Tag.entity("swift"))?["name"]?.string == "swift")
    #expect(!diagnostics.withLock { $0.map(\.code) }.contains(.unknownName))
    #expect(configuration.schema?.possibleTypes(of: "Node") == ["Post", "Author"])
  }

  @Test("Names that the compiler checks declare what strings declare (G9)")
  func names() throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.key(Blog.Author.self, \.id, \.name)
    configuration.key(Blog.Tag.self, \.name)
    configuration.embedded(Blog.Post.self)
    configuration[Blog.Query.self, \.posts] = .connection()
    configuration[Blog.Mutation.self, \.rename] = .refreshing(Blog.Query.self, \.posts, \.search)
    guard case .fields(["id", "name"]) = configuration.keys["Author"],
      case .fields(["name"]) = configuration.keys["Tag"],
      case .embedded = configuration.keys["Post"]
    else {
      Issue.record("\(configuration.keys)")
      return
    }
    #expect(configuration.fields.keys.sorted() == ["Query.posts"])
    #expect(configuration[Blog.Query.self, \.posts]?.pages != nil)
    #expect(configuration.mutations["rename"]?.refreshes == ["Query.posts", "Query.search"])
    configuration[Blog.Mutation.self, \.rename] = nil
    #expect(configuration[Blog.Mutation.self, \.rename] == nil)
    #expect(Blog.Post.entity("1") == Entity("Post", id: "1"))
    #expect(Blog.Post.entity("1", "2") == Entity("Post", ids: ["1", "2"]))
  }

  @Test("A mutation removes the entity that its argument identifies (G9)")
  func removing() async throws {
    var configuration = Blog.cacheConfiguration
    configuration[Blog.Mutation.self, \.rename] = .removing(Blog.Post.self, id: \.id)
    let (client, _) = try client(configuration)
    let posts = Posts(withAuthor: false)
    #expect(try await client.query(posts).get().posts.map(\.postRow.id) == ["1", "2"])
    _ = try await client.mutate(Rename(id: "1", title: "X")).get()
    #expect(client.peek(posts)?.data?.posts.map(\.postRow.id) == ["2"])
  }

  @Test("A mutation removes the entity whose key its arguments form (G9)")
  func removingByParts() async throws {
    var configuration = Blog.cacheConfiguration
    configuration.key(Blog.Post.self, \.title, \.id)
    configuration[Blog.Mutation.self, \.rename] = .removing(Blog.Post.self, id: \.title, \.id)
    let (client, _) = try client(configuration)
    let posts = Posts(withAuthor: false)
    _ = try await client.query(posts).get()
    _ = try await client.mutate(Rename(id: "1", title: "Exchanges")).get()
    #expect(client.peek(posts)?.data?.posts.map(\.postRow.id) == ["1", "2"])
    _ = try await client.mutate(Rename(id: "1", title: "Hello")).get()
    #expect(client.peek(posts)?.data?.posts.map(\.postRow.id) == ["2"])
  }

  @Test("The names for arguments do not depend on the fields that are selected (G9)")
  func argumentNames() throws {
    let schema = """
      type Query { a: Int }
      type Mutation { deleteIt(id: ID): Int DeleteIt(id: ID): Int }
      """
    for document in ["mutation M { deleteIt }", "mutation M { deleteIt DeleteIt }"] {
      let generator = Generator(
        schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
        documents: [try SourceFile(path: "a.graphql", parsing: document)],
        configuration: try GenerationConfiguration(
          parsing: #"{"normalizedCache": true}"#, path: "weir.json"))
      #expect(generator.text("WeirCache.swift")?.contains("struct deleteItArguments:") == true)
    }
  }

  @Test("A type that only an object's field has, not that of its interface, is generated (G9)")
  func narrowed() throws {
    let schema = """
      type Query { repo: Repo repository: Repository }
      interface Repo { id: ID! owner: Actor }
      type Repository implements Repo { id: ID! owner: User stars: Int }
      interface Actor { id: ID! place: Place }
      type User implements Actor { id: ID! place: City }
      interface Place { id: ID! }
      type City implements Place { id: ID! }
      """
    let query = "query A { repo { id owner { id place { id } } } repository { id stars } }"
    let generator = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: query)],
      configuration: try GenerationConfiguration(
        parsing: #"{"normalizedCache": true}"#, path: "weir.json"))
    let cache = try #require(generator.files.first { $0.name == "WeirCache.swift" }).text
    for line in [
      "FieldName<Schema.Repository, Schema.User?>", "enum User: GeneratedObject",
      "FieldName<Schema.User, Schema.City?>", "enum City: GeneratedObject",
    ] { #expect(cache.contains(line), "\(line)") }
  }
}

@Suite("Keys in the configuration and in the schema")
struct KeyTests {
  private func generator(
    _ json: String, schema: String = "",
    document: String = "query A { books { isbn } seat { row } }"
  ) throws -> Generator {
    let types = """
      type Query { books: [Book!]! seat: Seat item: Item node: Node }
      interface Node { id: ID! }
      type Book implements Node { id: ID! isbn: String! author: Author tags: [String!] }
      type Author { name(short: Boolean!): String }
      type Seat { row: String! number: Int! price: Money }
      type Money { amount: Int! }
      union Item = Book | Seat
      """
    return Generator(
      schema: [try SourceFile(path: "schema.graphqls", parsing: types + schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: document)],
      configuration: try GenerationConfiguration(parsing: json, path: "weir.json"))
  }

  /// The keys in the generated configuration, as text.
  private func keys(_ generator: Generator) throws -> [String] {
    #expect(generator.findings.filter { $0.severity == .error } == [])
    let file = try #require(generator.files.first { $0.name == "WeirCache.swift" })
    return file.text.split(separator: "\n").filter { $0.contains("configuration.keys") }
      .map { String($0.drop { $0 == " " }.dropFirst("configuration.keys".count)) }
  }

  @Test("Keys come from weir.json before the schema, and only for types that documents use (G9)")
  func sources() throws {
    let json = """
      {"normalizedCache": true,
       "keys": {"Book": "isbn", "Seat": ["row", "number"], "Money": null}}
      """
    #expect(
      try keys(generator(json)) == [
        "[\"Book\"] = .field(\"isbn\")", "[\"Seat\"] = .fields([\"row\", \"number\"])",
      ])
    let used = try generator(json, document: "query A { seat { row number price { amount } } }")
    #expect(
      try keys(used) == [
        "[\"Money\"] = .embedded", "[\"Seat\"] = .fields([\"row\", \"number\"])",
      ])
    let policy = " extend type Seat @typePolicy(keyFields: \"row number\")"
    #expect(
      try keys(generator("{\"normalizedCache\": true}", schema: policy)) == [
        "[\"Seat\"] = .fields([\"row\", \"number\"])"
      ])
    #expect(
      try keys(
        generator("{\"normalizedCache\": true, \"keys\": {\"Seat\": null}}", schema: policy)) == [
          "[\"Seat\"] = .embedded"
        ])
  }

  @Test("The key of an interface or a union is that of its objects (G9)")
  func abstract() throws {
    let json = "{\"normalizedCache\": true, \"keys\": {\"Node\": \"id\"}}"
    #expect(try keys(generator(json)) == ["[\"Book\"] = .field(\"id\")"])
    let union = "{\"normalizedCache\": true, \"keys\": {\"Item\": null, \"Book\": \"isbn\"}}"
    #expect(
      try keys(generator(union)) == ["[\"Book\"] = .field(\"isbn\")", "[\"Seat\"] = .embedded"])
  }

  @Test("Without a normalized cache nothing is generated for one (G9)")
  func none() throws {
    let file = try #require(
      generator("{\"keys\": {\"Book\": \"isbn\"}}").files.first { $0.name == "WeirCache.swift" })
    #expect(file.text.split(separator: "\n").allSatisfy { $0.hasPrefix("//") })
  }

  @Test("A selection without the key is a warning (G9)")
  func requireKey() throws {
    let json = "{\"keys\": {\"Seat\": [\"row\", \"number\"]}}"
    #expect(
      try generator(json).findings.map(\.description) == [
        "a.graphql:1:26: warning: \"Seat\" is selected without its key \"number\", so a normalized "
          + "cache cannot store it as an entity. [require-key]"
      ])
    // Without a declaration, a normalized cache uses `id`.
    #expect(
      try generator("{\"normalizedCache\": true}").findings.map(\.line) == [1])
    #expect(try generator("{}").findings == [])
  }

  @Test(
    "Without \"id\", a normalized cache uses \"_id\", so the rule for keys knows it (G9)",
    arguments: [("_id: ID!", "\"_id\""), ("_id: ID! id: ID", "\"id\"")])
  func otherKey(fields: String, key: String) throws {
    let schema = "type Query { article: Article } type Article { \(fields) title: String }"
    let findings = Generator(
      schema: [try SourceFile(path: "s.graphqls", parsing: schema)],
      documents: [try SourceFile(path: "a.graphql", parsing: "query A { article { title } }")],
      configuration: try GenerationConfiguration(
        parsing: "{\"normalizedCache\": true}", path: "weir.json")
    ).findings
    #expect(
      findings.map(\.description) == [
        "a.graphql:1:11: warning: \"Article\" is selected without its key \(key), so a normalized "
          + "cache cannot store it as an entity. [require-key]"
      ])
  }

  @Test(
    "A name that the schema does not have is an error at its place (G7)",
    arguments: [
      (
        "{\"keys\": {\"Bok\": \"isbn\"}}",
        "1:11: error: The schema has no object type, interface or union \"Bok\". Did you mean "
          + "\"Book\"?"
      ),
      (
        "{\"keys\": {\"Book\": \"isnb\"}}",
        "1:19: error: The type \"Book\" has no field \"isnb\" for its key. Did you mean \"isbn\"?"
      ),
      (
        "{\"keys\": {\"Seat\": [\"row\", \"price\"]}}",
        "1:27: error: The field \"Seat.price\" cannot be a part of a key: a key consists of fields "
          + "with one value and without arguments."
      ),
      ("{\"keys\": {\"Book\": \"tags\"}}", "1:19: error: The field \"Book.tags\" cannot"),
      ("{\"keys\": {\"Author\": \"name\"}}", "1:21: error: The field \"Author.name\" cannot"),
      ("{\"keys\": {\"Item\": \"isbn\"}}", "1:19: error: The type \"Seat\" has no field \"isbn\""),
      ("{\"scalars\": {\"Mony\": \"Int\"}}", "1:14: error: The schema has no scalar \"Mony\"."),
      (
        "{\"schemaTypes\": [\"Boook\"]}",
        "1:18: error: The schema has no type \"Boook\". Did you mean \"Book\"?"
      ),
      (
        "{\"lint\": {\"requir-key\": \"off\"}}",
        "1:11: error: Unknown rule \"requir-key\". Did you mean \"require-key\"?"
      ),
    ])
  func mistakes(_ json: String, _ message: String) throws {
    let findings = try generator(json).findings.filter { $0.severity == .error }
    #expect(findings.count == 1)
    #expect(findings.first?.description.hasPrefix("weir.json:" + message) == true, "\(findings)")
  }

  @Test("A mistake in a type policy is an error at its place (G7)")
  func policyMistake() throws {
    let policy = "\nextend type Seat @typePolicy(keyFields: \"rows\")"
    let findings = try generator("{}", schema: policy).findings.filter { $0.severity == .error }
    #expect(
      findings.map(\.description) == [
        "schema.graphqls:8:18: error: The type \"Seat\" has no field \"rows\" for its key. Did you "
          + "mean \"row\"?"
      ])
    // Another file has a directive on the type, too.
    let schema = "type Query { seat: Seat } type Seat @other { row: Int }"
    let generator = Generator(
      schema: [
        try SourceFile(path: "a.graphqls", parsing: schema),
        try SourceFile(path: "b.graphqls", parsing: "directive @other on OBJECT" + policy),
      ], documents: [], configuration: GenerationConfiguration())
    #expect(generator.errors.map { $0.prefix(18) } == ["b.graphqls:2:18: e"])
  }
}
