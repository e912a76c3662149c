import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Effects of mutations beyond their result (N5.3, N5.4, N6).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct OptimisticTests {
  static let todos = GraphQLOperation("{ todos { id text } }")
  static let rename = GraphQLOperation(
    "mutation Rename($id: ID!, $text: String!) { rename(id: $id, text: $text) { id text } }",
    variables: ["id": "1", "text": "new"])
  static let data = #"""
    {"todos":[{"__typename":"Todo","id":"1","text":"a"},{"__typename":"Todo","id":"2","text":"b"}]}
    """#
  static let renamed = #"{"rename":{"__typename":"Todo","id":"1","text":"real"}}"#

  /// A store with two todos, and a client whose mutations wait for a gate.
  static func setUp(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration(),
    gate: Gate? = nil, answer: @escaping @Sendable (GraphQLOperation) -> OperationResult
  ) async -> (GraphQLClient, NormalizedStore, ScriptedExchange) {
    let server = ScriptedExchange { operation in
      if operation.kind == .query { return .data(data) }
      if let gate { await gate.pass() }
      return answer(operation)
    }
    let store = StoreKind.store(configuration)
    let client = GraphQLClient([.dedup, .cache(store), server])
    _ = await client.query(todos)
    return (client, store, server)
  }

  static func texts(_ store: NormalizedStore) -> [String] {
    store.read(todos)?["todos"]?.elements.compactMap { $0["text"]?.string } ?? []
  }

  @Test("An optimistic result is shown at once and replaced by the real one (N6.1)")
  func optimistic() async {
    let gate = Gate()
    let (client, store, server) = await Self.setUp(gate: gate) { _ in .data(Self.renamed) }
    var watch = client.watch(Self.todos).makeAsyncIterator()
    _ = await watch.next()
    let operation = Self.rename.with {
      $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
    }
    async let mutation = client.mutate(operation)
    let shown = await watch.next()
    #expect(shown?.data?["todos"]?[0]?["text"]?.string == "guess")
    gate.open()
    let real = await watch.next()
    #expect(real?.data?["todos"]?[0]?["text"]?.string == "real")
    #expect(await mutation.error == nil)
    #expect(Self.texts(store) == ["real", "b"])
    #expect(server.operations.count == 2)
  }

  @Test("A failed mutation rolls its optimistic result back (N6.1)")
  func rollback() async {
    let gate = Gate()
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["rename"] = MutationPolicy()
    configuration.mutations["rename"]?.optimistic = { field, _ in
      ["__typename": "Todo", "id": field.arguments["id"] ?? .null, "text": "guess"]
    }
    let (client, store, server) = await Self.setUp(configuration, gate: gate) { _ in
      .failure("no")
    }
    async let mutation = client.mutate(Self.rename)
    await server.received(2)
    #expect(Self.texts(store) == ["guess", "b"])
    gate.open()
    #expect(await mutation.error != nil)
    #expect(Self.texts(store) == ["a", "b"])
  }

  @Test("A query result that arrives in the meantime lands below the optimistic result (N6.1)")
  func below() async throws {
    let gate = Gate()
    let (client, store, server) = await Self.setUp(gate: gate) { _ in .failure("no") }
    let operation = Self.rename.with {
      $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
    }
    async let mutation = client.mutate(operation)
    await server.received(2)
    try store.write(
      try JSON(parsing: #"{"todos":[{"__typename":"Todo","id":"1","text":"c"}]}"#),
      for: Self.todos)
    #expect(Self.texts(store) == ["guess"])
    gate.open()
    _ = await mutation
    #expect(Self.texts(store) == ["c"])
  }

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

  @Test(
    "The schema says which types a list may contain, even if it is empty (N5.4)",
    arguments: ["Todo", "Note"])
  func declaredLists(typename: String) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(
      sdl: """
        type Query { todos: [Todo] found: [Item] mixed: [Item] page: Page tags: [Tag] }
        type Mutation { add: Item } type Page { edges: [Edge] } type Edge { node: Item }
        union Item = Todo | Note
        type Todo { id: ID author: Author } type Note { id: ID }
        type Author { id: ID } type Tag { id: ID }
        """)
    let store = StoreKind.store(configuration)
    let lists = GraphQLOperation(
      """
      { todos { id author { id } } found { ... on Todo { id } ... on Note { id } } tags { id }
        mixed { ... on Todo { id } ... on Note { id } }
        page { edges { node { ... on Todo { id } ... on Note { id } } } } }
      """)
    try store.write(
      try JSON(
        parsing: """
          {"todos":[],"found":[],"mixed":[{"__typename":"Note","id":"0"}],"tags":[],"page":{"__typename":"Page","edges":[]}}
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

  @Test("A transaction that throws writes nothing, and a nested one is an error (N5.1, defect 6)")
  func transactions() async throws {
    let (_, store, _) = await Self.setUp { _ in .failure("no") }
    struct Mistake: Error {}
    #expect(throws: Mistake.self) {
      try store.update { transaction in
        try transaction.update(Self.todos) { data in
          data["todos"] = []
        }
        throw Mistake()
      }
    }
    #expect(Self.texts(store) == ["a", "b"])
    #expect(throws: StoreError.self) {
      try store.update { _ in try store.update { _ in } }
    }
    try store.update { transaction in
      try transaction.update(Self.todos) { data in
        guard case .array(let todos)? = data["todos"] else { return }
        data["todos"] = .array(todos.reversed())
      }
      let card = try GraphQLFragment("fragment Card on Todo { text }")
      try transaction.update(card, of: Entity("Todo", id: "1")) { $0["text"] = "z" }
    }
    #expect(Self.texts(store) == ["b", "z"])
  }

  @Test("Entities, fields, types and prefixes can be removed, with or without references (N5.2)")
  func removal() async throws {
    let (_, store, _) = await Self.setUp { _ in .failure("no") }
    try store.update { $0.remove(.entity(Entity("Todo", id: "1")), references: .removed) }
    #expect(Self.texts(store) == ["b"])
    try store.update { $0.remove(.prefix("Todo:2")) }
    #expect(store.read(Self.todos) == nil)
    try store.write(try JSON(parsing: Self.data), for: Self.todos)
    #expect(Self.texts(store) == ["a", "b"])
    try store.update { $0.remove(.field("text", of: Entity("Todo", id: "2"))) }
    #expect(store.read(Self.todos) == nil)
    #expect(store.read(GraphQLOperation("{ todos { id } }"))?["todos"]?.count == 2)
    try store.update { $0.remove(.field("todos")) }
    #expect(store.read(GraphQLOperation("{ todos { id } }")) == nil)
  }

  @Test("References are also dropped from lists of lists; removing nothing wakes no one (N5.2)")
  func removalFromNestedLists() async throws {
    let store = StoreKind.store()
    let board = GraphQLOperation("{ board { id } }")
    try store.write(
      [
        "board": [
          [["__typename": "T", "id": "1"], ["__typename": "T", "id": "2"]], nil,
          [["__typename": "T", "id": "1"]],
        ]
      ], for: board)
    try store.update { $0.remove(.entity(Entity("T", id: "1")), references: .removed) }
    #expect(store.read(board)?["board"]?.elements.map(\.count) == [1, 0, 0])
    try store.update { $0.remove(.entity(Entity("T", id: "2"))) }
    var changes = store.changes.makeAsyncIterator()
    try store.update { $0.remove(.entity(Entity("T", id: "2"))) }
    try store.write(["other": 1], for: GraphQLOperation("{ other }"))
    #expect(await changes.next()?.fields == [.query: ["other"]])
  }
}

extension JSONValue {
  /// The value as a document; `null` if it cannot be encoded.
  var json: JSON {
    let bytes = (try? canonicalBytes()) ?? Array("null".utf8)
    return (try? JSON(parsing: bytes)) ?? JSON.null
  }
}

extension JSON {
  static var null: JSON {
    do { return try JSON(parsing: "null") } catch { preconditionFailure("null is JSON") }
  }
}

/// Probable mistakes of the server or the configuration.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct DiagnosticTests {
  @Test(
    "A deleting mutation that fails removes nothing, even without an error path (N5.4)",
    arguments: [
      (#"{"delete":null}"#, [GraphQLError.PathElement.key("delete")], ["a", "b"]),
      (#"{"delete":null}"#, [], ["a", "b"]), (#"{"delete":true}"#, [], ["b"]),
      (#"{"delete":null}"#, [.key("other")], ["b"]),
    ])
  func failedDeletion(
    _ data: String, _ path: [GraphQLError.PathElement], _ texts: [String]
  ) async {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    let (client, store, _) = await OptimisticTests.setUp(configuration) { _ in
      .data(data, errors: [GraphQLError(message: "no", path: path)])
    }
    let result = await client.mutate(GraphQLOperation("mutation { delete(id: 1) }"))
    #expect(result.error != nil)
    #expect(OptimisticTests.texts(store) == texts)
  }

  @Test(
    "A deleting mutation names the entity by a string or a number of any size (N5.4)",
    arguments: [
      "1", "-1", "9223372036854775808", "12345678901234567890", "123456789012345678901234567890",
    ])
  func numbers(_ id: String) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["delete"] = .removing("Todo", idFrom: "id")
    let server = ScriptedExchange.immediate { _ in .data(#"{"delete":true}"#) }
    let delete: GraphQLDocument = "mutation Delete($id: ID!) { delete(id: $id) }"
    for operation in [
      GraphQLOperation(GraphQLDocument("mutation { delete(id: \(id)) }")),
      GraphQLOperation(GraphQLDocument("mutation { delete(id: \"\(id)\") }")),
      GraphQLOperation(delete, variables: ["id": .string(id)]),
      GraphQLOperation(delete, variables: ["id": try JSONValue(parsing: id)]),
    ] {
      // A `Double` in variables is sent with the digits that it has.
      if id.count > 20, operation.text.contains("$id") { continue }
      let store = StoreKind.store(configuration)
      let todo = #"{"__typename":"Todo","id":\#(id),"text":"a"}"#
      try store.write(try JSON(parsing: "{\"todos\":[\(todo)]}"), for: OptimisticTests.todos)
      #expect(OptimisticTests.texts(store) == ["a"])
      _ = await GraphQLClient([.cache(store), server]).mutate(operation)
      #expect(OptimisticTests.texts(store) == [], "\(operation.text)")
    }
  }

  @Test("An object without a key, and one without a type, are reported once (N1.6)")
  func diagnostics() async {
    let told = Locked<[StoreDiagnostic]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = { diagnostic in told.withLock { $0.append(diagnostic) } }
    configuration.keys["Money"] = .embedded
    let store = StoreKind.store(configuration)
    let server = ScriptedExchange { _ in
      .data(#"{"a":{"__typename":"Box","x":1},"b":{"y":2},"c":{"__typename":"Money","z":3}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    let operation = GraphQLOperation("{ a { x } b { y } c { z } }")
    for _ in 0..<3 { _ = await client.query(operation.with { $0.requestPolicy = .networkOnly }) }
    #expect(told.withLock { $0.map(\.code) } == [.noKey, .noTypename])
  }
}

extension OptimisticTests {
  @Test("When a mutation fails, its watches show the earlier data again (N6.1)")
  func watchedRollback() async {
    let gate = Gate()
    let (client, _, _) = await Self.setUp(gate: gate) { _ in .failure("no") }
    var watch = client.watch(Self.todos).makeAsyncIterator()
    _ = await watch.next()
    let operation = Self.rename.with {
      $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
    }
    async let mutation = client.mutate(operation)
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == "guess")
    gate.open()
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == "a")
    #expect(await mutation.error != nil)
  }

  @Test("A mutation of the old session stores nothing, and its optimistic result goes (C10)")
  func oldSession() async {
    let gate = Gate()
    let ended = Gate()
    let store = StoreKind.store(NormalizedCacheConfiguration())
    let server = ScriptedExchange { operation in
      if operation.kind == .query { return .data(Self.data) }
      await gate.pass()
      return .data(Self.renamed)
    }
    let whenDone = InlineExchange { operation, forward in
      guard operation.kind == .mutation else { return forward(operation) }
      return ResultStream { yield in
        await yield.all(forward(operation))
        ended.open()
      }
    }
    let client = GraphQLClient([whenDone, .cache(store), server])
    async let mutation = client.mutate(
      Self.rename.with {
        $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
      })
    await server.received(1)
    client.switchSession()
    #expect(await mutation.error?.code == .cancelled)
    _ = await client.query(Self.todos)
    gate.open()
    await ended.pass()
    #expect(Self.texts(store) == ["a", "b"])
    #expect(store.statistics.layers == 0)
  }

  @Test("An update body that writes to the store directly is an error and writes nothing (N5.1)")
  func writeWithinBody() async throws {
    let (_, store, _) = await Self.setUp { _ in .failure("no") }
    let data = try JSON(
      parsing: #"{"todos":[{"__typename":"Todo","id":"1","text":"by itself"}]}"#)
    #expect(throws: StoreError.self) {
      try store.update { transaction in
        try transaction.update(Self.todos) { $0["todos"] = [] }
        try store.write(data, for: Self.todos)
      }
    }
    #expect(Self.texts(store) == ["a", "b"])
    try store.update { try $0.write(data, for: Self.todos) }
    #expect(Self.texts(store) == ["by itself"])
  }
}
