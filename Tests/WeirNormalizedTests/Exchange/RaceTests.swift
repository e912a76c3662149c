import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Responses that arrive in an unfortunate order.
@Suite("Responses that supersede each other", .timeLimit(.minutes(10)), .overStorages)
struct RaceTests {
  static let todos = GraphQLOperation("query Todos { todos { id text } }")
  static let todo = GraphQLOperation("query Todo { todo { id text } }")
  static let others = GraphQLOperation("query Others { others { id text } }")
  static let rename = GraphQLOperation("mutation Rename { rename { id text } }")
  static let add = GraphQLOperation("mutation Add { add { id text } }")
  static let delete = GraphQLOperation("mutation Delete { deleteTodo(id: \"1\") { id } }")

  static func item(_ id: String, _ text: String = "text") -> JSONValue {
    ["__typename": "Todo", "id": .string(id), "text": .string(text)]
  }

  static func list(_ ids: String...) -> JSONValue {
    ["todos": .array(ids.map { item($0) })]
  }

  static func ids(_ result: OperationResult?) -> [String] {
    result?.data?["todos"]?.elements.compactMap { $0["id"]?.string } ?? []
  }

  @Test("A response that is superseded each time does not end the watch (C5, W4)")
  func overtakenTwice() async {
    let server = HeldServer(StoreKind.store())
    var watch = server.client.watch(Self.todos).makeAsyncIterator()
    server.answer("Todos", 1, with: Self.list("1"))
    #expect(await Self.ids(watch.next()) == ["1"])
    server.client.invalidate(types: "Todo")
    #expect(await watch.next()?.isStale == true)
    // Each execution requests twice.
    for number in 2...3 {
      await server.received("Todos", number)
      server.client.invalidate(types: "Todo")
      server.answer("Todos", number, with: Self.list("1", "\(number)"))
      #expect(await watch.next()?.isStale == true)
    }
    server.answer("Todos", 4, with: Self.list("1", "4"))
    let last = await watch.next()
    #expect(Self.ids(last) == ["1", "4"])
    #expect(last?.isStale == false)
  }

  @Test("A stale list that a mutation shortens during its refetch is refetched once more (C5)")
  func shortenedWhileStale() async {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
    let server = HeldServer(StoreKind.store(configuration))
    var watch = server.client.watch(Self.todos).makeAsyncIterator()
    server.answer("Todos", 1, with: Self.list("1", "2"))
    _ = await watch.next()
    server.client.invalidate(types: "Todo")
    #expect(await watch.next()?.isStale == true)
    // The execution's second request, after which it sends no more.
    await server.received("Todos", 2)
    server.client.invalidate(types: "Todo")
    server.answer("Todos", 2, with: Self.list("1", "2", "3"))
    #expect(await watch.next()?.isStale == true)
    await server.received("Todos", 3)
    server.answer("Delete", 1, with: ["deleteTodo": Self.item("1")])
    _ = await server.client.mutate(Self.delete)
    server.answer("Todos", 3, with: Self.list("2", "3"))
    server.answer("Todos", 4, with: Self.list("2", "3"))
    var last = await watch.next()
    while last?.isStale == true { last = await watch.next() }
    #expect(Self.ids(last) == ["2", "3"])
  }

  @Test("A late response replaces only what was written before its request was sent (C5)")
  func manyWrites() async throws {
    let store = StoreKind.store()
    let server = HeldServer(store)
    let client = server.client
    let slow = GraphQLOperation("mutation Slow { slow { id text color note } }")
    let paint = GraphQLOperation("mutation Paint { paint { id color } }")
    let list = GraphQLOperation("query Todos { todos { id text color note } }")
    func todo(_ text: String) -> JSONValue {
      [
        "__typename": "Todo", "id": "1", "text": .string(text), "color": .string(text),
        "note": .string(text),
      ]
    }
    let painted: JSONValue = ["__typename": "Todo", "id": "1", "color": "painted"]
    async let slowest = client.mutate(slow)
    await server.received("Slow", 1)
    for number in 1...40 {
      server.answer("Rename", number, with: ["rename": Self.item("1", "renamed")])
      _ = await client.mutate(Self.rename)
    }
    async let listed = client.query(list)
    await server.received("Todos", 1)
    for number in 1...40 {
      server.answer("Paint", number, with: ["paint": painted])
      _ = await client.mutate(paint)
    }
    // The query was sent after the todo was renamed, and before it was painted.
    server.answer("Todos", 1, with: ["todos": [todo("listed")]])
    _ = await listed
    func shown() -> [String?] {
      let todo = store.read(list)?["todos"]?[0]
      return ["text", "color", "note"].map { todo?[$0]?.string }
    }
    #expect(shown() == ["listed", "painted", "listed"])
    // The mutation was sent before all others.
    server.answer("Slow", 1, with: ["slow": todo("slow")])
    _ = await slowest
    #expect(shown() == ["listed", "painted", "slow"])
  }

  @Test("An old response that makes a mutation's result stale again leaves no watch stale (C5)")
  func staleBesideNewer() async {
    let server = HeldServer(StoreKind.store())
    async let others = server.client.query(Self.others)
    await server.received("Others", 1)
    var watch = server.client.watch(Self.todo).makeAsyncIterator()
    async let first = watch.next()
    await server.received("Todo", 1)
    server.client.invalidate(types: "Todo")
    server.answer("Todo", 1, with: ["todo": Self.item("1", "old")])
    #expect(await first?.isStale == true)
    async let next = watch.next()
    await server.received("Todo", 2)
    server.answer("Rename", 1, with: ["rename": Self.item("1", "new")])
    _ = await server.client.mutate(Self.rename)
    server.answer("Others", 1, with: ["others": [Self.item("1", "old")]])
    await server.received("Others", 2)
    server.answer("Todo", 2, with: ["todo": Self.item("1", "new")])
    server.answer("Todo", 3, with: ["todo": Self.item("1", "new")])
    var last = await next
    while last?.isStale == true { last = await watch.next() }
    #expect(last?.data?["todo"]?["text"]?.string == "new")
    server.answer("Others", 2, with: ["others": [Self.item("1", "new")]])
    _ = await others
  }

  @Test(
    "An entity that a query fetched before the mutation's response is still new to lists (N5.4)",
    arguments: [false, true])
  func broughtByQuery(hasMembership: Bool) async {
    var configuration = NormalizedCacheConfiguration()
    if hasMembership {
      configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    }
    let server = HeldServer(StoreKind.store(configuration))
    var watch = server.client.watch(Self.todos).makeAsyncIterator()
    server.answer("Todos", 1, with: Self.list("1"))
    #expect(await Self.ids(watch.next()) == ["1"])
    async let next = watch.next()
    async let added = server.client.mutate(Self.add)
    await server.received("Add", 1)
    server.answer("Todo", 1, with: ["todo": Self.item("2")])
    _ = await server.client.query(Self.todo)
    server.answer("Todos", 2, with: Self.list("1", "2"))
    server.answer("Add", 1, with: ["add": Self.item("2")])
    _ = await added
    var last = await next
    while last?.isStale == true { last = await watch.next() }
    #expect(Self.ids(last) == ["1", "2"])
  }

  @Test("A list that a mutation changed and that was collected since is fetched once more (N8.2)")
  func collectedSince() async {
    var configuration = NormalizedCacheConfiguration()
    configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
    let store = StoreKind.store(configuration)
    let server = HeldServer(store)
    server.answer("Todos", 1, with: Self.list("1"))
    _ = await server.client.query(Self.todos)
    async let refetched = server.client.query(
      Self.todos.with { $0.requestPolicy = .networkOnly })
    await server.received("Todos", 2)
    server.answer("Add", 1, with: ["add": Self.item("2")])
    _ = await server.client.mutate(Self.add)
    store.collect(.bytes(0))
    server.answer("Todos", 2, with: Self.list("1"))
    server.answer("Todos", 3, with: Self.list("1", "2"))
    #expect(await Self.ids(refetched) == ["1", "2"])
  }

  @Test("Data fetched while an optimistic result hides it is removed by the mutation (N6.1)")
  func fetchedWhileHidden() async {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["deleteTodo"] = .removing("Todo", idFrom: "id")
    let server = HeldServer(StoreKind.store(configuration))
    var watch = server.client.watch(Self.todo).makeAsyncIterator()
    server.answer("Todo", 1, with: ["todo": Self.item("1", "old")])
    _ = await watch.next()
    async let deleted = server.client.mutate(
      Self.delete.with { $0.optimisticData = ["deleteTodo": ["__typename": "Todo", "id": "1"]] })
    #expect(await watch.next()?.isStale == true)
    await server.received("Todo", 2)
    server.answer("Todo", 2, with: ["todo": Self.item("1", "still there")])
    #expect(await watch.next()?.data?["todo"]?["text"]?.string == "still there")
    async let next = watch.next()
    server.answer("Todo", 3, with: ["todo": nil])
    server.answer("Delete", 1, with: ["deleteTodo": Self.item("1")])
    _ = await deleted
    var last = await next
    while last?.isStale == true { last = await watch.next() }
    #expect(last?.data?["todo"]?.isNull == true)
  }

  @Test(
    "A response with an error reverts nothing for longer than the moment of its delivery (N6.1, N6.2)",
    arguments: [false, true])
  func overtakenWithError(isOptimistic: Bool) async {
    let query = GraphQLOperation("query Both { todo { id text } me { id text } }")
    let server = HeldServer(StoreKind.store())
    var watch = server.client.watch(query).makeAsyncIterator()
    server.answer("Both", 1, with: ["todo": Self.item("1", "old"), "me": Self.item("2")])
    _ = await watch.next()
    server.client.invalidate(query)
    #expect(await watch.next()?.isStale == true)
    await server.received("Both", 2)
    let rename = Self.rename.with {
      if isOptimistic { $0.optimisticData = ["rename": Self.item("1", "new")] }
    }
    async let renamed = server.client.mutate(rename)
    await server.received("Rename", 1)
    if !isOptimistic {
      server.answer("Rename", 1, with: ["rename": Self.item("1", "new")])
      _ = await renamed
    }
    server.answer("Both", 2, with: ["todo": Self.item("1", "old"), "me": nil], failing: "me")
    var last = await watch.next()
    // Until the response is there, the watch shows the mutation's result.
    while last != nil, last?.error == nil { last = await watch.next() }
    // The field that the error has left stale is requested once more.
    server.answer("Both", 3, with: ["todo": Self.item("1", "new"), "me": Self.item("2")])
    while last?.data?["todo"]?["text"]?.string != "new" { last = await watch.next() }
    server.answer("Rename", 1, with: ["rename": Self.item("1", "new")])
    _ = await renamed
    #expect(server.client.peek(query)?.data?["todo"]?["text"]?.string == "new")
  }

  @Test("Watches with a field that fails each time do not refetch because of each other (N4)")
  func failingTogether() async {
    let count = Locked(0)
    let server = ScriptedExchange { operation in
      let number = count.withLock { count in
        count += 1
        return count
      }
      let me: JSONValue = ["__typename": "User", "id": "1", "seen": .string("\(number)")]
      return OperationResult(
        data: try? JSON(["secret": nil, "me": me]),
        error: OperationError(graphQLErrors: [GraphQLError(message: "No.", path: [.key("secret")])])
      )
    }
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    let first = client.watch(GraphQLOperation("query A { secret me { id seen } }"))
    let second = client.watch(GraphQLOperation("query B { secret me { id seen } }"))
    let watches = [first, second].map { watch in
      Task { for await _ in watch {} }
    }
    await server.received(2)
    _ = await client.query(GraphQLOperation("query C { me { id seen } }"))
    for _ in 0..<1_000 { await Task.yield() }
    #expect(server.operations.count <= 8)
    for watch in watches { watch.cancel() }
  }
}
