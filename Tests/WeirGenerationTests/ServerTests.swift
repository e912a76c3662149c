import Testing
import Weir
import WeirGeneration
import WeirNormalized
import WeirTesting

@Suite("Generated types, servers and schemas", .timeLimit(.minutes(10)))
struct ServerTests {
  @Test("A local server answers an operation with data of its type (G8)")
  func answer() async throws {
    let server = try LocalServer(schema: Fixture.schemaText()) {
      $0.answer(Posts.self) { request in
        let count = request.variables["first"]?.int ?? 1
        return .init(
          posts: (0..<count).map {
            .init(postRow: .init(id: "\($0)", title: "T", genre: .fiction), tags: [])
          })
      }
      $0.answer(Rename.self) { _ in throw GraphQLError(message: "Not allowed.") }
    }
    let client = GraphQLClient([.dedup, .documentCache, .fetch(from: server)])
    let posts = try await client.query(Posts(first: 2, withAuthor: false)).get().posts
    #expect(posts.map(\.postRow.id) == ["0", "1"])
    let renamed = await client.mutate(Rename(id: "1", title: "X"))
    #expect(renamed.error?.graphQLErrors.map(\.message) == ["Not allowed."])
  }

  @Test("A local server has samples for generated operations (G8)")
  func samples() async throws {
    let server = try LocalServer(
      schema: Fixture.schemaText(), filling: .samples(seed: 1, scalars: ["Money": [9.5]]))
    let client = GraphQLClient([.dedup, .documentCache, .fetch(from: server)])
    let posts = try await client.query(Posts(first: 2, withAuthor: true)).get().posts
    let first = try #require(posts.first)
    #expect(first.postRow.title.hasPrefix("title ") && first.byline?.author != nil)
    #expect(Blog.Genre.allCases.contains(first.postRow.genre))
    #expect(try await client.query(Search(text: "a")).get().search.isEmpty == false)
    #expect(try await client.query(Abstract()).get().node?.nodeID != nil)
    let renamed = try await client.mutate(Rename(id: "7", title: "X")).get()
    #expect(renamed.rename?.id == "7")
  }

  @Test("The generated schema knows the selected types and their objects (G9)")
  func schema() {
    #expect(Blog.schema.possibleTypes(of: "SearchResult") == ["Post", "Author", "Tag"])
    #expect(Blog.schema.possibleTypes(of: "Node") == ["Post", "Author"])
    #expect(Blog.schema.rootTypes[.query] == "Query")
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = Blog.schema
    configuration.keys["Tag"] = .field("name")
    let diagnostics = Locked<[StoreDiagnostic]>([])
    configuration.onDiagnostic = { diagnostic in diagnostics.withLock { $0.append(diagnostic) } }
    _ = NormalizedStore(configuration)
    #expect(diagnostics.withLock { $0.map(\.message) } == [])
  }

  @Test("The generated schema names all root types, whichever are selected (G9)")
  func roots() throws {
    let schema = """
      schema { query: Query mutation: Mutation }
      type Query { all: [Subscription] }
      type Mutation { cancel: Subscription }
      type Subscription { id: ID }
      """
    let text = try Generator(schema, "fragment Card on Subscription { id }").text(
      "WeirSchema.swift")
    let known = "schema{query:Query mutation:Mutation}type Subscription{id:ID}"
    #expect(text?.contains("GraphQLSchema(generated: \"\(known)\")") == true)
  }
}
