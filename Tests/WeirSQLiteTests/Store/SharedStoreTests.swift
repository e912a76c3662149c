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

  @Test("N9.5 What one store writes, another one's watch shows", arguments: Place.allCases)
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
    // And back.
    var other = texts(of: first)
    #expect(await other.next()??["todo"]?["text"]?.string == "4")
    async let next = other.next()
    try write("back", to: second)
    #expect(await next??["todo"]?["text"]?.string == "back")
  }

  @Test("N9.5 A client's watch does so, too, without a request", arguments: Place.allCases)
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

  @Test("N9.5 What one store invalidates, another one's watch fetches", arguments: Place.allCases)
  func invalidation(_ place: Place) async throws {
    let medium = try place.medium()
    let (first, second) = (medium.store(), medium.store())
    try write("first", to: first)
    try await first.flush()
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"todo":{"__typename":"Todo","id":"1","text":"fetched"}}"#)
    }
    let client = GraphQLClient([.dedup, .normalizedCache(second), server])
    var watch = client.watch(Todos.text).makeAsyncIterator()
    #expect(await watch.next()?.data?["todo"]?["text"]?.string == "first")
    async let next = watch.next()
    try first.update { $0.invalidate(.type("Todo")) }
    try await first.flush()
    var shown = await next
    while shown?.isStale == true { shown = await watch.next() }
    #expect(shown?.data?["todo"]?["text"]?.string == "fetched")
    #expect(server.operations.count == 1)
  }

  @Test("N9.5 Removal and clearing by another are seen, too", arguments: Place.allCases)
  func removal(_ place: Place) async throws {
    let medium = try place.medium()
    let (first, second) = (medium.store(), medium.store())
    let actions: [@Sendable (NormalizedStore) throws -> Void] = [
      { try $0.update { $0.remove(.entity(Entity("Todo", id: "1"))) } },
      { try $0.update { $0.remove(.field("todo")) } },
      { GraphQLClient([.normalizedCache($0)]).clear() },
    ]
    for action in actions {
      try write("there", to: first)
      try await first.flush()
      var watch = texts(of: second)
      while await watch.next()??["todo"]?["text"]?.string != "there" {}
      async let next = watch.next()
      try action(first)
      let gone = await next
      #expect(gone == .some(nil))
    }
  }

  @Test("N9.5 What two stores write of one entity is put together")
  func both() async throws {
    let medium = try Place.memory.medium()
    let (first, second) = (medium.store(), medium.store())
    let due = GraphQLOperation("{ todo(id: \"1\") { id due } }")
    // The second one knows no names yet, and then not those that the first one adds.
    try await second.flush()
    try write("text", to: first)
    try await first.flush()
    try second.write(["todo": ["__typename": "Todo", "id": "1", "due": "today"]], for: due)
    try await second.flush()
    let both = await medium.store().load(GraphQLOperation("{ todo(id: \"1\") { text due } }"))
    #expect(both?["todo"]?["text"]?.string == "text")
    #expect(both?["todo"]?["due"]?.string == "today")
  }

  @Test("N9.5 What others add to an entity is kept beside what could not be saved of it")
  func unsaved() async throws {
    let storage = ScriptedStorage()
    let another = { NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory)) }
    let (store, other) = (NormalizedStore(storage: storage), another())
    let due = GraphQLOperation("{ todo(id: \"1\") { id due } }")
    try write("old", to: store)
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    storage.fail(.commit, with: .full)
    try write("mine", to: store)
    await #expect(throws: StorageError.self) { try await store.flush() }
    // Of two changes in one commit, this store's watch shows the one; so it has heard of both.
    var watch = store.watch(try Self.text.get(), of: Entity("Todo", id: "2")).makeAsyncIterator()
    _ = await watch.next()
    _ = await other.load(Todos.all)
    async let next = watch.next()
    try other.update { transaction in
      try transaction.write(["todo": ["__typename": "Todo", "id": "1", "due": "today"]], for: due)
      try transaction.write(["todos": [Todos.todo("2", "new")]], for: Todos.all)
    }
    #expect(await next??["text"]?.string == "new 2")
    storage.fail(.commit, with: nil)
    try await store.flush()
    let both = await another().load(GraphQLOperation("{ todo(id: \"1\") { text due } }"))
    #expect(both?["todo"]?["text"]?.string == "mine")
    #expect(both?["todo"]?["due"]?.string == "today")
  }

  @Test("N9.5 What another process writes, this one's watch shows, and the other way round")
  func processes() async throws {
    let file = try TestFile()
    let store = NormalizedStore(storage: file.storage())
    try write("mine", to: store)
    try await store.flush()
    let process = try OtherProcess("store", file.url, "theirs")
    var watch = texts(of: store)
    #expect(await watch.next()??["todo"]?["text"]?.string == "mine")
    #expect(process.line() == "read mine")
    #expect(await watch.next()??["todo"]?["text"]?.string == "theirs")
    #expect(process.line() == "read theirs")
    try write("mine again", to: store)
    #expect(process.line() == "read mine again")
  }
}
