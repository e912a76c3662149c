import Testing
import Weir
@testable import WeirNormalized
import WeirTesting

/// The effects of ``MutationPolicy/removing(_:idFrom:)``.
@Suite("Entities that a mutation deletes", .timeLimit(.minutes(10)), .overStorages)
struct DeletedEntityTests {
  private static let todos = GraphQLOperation("{ todos { id } }")

  /// Returns the ids of the todos that are left.
  private static func rest(
    after mutation: String, _ configuration: NormalizedCacheConfiguration
  ) async throws -> [String?]? {
    let store = StoreKind.store(configuration)
    let todos = ["1", "2", "3"].map { id -> JSONValue in
      ["__typename": "Todo", "id": .string(id)]
    }
    try store.write(["todos": .array(todos)], for: Self.todos)
    let server = ScriptedExchange.immediate { _ in .data(#"{"delete":true}"#) }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.mutate(GraphQLOperation(GraphQLDocument("mutation { \(mutation) }")))
    return store.read(Self.todos)?["todos"]?.elements.map { $0["id"]?.string }
  }

  /// A mutation, the name of its argument, and the todos that are left.
  static let deletions = [
    ("delete(id: 1)", "id", ["2", "3"]),
    (#"delete(ids: ["1", 3])"#, "ids", ["2"]),
    ("delete(ids: [])", "ids", ["1", "2", "3"]),
    (#"delete(input: {id: "2"})"#, "input.id", ["1", "3"]),
    ("delete(input: {ids: [2, 3]})", "input.ids", ["1"]),
    ("delete(input: {id: null})", "input.id", ["1", "2", "3"]),
    ("delete(input: {})", "input.id", ["1", "2", "3"]),
    ("delete(input: {todoIds: [1]})", "input.todoId", ["1", "2", "3"]),
    ("delete", "id", ["1", "2", "3"]),
  ]

  @Test(
    "An argument names one entity or several, and may be within an input object (N5.4)",
    arguments: deletions)
  func arguments(_ mutation: String, _ argument: String, _ rest: [String]) async throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(
      sdl: """
        type Query { todos: [Todo] } type Todo { id: ID! }
        type Mutation { delete(id: ID, ids: [ID!], input: DeleteInput): Boolean }
        input DeleteInput { id: ID ids: [ID!] }
        """)
    configuration.onDiagnostic = told.add
    configuration.mutations["delete"] = .removing("Todo", idFrom: argument)
    #expect(try await Self.rest(after: mutation, configuration) == rest)
    #expect(told.messages == [])
  }

  @Test(
    "An argument that names nothing is reported (N5.5)",
    arguments: [
      ("delete(input: {id: 1})", "input", "an object instead of an id"),
      (#"delete(id: "")"#, "id", "an empty string instead of an id"),
      (#"delete(ids: ["1", {id: 2}])"#, "ids", "an object instead of an id"),
      ("delete(input: {items: [{id: 1}]})", "input.items.id", "a list instead of an object"),
      ("delete(id: 1)", "id.value", "a leaf instead of an object"),
      ("delete(input: {todoId: 1})", "input.todoID", "todoId instead of todoID"),
    ])
  func mistakes(_ mutation: String, _ argument: String, _ mistake: String) async throws {
    let told = Told()
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = told.add
    configuration.mutations["delete"] = .removing("Todo", idFrom: argument)
    #expect(try await Self.rest(after: mutation, configuration) == ["1", "2", "3"])
    #expect(
      told.messages == [
        "The policy for delete has changed nothing: The argument \(argument) of delete has \(mistake)."
      ])
  }

  @Test("The id of an interface is the id of an entity of any of its types (N5.4)")
  func interface() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.possibleTypes = ["Node": ["User", "Todo"]]
    configuration.mutations["delete"] = .removing("Node", idFrom: "id")
    #expect(try await Self.rest(after: "delete(id: 2)", configuration) == ["1", "3"])
  }

  // MARK: - Lists that show more than their elements

  /// The fields of a connection beside its edges, and whether a removal changes them.
  static let selections = [
    ("totalCount", true), ("pageInfo { hasNextPage }", false), ("nodes { id }", false),
  ]

  @Test(
    "A connection that shows more than its elements, such as a count, becomes stale (N5.4)",
    arguments: selections, [false, true])
  func counts(_ selection: (fields: String, isStale: Bool), isPaged: Bool) async throws {
    var configuration = NormalizedCacheConfiguration()
    if isPaged { configuration.fields["Query.todos"] = .connection() }
    var policy = MutationPolicy.removing("Todo", idFrom: "id")
    policy.optimistic = { _, _ in true }
    configuration.mutations["delete"] = policy
    let store = StoreKind.store(configuration)
    let list = GraphQLOperation(
      GraphQLDocument("{ todos(first: 3) { edges { node { id } } \(selection.fields) } }"))
    let nodes = (1...3).map { #"{"__typename":"Todo","id":"\#($0)"}"# }
    let edges = nodes.map { #"{"__typename":"TodoEdge","node":\#($0)}"# }
    let data = ConnectionTests.json(
      #"""
      {"todos":{"__typename":"TodoConnection","totalCount":3,"edges":[\#(edges.joined(separator: ","))],
      "nodes":[\#(nodes.joined(separator: ","))],
      "pageInfo":{"__typename":"PageInfo","hasNextPage":false}}}
      """#)
    _ = store.write(data, errors: [], of: list.ofAnySession, origin: WriteOrigin())
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .data(#"{"delete":true}"#)
    }
    let client = GraphQLClient([.cache(store), server], configuration: .silent)
    func ids() -> [String?]? {
      client.peek(list)?.data?["todos"]?["edges"]?.elements.map { $0["node"]?["id"]?.string }
    }
    async let result = client.mutate(GraphQLOperation("mutation { delete(id: 2) }"))
    await server.received(1)
    #expect(ids() == ["1", "3"])
    #expect(client.peek(list)?.isStale == false)
    gate.open()
    _ = await result
    #expect(ids() == ["1", "3"])
    #expect(client.peek(list)?.isStale == selection.isStale)
    // Nothing shows an entity that is in no list.
    try store.write(data, for: list)
    try store.update { $0.removeFromLists(Entity("Todo", id: "4")) }
    #expect(client.peek(list)?.isStale == false)
  }

  @Test("A connection with a count that is an element of a list makes that list stale (N5.4)")
  func countsInList() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    let store = StoreKind.store(configuration)
    let groups = GraphQLOperation("{ groups { status totalCount nodes { id } } }")
    try store.write(
      ConnectionTests.json(
        #"""
        {"groups":[{"__typename":"Group","status":"open","totalCount":2,"nodes":[
        {"__typename":"Todo","id":"1"},{"__typename":"Todo","id":"2"}]}]}
        """#), for: groups)
    let server = ScriptedExchange.immediate { _ in .data(#"{"delete":true}"#) }
    let client = GraphQLClient([.cache(store), server], configuration: .silent)
    _ = await client.mutate(GraphQLOperation("mutation { delete(id: 2) }"))
    #expect(client.peek(groups)?.isStale == true)
  }

  @Test(
    "A removal makes all pages with a count of the list stale, also if the entity has left it (N5.4)",
    arguments: ["delete(id: 3)", "move(id: 3) { id done }"])
  func countsOfOtherPages(_ mutation: String) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .connection()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    configuration.memberships = [
      ListMembership(of: "Todo", in: "Query.todos") { todo, _ in todo["done"] != true }
    ]
    let store = StoreKind.store(configuration)
    func page(_ arguments: String, _ fields: String = "totalCount") -> GraphQLOperation {
      GraphQLOperation(
        GraphQLDocument(
          "{ todos(\(arguments)) { \(fields) nodes { id } pageInfo { endCursor hasNextPage } } }"))
    }
    let pages = [
      (page("first: 2"), ["1", "2"], true), (page("first: 2, after: \"c2\""), ["3", "4"], true),
      (page("first: 2, after: \"c4\"", ""), ["5", "6"], false),
      (page("done: true"), ["7"], false),
    ]
    for (operation, ids, _) in pages {
      let nodes = ids.map { #"{"__typename":"Todo","id":"\#($0)"}"# }.joined(separator: ",")
      let data = ConnectionTests.json(
        #"""
        {"todos":{"__typename":"TodoConnection","totalCount":6,"nodes":[\#(nodes)],
        "pageInfo":{"__typename":"PageInfo","endCursor":"c\#(ids.last ?? "")","hasNextPage":true}}}
        """#)
      _ = store.write(data, errors: [], of: operation.ofAnySession, origin: WriteOrigin())
    }
    let server = ScriptedExchange.immediate { _ in
      .data(
        mutation.hasPrefix("delete")
          ? #"{"delete":true}"# : #"{"move":{"__typename":"Todo","id":"3","done":true}}"#)
    }
    let client = GraphQLClient([.cache(store), server], configuration: .silent)
    _ = await client.mutate(GraphQLOperation(GraphQLDocument("mutation { \(mutation) }")))
    let shown = client.peek(pages[0].0)?.data?["todos"]?["nodes"]?.elements
    #expect(shown?.map { $0["id"]?.string } == ["1", "2", "4", "5", "6"])
    #expect(pages.map { client.peek($0.0)?.isStale } == pages.map(\.2))
  }

  // MARK: - Objects without keys

  private static let post = GraphQLOperation(
    """
    { post { id comments { text author { id name } } likes { edges { node { id } addedBy { id } } } } }
    """)
  private static let texts = GraphQLOperation("{ post { id comments { text } } }")
  private static let likes = GraphQLOperation("{ post { id likes { edges { node { id } } } } }")

  private static func user(_ id: String) -> String {
    #"{"__typename":"User","id":"\#(id)","name":"user \#(id)"}"#
  }

  private static func like(of node: String, addedBy user: String) -> String {
    #"""
    {"__typename":"Like","node":{"__typename":"User","id":"\#(node)"},
    "addedBy":{"__typename":"User","id":"\#(user)"}}
    """#
  }

  @Test(
    "An object without a key that mentions an entity stays, and its list becomes stale (N5.3)",
    arguments: [false, true])
  func mentions(isDeleted: Bool) throws {
    let store = StoreKind.store()
    let comments = ["7", "8"].map {
      #"{"__typename":"Comment","text":"by \#($0)","author":\#(Self.user($0))}"#
    }
    let likes = [Self.like(of: "7", addedBy: "8"), Self.like(of: "8", addedBy: "7")]
    try store.write(
      ConnectionTests.json(
        #"""
        {"post":{"__typename":"Post","id":"1","comments":[\#(comments.joined(separator: ","))],
        "likes":{"__typename":"Likes","edges":[\#(likes.joined(separator: ","))]}}}
        """#), for: Self.post)
    let client = GraphQLClient([.cache(store)], configuration: .silent)
    try store.update {
      $0.removeFromLists(Entity("User", id: "7"))
      if isDeleted { $0.remove(.entity(Entity("User", id: "7"))) }
    }
    #expect((store.read(Self.post) == nil) == isDeleted)
    let texts = client.peek(Self.texts)
    #expect(
      texts?.data?["post"]?["comments"]?.elements.map { $0["text"]?.string } == ["by 7", "by 8"])
    #expect(texts?.isStale == true)
    // An edge leads to one entity, whatever else it mentions.
    let nodes = store.read(Self.likes)?["post"]?["likes"]?["edges"]?.elements
    #expect(nodes?.map { $0["node"]?["id"]?.string } == ["8"])
  }

  @Test("A list becomes stale once, however many of its objects mention the entity (N5.3)")
  func repeatedMentions() throws {
    let store = StoreKind.store()
    let comments = ["7", "7", "8", "7"].map { user -> JSONValue in
      [
        "__typename": "Comment", "author": ["__typename": "User", "id": .string(user)], "text": "t",
      ]
    }
    try store.write(
      ["comments": .array(comments)], for: GraphQLOperation("{ comments { text author { id } } }"))
    try store.update {
      $0.removeFromLists(Entity("User", id: "7"))
      #expect($0.outcome.staleFields.all.count == 1)
    }
  }
}
