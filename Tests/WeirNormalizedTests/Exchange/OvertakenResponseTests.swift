import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Responses that were superseded in flight", .timeLimit(.minutes(10)), .overStorages)
struct OvertakenResponseTests {
  struct Event: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether the event affects lists whose element type is unknown.
    let concernsEmptyLists: Bool
    /// Whether it names the type of the elements: that affects lists that have held it.
    let namesType: Bool
    let happen: @Sendable (GraphQLClient, NormalizedStore) async throws -> Void

    init(
      _ description: String, concernsEmptyLists: Bool = true, namesType: Bool = false,
      _ happen: @escaping @Sendable (GraphQLClient, NormalizedStore) async throws -> Void
    ) {
      testDescription = description
      self.concernsEmptyLists = concernsEmptyLists
      self.namesType = namesType
      self.happen = happen
    }

    static func mutation(
      _ description: String, _ text: String, concernsEmptyLists: Bool = true,
      _ change: @escaping @Sendable (inout OperationContext) -> Void = { _ in }
    ) -> Event {
      Event(description, concernsEmptyLists: concernsEmptyLists) { client, _ in
        _ = await client.mutate(GraphQLOperation(GraphQLDocument(text)).with(change))
      }
    }
  }

  static let todos = GraphQLOperation("query Todos { todos { id text } }")

  static let events = [
    Event.mutation("a mutation returns a new entity", "mutation { addTodo { id text } }"),
    .mutation(
      "a mutation returns an entity that belongs in a list", "mutation { addPost { id text } }"),
    .mutation(
      "a mutation removes one", "mutation { deleteTodo(id: \"1\") }", concernsEmptyLists: false),
    .mutation("a mutation refreshes the list", "mutation { touch }"),
    .mutation("a mutation names its types", "mutation { other }") {
      $0.additionalTypenames = ["Todo"]
    },
    Event("an entity is removed by hand", concernsEmptyLists: false) { _, store in
      try store.update { $0.remove(.entity(Entity("Todo", id: "1")), references: .removed) }
    },
    Event("a type is removed by hand", concernsEmptyLists: false, namesType: true) { _, store in
      try store.update { $0.remove(.type("Todo")) }
    },
    Event("a prefix is removed by hand", concernsEmptyLists: false) { _, store in
      try store.update { $0.remove(.prefix("Todo:")) }
    },
    Event("the field is invalidated by hand") { _, store in
      try store.update { $0.invalidate(.field("todos")) }
    },
    Event("the operation is invalidated") { client, _ in client.invalidate(todos) },
    Event("the type is invalidated", concernsEmptyLists: false, namesType: true) { client, _ in
      client.invalidate(types: "Todo")
    },
    Event("the type is invalidated by hand", concernsEmptyLists: false, namesType: true) {
      _, store in
      try store.update { $0.invalidate(.type("Todo")) }
    },
  ]

  private static func list(_ typename: String, _ ids: String...) -> JSONValue {
    .array(ids.map { ["__typename": .string(typename), "id": .string($0), "text": "x"] })
  }

  private static func store() -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
    configuration.mutations["touch"] = .refreshing("Query.todos")
    configuration.memberships.append(
      ListMembership(of: "Post", in: "Query.todos") { _, _ in true })
    return StoreKind.store(configuration)
  }

  private static func answer(to mutation: String) -> OperationResult {
    let entity = #"{"__typename":"TYPE","id":"9","text":"y"}"#
    if mutation.contains("addTodo") {
      return .data(#"{"addTodo":\#(entity.replacing("TYPE", with: "Todo"))}"#)
    }
    if mutation.contains("addPost") {
      return .data(#"{"addPost":\#(entity.replacing("TYPE", with: "Post"))}"#)
    }
    return .data(#"{"deleteTodo":true,"touch":true,"other":true}"#)
  }

  @Test(
    "A superseded first response is stale, and is requested once more (C5, N6.2)",
    arguments: events, [nil, "others", "empty", "empty, and others"])
  func firstLoad(_ event: Event, before: String?) async throws {
    let store = Self.store()
    if before == "others" {
      try store.write(
        ["others": Self.list("Todo", "1", "2")], for: GraphQLOperation("{ others { id text } }"))
    } else if before == "empty, and others" {
      try store.write(
        ["todos": Self.list("Todo", "1")],
        for: GraphQLOperation("{ todos(done: true) { id text } }"))
    }
    let isEmpty = before?.hasPrefix("empty") == true
    let gate = Gate()
    let requests = Locked(0)
    let old: JSONValue = ["todos": isEmpty ? [] : Self.list("Todo", "1", "2")]
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else { return Self.answer(to: operation.text) }
      let number = requests.withLock { count in
        count += 1
        return count
      }
      if number == 1 {
        await gate.pass()
        return OperationResult(data: try? JSON(parsing: old.canonicalBytes()))
      }
      let new: JSONValue = ["todos": Self.list("Todo", "SECOND")]
      return OperationResult(data: try? JSON(parsing: new.canonicalBytes()))
    }
    let client = GraphQLClient([.dedup, .cache(store), server])
    async let result = client.query(Self.todos)
    await server.received(1)
    try await event.happen(client, store)
    gate.open()
    let isOvertaken =
      !isEmpty || event.concernsEmptyLists || event.namesType && before != "empty"
    let expected = isOvertaken ? ["SECOND"] : []
    #expect(await result.data?["todos"]?.elements.map { $0["id"]?.string } == expected)
    #expect(requests.withLock { $0 } == (isOvertaken ? 2 : 1))
  }

  /// A query, its response from before the mutation, and whether a membership decides about another list.
  static let emptyLists = [
    ("{ todos { nodes { id } } }", #"{"todos":{"__typename":"Todos","nodes":[]}}"#, false),
    ("{ archived { id } }", #"{"archived":[]}"#, true),
    ("{ archived { nodes { id } } }", #"{"archived":{"__typename":"Todos","nodes":[]}}"#, true),
  ]

  @Test(
    "An empty list or connection in flight is requested once more after a new entity (N5.4, N6.2)",
    arguments: emptyLists)
  func emptyList(_ query: String, _ response: String, hasMembership: Bool) async throws {
    var configuration = NormalizedCacheConfiguration()
    if hasMembership {
      configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    }
    let gate = Gate()
    let server = ScriptedExchange { operation in
      guard operation.kind == .query else {
        return .data(#"{"add":{"__typename":"Todo","id":"9"}}"#)
      }
      await gate.pass()
      return .data(response)
    }
    let store = StoreKind.store(configuration)
    if hasMembership { try store.write(["todos": Self.list("Todo", "1")], for: Self.todos) }
    let client = GraphQLClient([.cache(store), server])
    async let result = client.query(GraphQLOperation(GraphQLDocument(query)))
    await server.received(1)
    _ = await client.mutate(GraphQLOperation("mutation { add { id } }"))
    gate.open()
    _ = await result
    #expect(server.operations.filter { $0.kind == .query }.count == 2)
  }

  @Test("After a failed refetch, a watch shows others' changes beside the error (N4.2)")
  func failedRefetch() async throws {
    let store = StoreKind.store()
    try store.write(["todos": Self.list("Todo", "1", "2")], for: Self.todos)
    let server = ScriptedExchange.immediate { operation in
      operation.kind == .query
        ? .failure("offline")
        : .data(#"{"rename":{"__typename":"Todo","id":"2","text":"by mutation"}}"#)
    }
    let client = GraphQLClient([.dedup, .cache(store), server])
    var watch = client.watch(Self.todos).makeAsyncIterator()
    func text(_ result: OperationResult?, _ index: Int) -> String? {
      result?.data?["todos"]?[index]?["text"]?.string
    }
    #expect(text(await watch.next(), 0) == "x")
    client.invalidate(types: "Todo")
    let failed = await reach({ await watch.next() }, until: { $0.error != nil })
    #expect(text(failed, 0) == "x")
    let card = try GraphQLFragment("fragment Card on Todo { text }")
    async let byHand = watch.next()
    try store.update { transaction in
      try transaction.update(card, of: Entity("Todo", id: "1")) { $0["text"] = "by hand" }
    }
    let changed = await byHand
    #expect(text(changed, 0) == "by hand")
    #expect(changed?.error != nil)
    async let next = watch.next()
    _ = await client.mutate(GraphQLOperation("mutation { rename { id text } }"))
    #expect(text(await next, 1) == "by mutation")
  }

  private static let note = GraphQLOperation("{ todo { id text note } }")
  private static let missing: [[GraphQLError.PathElement]] = [[.key("todo"), .key("note")]]

  private static func partialStore() throws -> NormalizedStore {
    let store = StoreKind.store()
    try store.write(
      ["todo": ["__typename": "Todo", "id": "1", "text": "a"]],
      for: GraphQLOperation("{ todo { id text } }"))
    return store
  }

  @Test(
    "Missing paths are also reported beside an error (N3.1)",
    arguments: [RequestPolicy.cacheAndNetwork, .networkFirst])
  func missingBesideError(_ policy: RequestPolicy) async throws {
    let client = GraphQLClient([
      .cache(try Self.partialStore()), ScriptedExchange.immediate { _ in .failure("offline") },
    ])
    let result = await client.query(
      Self.note.with {
        $0.requestPolicy = policy
        $0.allowsPartialData = true
      })
    #expect(result.data?["todo"]?["text"]?.string == "a")
    #expect(result.error != nil)
    #expect(result.outcome == .partial)
    #expect(result.missingPaths == Self.missing)
  }

  @Test("A watch reports when a missing field becomes known to be null (N3.1)")
  func missingBecomesNull() async throws {
    let store = try Self.partialStore()
    let client = GraphQLClient([
      .cache(store), ScriptedExchange.immediate { _ in .failure("offline") },
    ])
    var watch = client.watch(
      Self.note.with {
        $0.requestPolicy = .cacheOnly
        $0.allowsPartialData = true
      }
    ).makeAsyncIterator()
    #expect(await watch.next()?.missingPaths == Self.missing)
    async let next = watch.next()
    try store.write(
      ["todo": ["__typename": "Todo", "id": "1", "text": "a", "note": nil]], for: Self.note)
    let known = await next
    #expect(known?.missingPaths.isEmpty == true)
    #expect(known?.outcome == .hit)
  }
}
