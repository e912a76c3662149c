import TestSupport
import Testing
import WeirTesting

@testable import Weir
@testable import WeirNormalized

extension OptimisticTests {
  // MARK: - Lists (N5.3, N5.4)

  @Test("A new entity makes the lists of its type stale, and their watches refetch (N5.4)")
  func newEntity() async {
    let (client, _, server) = await Self.setUp { _ in
      .data(#"{"add":{"__typename":"Todo","id":"3","text":"c"}}"#)
    }
    var watch = client.watch(Self.todos).makeAsyncIterator()
    _ = await watch.next()
    _ = await client.mutate(GraphQLOperation("mutation { add { id text } }"))
    let stale = await watch.next()
    #expect(stale?.isStale == true)
    let fresh = await watch.next()
    #expect(fresh?.isStale == false)
    #expect(server.operations.count == 3)
  }

  /// How a mutation brings a list that holds the new entity, and whether that list is right.
  static let ownLists: [(text: String, isStored: Bool, isRight: Bool)] = [
    ("mutation { add { post { id comments { id } } } }", true, true),
    ("mutation { add { post { id comments { id } } } }", false, false),
    ("mutation { add { post { id comments { id } } } then: add { comment { id } } }", true, false),
  ]

  @Test(
    "A list that the mutation of a new entity brings is not requested again (N5.4)",
    arguments: ownLists)
  func ownList(_ example: (text: String, isStored: Bool, isRight: Bool)) async throws {
    func post(_ ids: String...) -> String {
      let comments = ids.map { #"{"__typename":"Comment","id":"\#($0)"}"# }
      return #"""
        {"post":{"__typename":"Post","id":"1","comments":[\#(comments.joined(separator: ","))]}}
        """#
    }
    let (query, added) = (post("1"), post("1", "2"))
    let server = ScriptedExchange.immediate { operation in
      guard operation.kind == .mutation else { return .data(query) }
      let add = #"{"add":{"__typename":"Added",\#(added.dropFirst().dropLast())}"#
      guard operation.text.contains("then") else { return .data(add + "}") }
      let comment = #"{"__typename":"Comment","id":"3"}"#
      return .data(add + #","then":{"__typename":"Added","comment":\#(comment)}}"#)
    }
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    let shown = GraphQLOperation("{ post { id comments { id } } }")
    let other = GraphQLOperation("{ post { id comments(first: 1) { id } } }")
    for operation in [shown, other] { _ = await client.query(operation) }
    _ = await client.mutate(
      GraphQLOperation(GraphQLDocument(example.text)).with {
        $0.storesResult = example.isStored
      })
    let result = client.peek(shown)
    #expect(result?.isStale == !example.isRight)
    let ids = result?.data?["post"]?["comments"]?.elements.map { $0["id"]?.string }
    #expect(ids == (example.isStored ? ["1", "2"] : ["1"]))
    #expect(client.peek(other)?.isStale == true)
  }

  @Test("An empty list is refetched for the additional type names of a query or mutation (N5.4)")
  func additionalTypenames() async {
    let empty = ScriptedExchange.immediate { operation in
      guard operation.kind == .mutation else { return .data(#"{"todos":[]}"#) }
      return operation.text.contains("add")
        ? .data(#"{"add":{"__typename":"Todo","id":"3"}}"#) : .data(#"{"clear":true}"#)
    }
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), empty])
    let list = GraphQLOperation("{ todos { id } }").with { $0.additionalTypenames = ["Todo"] }
    func isRefetched(after change: () async -> Void) async -> Bool {
      #expect(await client.query(list).outcome == .hit)
      await change()
      return await client.query(list).outcome == .miss
    }
    #expect(await client.query(list).outcome == .miss)
    #expect(
      await isRefetched { _ = await client.mutate(GraphQLOperation("mutation { add { id } }")) })
    let clear = GraphQLOperation("mutation { clear }")
    #expect(await !isRefetched { _ = await client.mutate(clear) })
    #expect(
      await isRefetched {
        _ = await client.mutate(clear.with { $0.additionalTypenames = ["Todo"] })
      })
    #expect(await isRefetched { client.invalidate(types: "Todo") })
  }

  /// A query, its response, and whether it is refetched after a mutation that returns a new todo.
  static let emptyLists = [
    ("{ list { id } }", #"{"list":[]}"#, true),
    ("{ list(done: true) { id } }", #"{"list":[]}"#, true),
    (
      "{ list { edges { node { id } } } }",
      #"{"list":{"__typename":"TodoConnection","edges":[]}}"#, true
    ),
    ("{ tags }", #"{"tags":[]}"#, false),
    (
      "{ post { id comments { id } } }",
      #"{"post":{"__typename":"Post","id":"1","comments":[]}}"#, false
    ),
    ("{ notes { id } }", #"{"notes":[]}"#, false),
    ("{ alerts { text } }", #"{"alerts":[]}"#, false),
  ]

  @Test(
    "A list of which nothing is known is refetched after a mutation with a new entity (N5.4)",
    .not(.file, because: "nothing says which empty lists of a storage to load"),
    arguments: emptyLists)
  func emptyList(_ query: String, _ response: String, isRefetched: Bool) async throws {
    let server = ScriptedExchange.immediate { operation in
      guard operation.kind == .mutation else { return .data(response) }
      return operation.text.contains("add")
        ? .data(#"{"add":{"__typename":"Todo","id":"3"}}"#) : .data(#"{"clear":true}"#)
    }
    let store = StoreKind.store()
    // Lists that have held notes, and objects without keys.
    try store.write(
      [
        "notes": [["__typename": "Note", "id": "1"]],
        "alerts": [["__typename": "Alert", "text": "old"]],
      ],
      for: GraphQLOperation("{ notes(all: true) { id } alerts(all: true) { text } }"))
    let client = GraphQLClient([.dedup, .cache(store), server])
    let list = GraphQLOperation(GraphQLDocument(query))
    #expect(await client.query(list).outcome == .miss)
    _ = await client.mutate(GraphQLOperation("mutation { clear }"))
    #expect(await client.query(list).outcome == .hit)
    let add = GraphQLOperation("mutation { add { id } }")
    _ = await client.mutate(add)
    #expect(await client.query(list).outcome == (isRefetched ? .miss : .hit))
    // The entity is known by now.
    _ = await client.mutate(add)
    #expect(await client.query(list).outcome == .hit)
  }

  @Test("A list is refetched for the additional type names of whoever it has answered (D3, N5.4)")
  func additionalTypenamesOfHits() async {
    let server = ScriptedExchange.immediate { operation in
      operation.kind == .mutation
        ? .data(#"{"add":{"__typename":"Todo","id":"3"}}"#) : .data(#"{"todos":[]}"#)
    }
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    let list = GraphQLOperation("{ todos { id } }")
    let add = GraphQLOperation("mutation { add { id } }")
    #expect(await client.query(list).outcome == .miss)
    let tagged = list.with { $0.additionalTypenames = ["Todo"] }
    #expect(await client.query(tagged).outcome == .hit)
    _ = await client.mutate(add)
    #expect(await client.query(list).outcome == .miss)
  }

  @Test("A list is refetched for the type names of each query that shared its request (D3, N5.4)")
  func additionalTypenamesOfSharedRequest() async {
    let gate = Gate()
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { return .data(#"{"add":{"__typename":"Todo","id":"3"}}"#) }
      await gate.pass()
      return .data(#"{"todos":[]}"#)
    }
    let dedup = DedupExchange()
    let client = GraphQLClient([dedup, .cache(StoreKind.store()), server])
    let list = GraphQLOperation("{ todos { id } }")
    async let first = client.query(list)
    await server.received(1)
    async let second = client.query(list.with { $0.additionalTypenames = ["Todo"] })
    await eventually { dedup.shareCount >= 2 }
    gate.open()
    #expect(await [first.outcome, second.outcome] == [.miss, .miss])
    _ = await client.mutate(GraphQLOperation("mutation { add { id } }"))
    #expect(await client.query(list).outcome == .miss)
    #expect(server.operations.count == 3)
  }

  @Test(
    "The schema says which types a list may contain, even if it is empty (N5.4)",
    arguments: ["Todo", "Note"])
  func declaredLists(typename: String) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(
      sdl: """
        type Query {
          todos: [Todo] found: [Item] mixed: [Item] page: Page tags: [Tag] alerts: [Alert]
        }
        type Mutation { add: Item } type Page { edges: [Edge] } type Edge { node: Item }
        union Item = Todo | Note
        type Todo { id: ID author: Author } type Note { id: ID }
        type Author { id: ID } type Tag { id: ID } type Alert { text: String }
        """)
    let store = StoreKind.store(configuration)
    let lists = GraphQLOperation(
      """
      { todos { id author { id } } found { ... on Todo { id } ... on Note { id } } tags { id }
        alerts { text } mixed { ... on Todo { id } ... on Note { id } }
        page { edges { node { ... on Todo { id } ... on Note { id } } } } }
      """)
    try store.write(
      try JSON(
        parsing: """
          {"todos":[],"found":[],"mixed":[{"__typename":"Note","id":"0"}],"tags":[],"alerts":[],"page":{"__typename":"Page","edges":[]}}
          """), for: lists)
    let client = GraphQLClient([
      .cache(store),
      ScriptedExchange.immediate { _ in
        .data(#"{"add":{"__typename":"\#(typename)","id":"1"}}"#)
      },
    ])
    _ = await client.mutate(
      GraphQLOperation("mutation { add { ... on Todo { id } ... on Note { id } } }"))
    let expired = Set(store.explain(lists).fields.map(\.description))
    let unions: Set = ["found is expired", "mixed is expired", "page.edges is expired"]
    #expect(expired == (typename == "Todo" ? unions.union(["todos is expired"]) : unions))
  }

  @Test("A membership inserts a new entity into each matching variant of a list (N5.3)")
  func membership() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [
      ListMembership(of: "Todo", in: "Query.todos") { todo, arguments in
        arguments["complete"].map { $0 == todo["complete"] } ?? true
      }
    ]
    let (client, store, server) = await Self.setUp(configuration) { _ in
      .data(#"{"add":{"__typename":"Todo","id":"3","text":"c","complete":true}}"#)
    }
    let done = GraphQLOperation("{ todos(complete: true) { id text } }")
    let open = GraphQLOperation("{ todos(complete: false) { id text } }")
    for operation in [done, open] {
      try store.write(JSONValue.object(["todos": []]).json, for: operation)
    }
    _ = await client.mutate(GraphQLOperation("mutation { add { id text complete } }"))
    #expect(Self.texts(store) == ["a", "b", "c"])
    #expect(store.read(done)?["todos"]?.count == 1)
    #expect(store.read(open)?["todos"]?.count == 0)
    #expect(server.operations.count == 2)
  }

  @Test("A deleting mutation removes the entity from its lists (N5.4)")
  func deletion() async {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    let (client, store, server) = await Self.setUp(configuration) { _ in
      .data(#"{"delete":true}"#)
    }
    _ = await client.mutate(GraphQLOperation("mutation { delete(id: 1) }"))
    #expect(Self.texts(store) == ["b"])
    #expect(server.operations.count == 2)
  }
}

extension DedupExchange {
  /// How many executions share requests.
  fileprivate var shareCount: Int { flights.withLock(\.shareCount) }
}
