import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("Several stores on one file", .timeLimit(.minutes(10)))
struct SharedStoreTests {
  static let text = Result { try GraphQLFragment("fragment Text on Todo { text }") }

  private func texts(of store: NormalizedStore) -> StoreWatch.Iterator {
    store.watch(Todos.text).makeAsyncIterator()
  }

  private func write(_ text: String, to store: NormalizedStore) throws {
    try store.write(
      ["todo": ["__typename": "Todo", "id": "1", "text": .string(text)]], for: Todos.text)
  }

  @Test("A store's watch shows the writes of another store (N9.5)", arguments: Place.allCases)
  func writes(_ place: Place) async throws {
    let medium = try place.medium()
    let (first, second) = (medium.store(), medium.store())
    var watch = texts(of: second)
    let nothing = await watch.next()
    #expect(nothing == .some(nil))
    for round in 0..<5 {
      async let next = watch.next()
      try write("\(round)", to: first)
      #expect(await next??["todo"]?["text"]?.string == "\(round)")
    }
    // And in the other direction.
    var other = texts(of: first)
    #expect(await other.next()??["todo"]?["text"]?.string == "4")
    async let next = other.next()
    try write("back", to: second)
    #expect(await next??["todo"]?["text"]?.string == "back")
  }

  @Test("Stores that share one storage see each other's writes and removals (N9.5)")
  func sharedStorage() async throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    let (first, second) = (NormalizedStore(storage: storage), NormalizedStore(storage: storage))
    for (one, other) in [(first, second), (second, first)] {
      var watch = texts(of: other)
      _ = await watch.next()
      for round in 0..<3 {
        async let next = watch.next()
        try write("\(round)", to: one)
        #expect(await next??["todo"]?["text"]?.string == "\(round)")
      }
      async let next = watch.next()
      try one.update { $0.remove(.entity(Entity("Todo", id: "1"))) }
      #expect(await next == .some(nil))
    }
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "A client's watch shows the writes of another store without a request (N9.5)",
    arguments: Place.allCases)
  func clients(_ place: Place) async throws {
    let medium = try place.medium()
    let (first, second) = (medium.store(), medium.store())
    try write("first", to: first)
    try await first.flush()
    let server = ScriptedExchange.immediate { _ in .failure("no network") }
    let client = GraphQLClient([.dedup, .normalizedCache(second), server])
    var watch = client.watch(Todos.text).makeAsyncIterator()
    #expect(await watch.next()?.data?["todo"]?["text"]?.string == "first")
    async let next = watch.next()
    try write("second", to: first)
    #expect(await next?.data?["todo"]?["text"]?.string == "second")
    #expect(server.operations.isEmpty)
  }

  @Test(
    "A store's watch refetches data that another store has invalidated, also below a layer (N6.1, N9.5)",
    arguments: Place.allCases, [false, true])
  func invalidation(_ place: Place, isBelowLayer: Bool) async throws {
    let medium = try place.medium()
    let (first, second) = (medium.store(), medium.store())
    try write("first", to: first)
    try await first.flush()
    let gate = Gate()
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { await gate.pass() }
      return .data(
        operation.kind == .mutation
          ? "{}" : #"{"todo":{"__typename":"Todo","id":"1","text":"fetched"}}"#)
    }
    let client = GraphQLClient([.dedup, .normalizedCache(second), server])
    var watch = client.watch(Todos.text).makeAsyncIterator()
    #expect(await watch.next()?.data?["todo"]?["text"]?.string == "first")
    let mutation = GraphQLOperation("mutation { count { id } }").with {
      $0.optimisticData = ["count": ["__typename": "Count", "id": "1"]]
    }
    async let result = isBelowLayer ? client.mutate(mutation) : nil
    if isBelowLayer { await server.received(1) }
    async let next = watch.next()
    try first.update { $0.invalidate(.type("Todo")) }
    try await first.flush()
    var shown = await next
    while shown?.isStale == true { shown = await watch.next() }
    #expect(shown?.data?["todo"]?["text"]?.string == "fetched")
    #expect(server.operations.count == (isBelowLayer ? 2 : 1))
    gate.open()
    _ = await result
  }

  @Test("A store sees removals and clearing by another store (N9.5)", arguments: Place.allCases)
  func removal(_ place: Place) async throws {
    let medium = try place.medium()
    let (first, second) = (medium.store(), medium.store())
    let actions: [@Sendable (NormalizedStore) throws -> Void] = [
      { try $0.update { $0.remove(.entity(Entity("Todo", id: "1"))) } },
      { try $0.update { $0.remove(.field("todo")) } },
      { GraphQLClient([.normalizedCache($0)], configuration: .silent).clear() },
    ]
    for action in actions {
      try write("there", to: first)
      try await first.flush()
      var watch = texts(of: second)
      let there = await reach(
        { await watch.next() }, until: { $0?["todo"]?["text"]?.string == "there" })
      #expect(there != nil)
      async let next = watch.next()
      try action(first)
      let gone = await next
      #expect(gone == .some(nil))
    }
  }

  @Test(
    "A store sees others' changes of entities whose ids only look the same (N9.5)",
    arguments: Place.allCases, [true, false])
  func lookalikes(_ place: Place, isOneStorage: Bool) async throws {
    let medium = try place.medium()
    let storage = medium.storage()
    let first = NormalizedStore(storage: storage)
    let second = NormalizedStore(storage: isOneStorage ? storage : medium.storage())
    let ids = ["caf\u{E9}", "cafe\u{301}"]
    func write(_ text: String) throws {
      try first.write(["todos": .array(ids.map { Todos.todo($0, text) })], for: Todos.all)
    }
    try write("old")
    try await first.flush()
    var watch = second.watch(Todos.all).makeAsyncIterator()
    let old = ids.map { "old \($0)" }
    #expect(await reach({ await watch.next() }, until: { Todos.texts($0) == old }) != nil)
    async let next = watch.next()
    try write("new")
    #expect(Todos.texts(await next ?? nil) == ids.map { "new \($0)" })
  }

  @Test("Two stores' writes to one entity are merged (N9.5)")
  func both() async throws {
    let medium = try Place.memory.medium()
    let (first, second) = (medium.store(), medium.store())
    // The second store does not know the names that the first one adds.
    try await second.flush()
    try write("text", to: first)
    try await first.flush()
    try second.write(["todo": ["__typename": "Todo", "id": "1", "due": "today"]], for: Todos.due)
    try await second.flush()
    let both = await medium.store().load(GraphQLOperation("{ todo(id: \"1\") { text due } }"))
    #expect(both?["todo"]?["text"]?.string == "text")
    #expect(both?["todo"]?["due"]?.string == "today")
  }

  @Test("Other stores' additions to an entity are kept beside its unsaved changes (N9.5)")
  func unsaved() async throws {
    let storage = ScriptedStorage()
    let another = { NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory)) }
    let (store, other) = (NormalizedStore(storage: storage), another())
    try write("old", to: store)
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    storage.fail(.commit, with: .full)
    try write("mine", to: store)
    await #expect(throws: StorageError.self) { try await store.flush() }
    try await Todos.change(in: other, noticedBy: store)
    storage.fail(.commit, with: nil)
    try await store.flush()
    let both = await another().load(GraphQLOperation("{ todo(id: \"1\") { text due } }"))
    #expect(both?["todo"]?["text"]?.string == "mine")
    #expect(both?["todo"]?["due"]?.string == "today")
  }

  @Test("A change by another store is shown when a storage that failed works again (N9.5)")
  func failedReload() async throws {
    let storage = ScriptedStorage()
    let (failures, failed) = AsyncStream.makeStream(of: StorageError.self)
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { failed.yield($0) }
    let store = NormalizedStore(configuration, storage: storage)
    let other = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    try write("old", to: other)
    try await other.flush()
    var watch = texts(of: store)
    #expect(await watch.next()??["todo"]?["text"]?.string == "old")
    storage.fail(.load, with: .busy)
    try write("new", to: other)
    try await other.flush()
    var failure = failures.makeAsyncIterator()
    #expect(await failure.next()?.code == .busy)
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    #expect(client.peek(Todos.text)?.isDegraded == true)
    storage.fail(.load, with: nil)
    async let next = watch.next()
    try store.write(["todos": [Todos.todo("3")]], for: Todos.all)
    try await store.flush()
    #expect(await next??["todo"]?["text"]?.string == "new")
    #expect(client.peek(Todos.text)?.isDegraded == false)
  }

  @Test("Names that another store has added are known before the notification (N9.5)")
  func newNames() async throws {
    let storage = ScriptedStorage(isDeaf: true)
    let store = NormalizedStore(storage: storage)
    try write("old", to: store)
    try await store.flush()
    let other = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    let due = GraphQLOperation("{ todo(id: \"2\") { id due } }")
    try other.write(["todo": ["__typename": "Task", "id": "2", "due": "today"]], for: due)
    try await other.flush()
    #expect(await store.load(due)?["todo"]?["due"]?.string == "today")
  }

  @Test("Watches show the writes of other processes, in both directions (N9.5)")
  func processes() async throws {
    let file = try TestFile()
    let store = NormalizedStore(storage: file.storage())
    try write("mine", to: store)
    try await store.flush()
    let process = try OtherProcess("store", file.url, "theirs")
    var watch = texts(of: store)
    #expect(await watch.next()??["todo"]?["text"]?.string == "mine")
    #expect(await process.line() == "read mine")
    #expect(await watch.next()??["todo"]?["text"]?.string == "theirs")
    #expect(await process.line() == "read theirs")
    try write("mine again", to: store)
    #expect(await process.line() == "read mine again")
  }
}
