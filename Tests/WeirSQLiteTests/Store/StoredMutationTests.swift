import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

/// Tests that a mutation affects data from an earlier run, which was not read in this one, like data
/// in memory.
@Suite("Mutations over a storage that was not read yet", .timeLimit(.minutes(10)))
struct StoredMutationTests {
  static let me = GraphQLOperation("{ me { id todos { id text } } }")
  static let feed = GraphQLOperation(
    "{ feed(first: 5) { edges { node { id text } } pageInfo { hasNextPage endCursor } } }")
  static let viewer = GraphQLOperation("{ viewer { todos { id text } } }")
  static let todos = GraphQLOperation("{ todos { id text } }")
  static let cart = GraphQLOperation("{ cart { id count } }")

  static func todo(_ id: String) -> JSONValue {
    ["__typename": "Todo", "id": .string(id), "text": .string("text \(id)")]
  }

  static let data: [(GraphQLOperation, JSONValue)] = [
    (todos, ["todos": [todo("1"), todo("2")]]),
    (me, ["me": ["__typename": "User", "id": "7", "todos": [todo("1")]]]),
    (viewer, ["viewer": ["__typename": "Viewer", "todos": [todo("1")]]]),
    (cart, ["cart": ["__typename": "Cart", "id": "1", "count": 3]]),
    (
      feed,
      [
        "feed": [
          "__typename": "Feed",
          "edges": [
            ["__typename": "Edge", "node": todo("1")], ["__typename": "Edge", "node": todo("2")],
          ],
          "pageInfo": ["__typename": "PageInfo", "hasNextPage": false, "endCursor": "c2"],
        ]
      ]
    ),
  ]

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let mutation: GraphQLDocument
    let answer: String
    /// The operations whose data is partly stale afterwards.
    let stale: Set<String>
    var hasMemberships = false
    /// The operations whose data is stale unless it was in memory, where the effect is exact.
    var staleUnlessRead: Set<String> = []
  }

  static let cases = [
    Case(
      testDescription: "a known entity changes", mutation: "mutation { rename { id text } }",
      answer: #"{"rename":{"__typename":"Todo","id":"1","text":"new"}}"#, stale: []),
    Case(
      testDescription: "a new entity makes lists of its type stale",
      mutation: "mutation { add { id text } }",
      answer: #"{"add":{"__typename":"Todo","id":"9","text":"nine"}}"#,
      stale: ["todos", "me", "viewer", "feed"]),
    Case(
      testDescription: "fields are refreshed", mutation: "mutation { checkOut }",
      answer: #"{"checkOut":true}"#, stale: ["me", "cart", "viewer"]),
    Case(
      testDescription: "a policy updates a query", mutation: "mutation { addToCart }",
      answer: #"{"addToCart":true}"#, stale: []),
    Case(
      testDescription: "an entity is removed", mutation: "mutation { deleteTodo(id: 1) }",
      answer: #"{"deleteTodo":true}"#, stale: []),
    Case(
      testDescription: "a new entity goes into lists", mutation: "mutation { add { id text } }",
      answer: #"{"add":{"__typename":"Todo","id":"9","text":"nine"}}"#, stale: [],
      hasMemberships: true, staleUnlessRead: ["me"]),
  ]

  static func configuration(_ hasMemberships: Bool) -> NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.feed"] = .connection()
    configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
    configuration.mutations["checkOut"] = .refreshing("Query.cart", "User.todos", "Viewer.todos")
    configuration.mutations["addToCart"] = MutationPolicy { _, transaction in
      try transaction.update(cart) { data in
        let count = data["cart"]?["count"]?.int ?? 0
        data["cart"]?["count"] = .int(count + 1)
      }
    }
    if hasMemberships {
      for list in ["Query.todos", "User.todos", "Query.feed", "Viewer.todos"] {
        configuration.memberships.append(ListMembership(of: "Todo", in: list) { _, _ in true })
      }
    }
    return configuration
  }

  /// Returns the data after the mutation and a restart, and whether it is fresh.
  private func left(
    _ example: Case, isRead: Bool, _ place: Place
  ) async throws -> [String: (data: JSON?, status: ReadExplanation.Status)] {
    let configuration = Self.configuration(example.hasMemberships)
    let medium = try place.medium()
    let first = medium.store(configuration)
    for (operation, data) in Self.data { try first.write(data, for: operation) }
    try await first.flush()
    let store = medium.store(configuration)
    if isRead {
      for (operation, _) in Self.data { #expect(await store.load(operation) != nil) }
    }
    let server = ScriptedExchange.immediate { _ in .data(example.answer) }
    let client = GraphQLClient([.normalizedCache(store), server])
    _ = await client.mutate(GraphQLOperation(example.mutation))
    try await store.flush()
    let next = medium.store(configuration)
    var left: [String: (data: JSON?, status: ReadExplanation.Status)] = [:]
    for (operation, data) in Self.data {
      let name = data.object?.keys.first ?? ""
      left[name] = (await next.load(operation), next.explain(operation).status)
    }
    return left
  }

  @Test(
    "A mutation affects data in the storage like data in memory (N5.3, N5.4, N9.1)",
    arguments: Place.allCases, cases)
  func mutation(_ place: Place, _ example: Case) async throws {
    let inMemory = try await left(example, isRead: true, place)
    let stored = try await left(example, isRead: false, place)
    for (name, (data, status)) in inMemory {
      #expect(status == (example.stale.contains(name) ? .stale : .complete), "\(name)")
      if example.staleUnlessRead.contains(name) {
        #expect(stored[name]?.status == .stale, "\(name)")
      } else if example.testDescription == "an entity is removed", name == "me" {
        // A list of another entity keeps its references, and is refetched.
        #expect(stored[name]?.status == .partial)
      } else {
        #expect(stored[name]?.status == status, "\(name)")
        #expect(stored[name]?.data == data, "\(name)")
      }
    }
  }

  @Test(
    "An optimistic result shows entities that are only in the storage (N6.1, N9.1)",
    arguments: Place.allCases)
  func optimisticReference(_ place: Place) async throws {
    let medium = try place.medium()
    let before = medium.store()
    try before.write(["todo": Todos.todo("1")], for: Todos.first)
    try before.write(
      ["author": ["__typename": "Author", "id": "8", "name": "Bob"]],
      for: GraphQLOperation("{ author { id name } }"))
    try await before.flush()
    let gate = Gate()
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { await gate.pass() }
      return .failure("no network")
    }
    let client = GraphQLClient([.dedup, .normalizedCache(medium.store()), server])
    var watch = client.watch(Todos.first).makeAsyncIterator()
    #expect(await watch.next()?.data?["todo"]?["author"]?["name"]?.string == "Ann")
    let assign = GraphQLOperation("mutation { assign { id author { id } } }").with {
      $0.optimisticData = [
        "assign": [
          "__typename": "Todo", "id": "1", "author": ["__typename": "Author", "id": "8"],
        ]
      ]
    }
    async let result = client.mutate(assign)
    // While the storage is asked, the former result counts as stale.
    var shown = await watch.next()
    while shown?.isStale == true, shown?.error == nil { shown = await watch.next() }
    #expect(shown?.data?["todo"]?["author"]?["name"]?.string == "Bob")
    #expect(!server.operations.contains { $0.kind == .query })
    gate.open()
    _ = await result
  }

  @Test("A policy that makes a new id each time it runs does not run again and again (N5.3, N9.1)")
  func newIDs() async throws {
    let runs = Locked(0)
    let card = try GraphQLFragment("fragment Card on Todo { id }")
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["touch"] = MutationPolicy { _, transaction in
      let run = runs.withLock { count in
        count += 1
        return count
      }
      // Without the limit, the test would not end if it failed.
      let id = "\(min(run, 100))"
      try transaction.write(
        ["__typename": "Todo", "id": .string(id)], for: card, of: Entity("Todo", id: id))
    }
    let store = NormalizedStore(configuration, storage: MemoryRecordStorage())
    let server = ScriptedExchange.immediate { _ in .data(#"{"touch":true}"#) }
    _ = await GraphQLClient([.normalizedCache(store), server]).mutate(
      GraphQLOperation("mutation { touch }"))
    #expect(runs.withLock(\.self) < 5)
  }

  @Test("An update saves only the records that it has changed, whatever their ages (N9.3)")
  func update() async throws {
    let storage = ScriptedStorage()
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive = ["Todo": .seconds(60)]
    let store = NormalizedStore(configuration, storage: storage)
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    let before = storage.saved.count
    try store.update { transaction in
      try transaction.update(Todos.all) { $0["todos"]?[1]?["text"] = "new" }
    }
    try await store.flush()
    let saved = Set(storage.saved.dropFirst(before).joined())
    #expect(saved.filter { $0.contains("Todo") }.count == 1, "\(saved)")
  }

  @Test("If the storage has lost what it had learned, its queries are stale (N9.1)")
  func lostKnowledge() async throws {
    let memory = MemoryRecordStorage()
    let first = NormalizedStore(storage: MemoryRecordStorage(sharing: memory))
    for (operation, data) in Self.data { try first.write(data, for: operation) }
    try await first.flush()
    #expect(try memory.load(["LEARNED"])[0] != nil)
    try memory.commit(RecordBatch(removedKeys: ["LEARNED"]))
    let next = NormalizedStore(storage: MemoryRecordStorage(sharing: memory))
    for (operation, _) in Self.data {
      #expect(await next.load(operation) != nil)
      #expect(next.explain(operation).status == .stale)
    }
  }
}
