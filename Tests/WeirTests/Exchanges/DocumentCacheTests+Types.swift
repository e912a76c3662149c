import Testing
import Weir
import WeirTesting

extension DocumentCacheTests {
  // MARK: - Types of a result (C2)

  @Test(
    "An empty list is invalidated by its element type once that type is known (C2)",
    arguments: ["schema", "learned before", "learned later", "unknown"])
  func emptyList(knowledge: String) async throws {
    var configuration = DocumentCacheConfiguration()
    if knowledge == "schema" {
      configuration.schema = try GraphQLSchema(
        sdl:
          "type Query { todos: [Todo!]! users: [User] } type Todo { id: ID author: User } type User { id: ID }"
      )
    }
    let cache = DocumentCacheExchange(configuration)
    let lists = Locked([#"{"todos":[]}"#])
    let full =
      #"{"todos":[{"id":"1","__typename":"Todo","author":{"id":"2","__typename":"User"}}]}"#
    let server = ScriptedExchange { operation in
      switch operation.name {
      case "Add": .data(#"{"addTodo":{"id":"1","__typename":"Todo"}}"#)
      case "Rename": .data(#"{"rename":{"id":"1","__typename":"Tag"}}"#)
      case "Other": .data(full)
      default: .data(lists.withLock { $0.popLast() ?? full })
      }
    }
    let client = GraphQLClient([DedupExchange(), cache, server])
    let other = GraphQLOperation("query Other { todos { id author { id } } }")
    let rename = GraphQLOperation("mutation Rename { rename { id } }")
    if knowledge == "learned before" { _ = await client.query(other) }
    _ = await client.query(Self.todos)
    if knowledge == "learned later" { _ = await client.query(other) }
    _ = await client.mutate(rename)
    // The type of the list is unknown, so every mutation may affect it.
    #expect((client.peek(Self.todos) == nil) == (knowledge == "unknown"))
    if knowledge == "unknown" {
      lists.withLock { $0 = [#"{"todos":[]}"#] }
      _ = await client.query(Self.todos)
    }
    _ = await client.mutate(Self.addTodo)
    #expect(client.peek(Self.todos) == nil)
  }

  @Test(
    "Fields of one key on different types keep their own types (C2)", arguments: [true, false])
  func sharedKeys(hasSchema: Bool) async throws {
    var configuration = DocumentCacheConfiguration()
    if hasSchema {
      configuration.schema = try GraphQLSchema(
        sdl: """
          type Query { owner: Owner org: Org } union Owner = User | Org
          type User { posts: [Post!]! } type Org { posts: [Post!]! members: [Member!]! }
          type Post { id: ID! } type Member { id: ID! } type Mutation { add: Member post: Post }
          """)
    }
    let owner = GraphQLOperation(
      "query Owner { owner { ... on User { all: posts { id } } ... on Org { all: members { id } } } }"
    )
    let posts = GraphQLOperation("query Posts { org { posts { id } } }")
    let (client, _) = client(
      [
        "Owner": #"{"owner":{"__typename":"Org","all":[]}}"#,
        "Posts": #"{"org":{"__typename":"Org","posts":[{"__typename":"Post","id":"1"}]}}"#,
        "Members": #"{"org":{"__typename":"Org","members":[{"__typename":"Member","id":"1"}]}}"#,
        "AddPost": #"{"post":{"__typename":"Post","id":"1"}}"#,
        "AddMember": #"{"add":{"__typename":"Member","id":"1"}}"#,
      ], cache: DocumentCacheExchange(configuration))
    _ = await client.query(posts)
    _ = await client.query(GraphQLOperation("query Members { org { members { id } } }"))
    _ = await client.query(owner)
    _ = await client.mutate(GraphQLOperation("mutation AddMember { add { id } }"))
    #expect(client.peek(owner) == nil)
    _ = await client.query(owner)
    _ = await client.mutate(GraphQLOperation("mutation AddPost { post { id } }"))
    // The schema allows the owner to be a user, and a user has posts.
    #expect((client.peek(owner) == nil) == hasSchema)
    #expect(client.peek(posts) == nil)
  }

  @Test(
    "Types of null fields, of fragments and of nested objects count for invalidation (C2)",
    arguments: [
      (
        "{ search { ... on Post { id } ... on User { id } } }",
        #"{"search":[{"id":"1","__typename":"User"}]}"#, "Post", true
      ),
      (
        "{ viewer { posts { id } } }",
        #"{"viewer":{"posts":[{"id":"1","__typename":"Post"}],"__typename":"User"}}"#, "Post", true
      ),
      (
        "{ viewer { posts { id } } }",
        #"{"viewer":{"posts":[{"id":"1","__typename":"Post"}],"__typename":"User"}}"#, "User", true
      ),
      (
        "{ viewer { posts { id } } }",
        #"{"viewer":{"posts":[{"id":"1","__typename":"Post"}],"__typename":"User"}}"#, "Tag", false
      ),
      ("{ grid { id } }", #"{"grid":[[{"id":"1","__typename":"Cell"}],[]]}"#, "Cell", true),
      (
        "{ a: user { id } b: user { id } }", #"{"a":null,"b":{"id":"1","__typename":"User"}}"#,
        "User", true
      ),
      (
        "{ settings }", #"{"settings":{"__typename":"Post","nested":[{"__typename":"Tag"}]}}"#,
        "Post", false
      ),
      ("{ viewer { id } }", #"{"viewer":null}"#, "Anything", true),
      ("{ viewer { id } }", #"{"viewer":{"id":"1"}}"#, "Anything", true),
    ])
  func types(text: String, data: String, invalidated: String, drops: Bool) async {
    let server = ScriptedExchange { operation in
      operation.kind == .query
        ? .data(data) : .data(#"{"change":{"id":"1","__typename":"\#(invalidated)"}}"#)
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    let query = GraphQLOperation(GraphQLDocument(text))
    _ = await client.query(query)
    #expect(client.peek(query) != nil)
    _ = await client.mutate(GraphQLOperation("mutation { change { id } }"))
    #expect((client.peek(query) == nil) == drops)
  }

  @Test("additionalTypenames work on queries, mutations and subscriptions; a hit adds them (C2)")
  func tags() async {
    let (client, server) = client([
      "Post": #"{"post":{"id":"1","__typename":"Post"}}"#, "Log": #"{"log":true}"#,
      "Events": #"{"event":1}"#,
    ])
    let tagged = postQuery().with { $0.additionalTypenames = ["Feed"] }
    let log = GraphQLOperation("mutation Log { log }")
    let events = GraphQLOperation("subscription Events { event }")
    for invalidating in [log, events] {
      // The result is stored without the tag, and the hit adds it.
      _ = await client.query(postQuery())
      _ = await client.query(tagged)
      _ = await client.mutate(log)
      #expect(client.peek(postQuery()) != nil)
      let operation = invalidating.with { $0.additionalTypenames = ["Feed"] }
      if operation.kind == .mutation {
        _ = await client.mutate(operation)
      } else {
        _ = await client.subscribe(operation).all()
      }
      #expect(client.peek(postQuery()) == nil)
    }
    #expect(server.operations.filter { $0.kind == .query }.count == 2)
  }
}
