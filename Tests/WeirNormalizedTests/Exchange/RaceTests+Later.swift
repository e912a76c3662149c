import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Responses that arrive after those of later requests, removals and events.
extension RaceTests {
  enum Removal: CaseIterable {
    case byMutation, byMutationBelowLayer, byHand, byHandBelowLayer, byEvent, byEventBelowLayer

    var isBelowLayer: Bool {
      switch self {
      case .byMutationBelowLayer, .byHandBelowLayer, .byEventBelowLayer: true
      case .byMutation, .byHand, .byEvent: false
      }
    }
  }

  private static func deletion(
    hasMembership: Bool
  ) -> (server: HeldServer, store: NormalizedStore) {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
    if hasMembership {
      configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    }
    let store = StoreKind.store(configuration)
    return (HeldServer(store), store)
  }

  /// Removes a todo. With `isScalar`, the server says no more than that.
  private static func remove(
    _ id: String, _ removal: Removal, isScalar: Bool = true, _ server: HeldServer,
    _ store: NormalizedStore
  ) async throws {
    let selection = isScalar ? "" : "{ id }"
    let field = "deleteTodo(id: \"\(id)\") \(selection)"
    server.answer("Delete", 1, with: ["deleteTodo": isScalar ? true : item(id)])
    switch removal {
    case .byMutation, .byMutationBelowLayer:
      let mutation = GraphQLDocument("mutation Delete { \(field) }")
      _ = await server.client.mutate(GraphQLOperation(mutation))
    case .byEvent, .byEventBelowLayer:
      let event = GraphQLDocument("subscription Delete { \(field) }")
      for await _ in server.client.subscribe(GraphQLOperation(event)) {}
    case .byHand, .byHandBelowLayer:
      try store.update {
        $0.removeFromLists(Entity("Todo", id: id))
        $0.remove(.entity(Entity("Todo", id: id)))
      }
    }
  }

  @Test(
    "The result of an earlier mutation does not bring a removed entity again (N5.2, N6.2)",
    arguments: Removal.allCases, [[false, false], [false, true], [true, false], [true, true]])
  func removedSince(_ removal: Removal, flags: [Bool]) async throws {
    let (hasMembership, isScalar) = (flags[0], flags[1])
    let (server, store) = Self.deletion(hasMembership: hasMembership)
    server.answer("Todos", 1, with: Self.list("1", "2"))
    _ = await server.client.query(Self.todos)
    // The store does not have the note so far.
    let rename = GraphQLOperation("mutation Rename { rename { id text note author { id name } } }")
    let author: JSONValue = ["__typename": "User", "id": "7", "name": "Ada"]
    let renamed: JSONValue = [
      "__typename": "Todo", "id": "1", "text": "new", "note": "new", "author": author,
    ]
    async let result = server.client.mutate(
      rename.with {
        if removal.isBelowLayer { $0.optimisticData = ["rename": renamed] }
      })
    await server.received("Rename", 1)
    try await Self.remove("1", removal, isScalar: isScalar, server, store)
    func shown() -> [String]? {
      let result = server.client.peek(Self.todos)
      return result?.isStale == false ? Self.ids(result) : nil
    }
    #expect(shown() == ["2"])
    server.answer("Rename", 1, with: ["rename": renamed])
    #expect(await result.error == nil)
    #expect(shown() == ["2"])
    #expect(store.entities(ofType: "Todo") == [Entity("Todo", id: "2")])
    // The author is new, as far as the store knows.
    #expect(store.entities(ofType: "User") == [Entity("User", id: "7")])
  }

  @Test(
    "A removed entity that the store did not have is not brought by an earlier mutation (N5.2, N6.2)",
    arguments: Removal.allCases, [false, true])
  func removedUnknown(_ removal: Removal, hasMembership: Bool) async throws {
    let (server, store) = Self.deletion(hasMembership: hasMembership)
    server.answer("Todos", 1, with: Self.list("2"))
    _ = await server.client.query(Self.todos)
    // Below a layer, only that has the entity.
    let add = Self.add.with {
      if removal.isBelowLayer { $0.optimisticData = ["add": Self.item("9")] }
    }
    async let result = server.client.mutate(add)
    await server.received("Add", 1)
    try await Self.remove("9", removal, server, store)
    func shown() -> [String] { Self.ids(server.client.peek(Self.todos)) }
    #expect(shown() == ["2"])
    server.answer("Add", 1, with: ["add": Self.item("9")])
    #expect(await result.error == nil)
    #expect(shown() == ["2"])
    #expect(store.entities(ofType: "Todo") == [Entity("Todo", id: "2")])
  }

  @Test("A removed entity that a query has brought again gets an earlier mutation's data (N6.2)")
  func broughtAgain() async {
    let (server, store) = Self.deletion(hasMembership: true)
    server.answer("Todo", 1, with: ["todo": Self.item("1", "old")])
    _ = await server.client.query(Self.todo)
    let rename = GraphQLOperation("mutation Rename { rename { id text note } }")
    async let result = server.client.mutate(rename)
    await server.received("Rename", 1)
    server.answer("Delete", 1, with: ["deleteTodo": Self.item("1")])
    _ = await server.client.mutate(Self.delete)
    server.answer("Todo", 2, with: ["todo": Self.item("1", "restored")])
    _ = await server.client.query(Self.todo)
    var renamed = Self.item("1", "new")
    renamed["note"] = "new"
    server.answer("Rename", 1, with: ["rename": renamed])
    _ = await result
    let todo = store.read(GraphQLOperation("{ todo { id text note } }"))?["todo"]
    #expect(todo?["text"]?.string == "restored")
    #expect(todo?["note"]?.string == "new")
  }

  @Test("An entity that is removed again is not brought back by a mutation from in between (N6.2)")
  func removedAgain() async throws {
    let (server, store) = Self.deletion(hasMembership: true)
    server.answer("Todos", 1, with: Self.list("1", "2"))
    _ = await server.client.query(Self.todos)
    server.answer("Delete", 1, with: ["deleteTodo": Self.item("1")])
    _ = await server.client.mutate(Self.delete)
    async let restored = server.client.mutate(
      GraphQLOperation("mutation Restore { restore { id text } }"))
    await server.received("Restore", 1)
    try store.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
    server.answer("Restore", 1, with: ["restore": Self.item("1", "restored")])
    #expect(await restored.error == nil)
    #expect(store.entities(ofType: "Todo") == [Entity("Todo", id: "2")])
    #expect(Self.ids(server.client.peek(Self.todos)) == ["2"])
  }

  @Test("An overtaken response does not make newer data younger than it is (N8.1, N6.2)")
  func overtakenAge() async {
    let clock = ManualClock()
    let server = HeldServer(StoreKind.store(clock: clock), sharesRequests: false)
    async let slow = server.client.query(Self.todos)
    await server.received("Todos", 1)
    server.answer("Todos", 2, with: Self.list("2"))
    _ = await server.client.query(Self.todos.with { $0.requestPolicy = .networkOnly })
    clock.advance(by: .seconds(50))
    server.answer("Todos", 1, with: Self.list("1"))
    #expect(await Self.ids(slow) == ["2"])
    server.answer("Todos", 3, with: Self.list("3"))
    let young = Self.todos.with { $0.maximumAge = .seconds(30) }
    #expect(await Self.ids(server.client.query(young)) == ["3"])
  }
}
