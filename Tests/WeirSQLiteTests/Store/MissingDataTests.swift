import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Watches of data that neither memory nor the storage has, or that the storage cannot read.
@Suite("Watches of missing data that another store adds", .timeLimit(.minutes(10)))
struct MissingDataTests {
  @Test(
    "A watch of missing data sees another store add it, after everything was loaded (N4.2, N9.5)",
    arguments: Place.allCases)
  func afterLoad(_ place: Place) async throws {
    let medium = try place.medium()
    let (first, second) = (medium.store(), medium.store())
    await second.load()
    var watch = second.watch(Todos.text).makeAsyncIterator()
    let nothing = await watch.next()
    #expect(nothing == .some(nil))
    async let next = watch.next()
    try first.write(["todo": Todos.todo("1")], for: Todos.text)
    #expect(await next??["todo"]?["text"]?.string == "text 1")
  }

  @Test(
    "A watch that began while the storage failed shows its data when the storage works (N4.2, N9.3)",
    arguments: [false, true])
  func afterFailure(isSaved: Bool) async throws {
    let storage = ScriptedStorage()
    let first = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    try first.write(["todo": Todos.todo("1")], for: Todos.text)
    try await first.flush()
    let store = NormalizedStore(storage: storage)
    let server = ScriptedExchange.immediate { _ in .failure("offline") }
    let client = GraphQLClient([.normalizedCache(store), server])
    storage.fail(.load, with: .busy)
    var watch = client.watch(Todos.text).makeAsyncIterator()
    #expect(await watch.next()?.error != nil)
    async let next = watch.next()
    storage.fail(.load, with: nil)
    if isSaved {
      try store.write(["flag": true], for: GraphQLOperation("{ flag }"))
    } else {
      _ = await store.load(GraphQLOperation("{ flag }"))
    }
    var shown = await next
    // Before that, it may show that the storage can be read again.
    while shown?.error != nil { shown = await watch.next() }
    #expect(shown?.data?["todo"]?["text"]?.string == "text 1")
  }

  @Test(
    "A watch whose first request fails shows what the storage has by then (N4.2, N9.3)",
    arguments: [false, true])
  func failureDuringRequest(isUsed: Bool) async throws {
    let storage = ScriptedStorage()
    let first = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    try first.write(["todo": Todos.todo("1")], for: Todos.text)
    try await first.flush()
    let store = NormalizedStore(storage: storage)
    let held = Gate()
    let server = ScriptedExchange { _ in
      await held.pass()
      return .failure("offline")
    }
    let client = GraphQLClient([.normalizedCache(store), server])
    storage.fail(.load, with: .busy)
    var watch = client.watch(Todos.text).makeAsyncIterator()
    async let failed = watch.next()
    await server.received(1)
    storage.fail(.load, with: nil)
    if isUsed { _ = await store.load(GraphQLOperation("{ flag }")) }
    held.open()
    #expect(await failed?.error != nil)
    let shown = await watch.next()
    #expect(shown?.data?["todo"]?["text"]?.string == "text 1")
    #expect(shown?.error == nil)
    #expect(server.operations.count == 1)
  }

  @Test(
    "A watch shows its data when another partition finds that the storage works (N4.2, N9.3, K8)")
  func afterFailureElsewhere() async throws {
    let storage = ScriptedStorage()
    let german = Todos.text.with { $0.headers["accept-language"] = "de" }
    let first = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    for query in [Todos.text, german] { try first.write(["todo": Todos.todo("1")], for: query) }
    try await first.flush()
    for (shown, other) in [(german, Todos.text), (Todos.text, german)] {
      let store = NormalizedStore(storage: storage)
      storage.fail(.load, with: .busy)
      var watch = store.watch(shown).makeAsyncIterator()
      let nothing = await watch.next()
      #expect(nothing == .some(nil))
      async let next = watch.next()
      storage.fail(.load, with: nil)
      let loaded = await store.load(other)
      #expect(loaded != nil)
      #expect(await next??["todo"]?["text"]?.string == "text 1")
    }
  }

  @Test(
    "A watch of a missing entity sees another store add it among changes too many to name (N4.2, N9.5)",
    arguments: Place.allCases)
  func amongMany(_ place: Place) async throws {
    let medium = try place.medium()
    let (first, second) = (medium.store(), medium.store())
    let text = try SharedStoreTests.text.get()
    var watch = second.watch(text, of: Entity("Todo", id: "5")).makeAsyncIterator()
    let nothing = await watch.next()
    #expect(nothing == .some(nil))
    async let next = watch.next()
    // Keys that look the same are not named in a notification.
    let todos = ["5", "caf\u{E9}", "cafe\u{301}"].map { Todos.todo($0) }
    try first.write(["todos": .array(todos)], for: Todos.all)
    #expect(await next??["text"]?.string == "text 5")
  }

  @Test(
    "A watch of a list sees another store add a page among changes too many to name (N4.2, N7)",
    arguments: Place.allCases)
  func page(_ place: Place) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.feed"] = .offsetPages()
    let medium = try place.medium()
    func page(_ offset: Int64) -> GraphQLOperation {
      GraphQLOperation(
        "query Page($offset: Int) { feed(offset: $offset, limit: 1) { id } }",
        variables: ["offset": .int(offset)])
    }
    func data(_ ids: String...) -> JSONValue {
      ["feed": .array(ids.map { ["__typename": "Todo", "id": .string($0)] })]
    }
    let (first, second) = (medium.store(configuration), medium.store(configuration))
    try first.write(data("1"), for: page(0))
    try await first.flush()
    var watch = second.watch(page(0)).makeAsyncIterator()
    #expect(await watch.next()??["feed"]?.count == 1)
    async let next = watch.next()
    try first.update { transaction in
      try transaction.write(data("2"), for: page(1))
      let todos = ["caf\u{E9}", "cafe\u{301}"].map { Todos.todo($0) }
      try transaction.write(["todos": .array(todos)], for: Todos.all)
    }
    #expect(await next??["feed"]?.count == 2)
  }
}
