import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("Removal from a store over a storage", .timeLimit(.minutes(10)))
struct StoredRemovalTests {
  static let card = "fragment Card on Todo { id text }"

  /// A change of a store, and the rest of three todos, their list and
  /// two variants of a field after it.
  struct Removal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var todos: [String] = ["1", "2", "3"]
    var author = true
    var list = true
    var pages: [Int64] = [0, 1]
    let action: @Sendable (NormalizedStore) throws -> Void
  }

  static let removals: [Removal] = [
    Removal(testDescription: "an entity", todos: ["1", "3"]) {
      try $0.update { $0.remove(.entity(Entity("Todo", id: "2"))) }
    },
    Removal(testDescription: "a type", todos: []) { try $0.update { $0.remove(.type("Todo")) } },
    Removal(testDescription: "a prefix", todos: ["2", "3"]) {
      try $0.update { $0.remove(.prefix("Todo:1")) }
    },
    Removal(testDescription: "a type that is then written", todos: ["2"]) { store in
      try store.update { transaction in
        transaction.remove(.type("Todo"))
        try transaction.write(
          JSON(parsing: #"{"id":"2","text":"text 2"}"#),
          for: try GraphQLFragment(StoredRemovalTests.card), of: Entity("Todo", id: "2"))
      }
    },
    Removal(testDescription: "a field", list: false) {
      try $0.update { $0.remove(.field("todos")) }
    },
    Removal(testDescription: "a variant", pages: [0]) {
      try $0.update { $0.remove(.field("page", arguments: ["p": 1])) }
    },
    Removal(testDescription: "all variants", pages: []) {
      try $0.update { $0.remove(.field("page")) }
    },
    Removal(testDescription: "another type", author: false) {
      try $0.update { $0.remove(.type("Author")) }
    },
    Removal(testDescription: "the root", list: false, pages: []) {
      try $0.update { $0.remove(.entity(.query)) }
    },
    Removal(testDescription: "everything", todos: [], author: false, list: false, pages: []) {
      GraphQLClient([.normalizedCache($0)], configuration: .silent).clear()
    },
    Removal(testDescription: "a session", todos: [], author: false, list: false, pages: []) {
      GraphQLClient([.normalizedCache($0)], configuration: .silent).switchSession()
    },
    Removal(testDescription: "nothing that is there") {
      try $0.update {
        $0.remove(.entity(Entity("Todo", id: "9")))
        $0.remove(.prefix("Todo:2x"))
        $0.remove(.field("pag"))
        $0.remove(.type("Query"))
      }
    },
  ]

  static func page(_ number: Int64) -> GraphQLOperation {
    GraphQLOperation("query P($p: Int) { page(p: $p) }", variables: ["p": .int(number)])
  }

  static func fill(_ store: NormalizedStore) async throws {
    try store.write(Todos.data, for: Todos.all)
    for number: Int64 in 0..<2 { try store.write(["page": .int(number)], for: page(number)) }
    try await store.flush()
  }

  private func check(_ store: NormalizedStore, _ removal: Removal, _ when: String) async throws {
    let card = try GraphQLFragment(Self.card)
    var left: [String] = []
    for id in ["1", "2", "3"] {
      let todo = await store.load(card, of: Entity("Todo", id: id))
      if todo?["text"]?.string == "text \(id)" { left.append(id) }
    }
    #expect(left == removal.todos, "\(when)")
    let name = try GraphQLFragment("fragment Name on Author { name }")
    #expect((await store.load(name, of: Entity("Author", id: "7")) != nil) == removal.author)
    #expect(
      (await store.load(GraphQLOperation("{ todos { __typename } }")) != nil)
        == (removal.list && removal.todos.count == 3), "\(when)")
    var pages: [Int64] = []
    for number: Int64 in 0..<2 where await store.load(Self.page(number)) != nil {
      pages.append(number)
    }
    #expect(pages == removal.pages, "\(when)")
  }

  @Test("Removed data never comes back (N5.2)", arguments: Place.allCases, removals)
  func removal(_ place: Place, _ removal: Removal) async throws {
    for isRead in [false, true] {
      let medium = try place.medium()
      try await Self.fill(medium.store())
      let store = medium.store()
      if isRead {
        await store.load(Todos.all)
        for number: Int64 in 0..<2 { await store.load(Self.page(number)) }
      }
      try removal.action(store)
      // The read does not wait for the removal to be saved.
      try await check(store, removal, "at once, read before: \(isRead)")
      try await store.flush()
      try await check(medium.store(), removal, "after a restart, read before: \(isRead)")
    }
  }

  @Test(
    "A prefix matches the same keys in memory and in the storage (N5.2)", arguments: Place.allCases)
  func prefix(_ place: Place) async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.groups = ["Todo": "a:b", "Author": "a%3"]
    let medium = try place.medium()
    let card = try GraphQLFragment(Self.card)
    let name = try GraphQLFragment("fragment Name on Author { name }")
    func isFound(_ id: String) async -> Bool {
      await medium.store(configuration).load(card, of: Entity("Todo", id: id)) != nil
    }
    try await Self.fill(medium.store(configuration))
    let store = medium.store(configuration)
    for prefix in ["a%3A", "a:b:1", "b"] { try store.update { $0.remove(.prefix(prefix)) } }
    try await store.flush()
    for (id, isLeft) in [("1", false), ("2", true)] { #expect(await isFound(id) == isLeft) }
    try store.update { $0.remove(.prefix("a:b")) }
    try await store.flush()
    #expect(await !isFound("2"))
    #expect(await medium.store(configuration).load(name, of: Entity("Author", id: "7")) != nil)
    try store.update { $0.remove(.prefix("a%")) }
    try await store.flush()
    #expect(await medium.store(configuration).load(name, of: Entity("Author", id: "7")) == nil)
  }

  @Test("A field that was removed before its record was read does not come back (N5.2)")
  func removedField() async throws {
    let medium = try Place.memory.medium()
    try await Self.fill(medium.store())
    let text = try GraphQLFragment("fragment Text on Todo { text }")
    let id = try GraphQLFragment("fragment ID on Todo { id }")
    for isWritten in [false, true] {
      let store = medium.store()
      let todo = Entity("Todo", id: isWritten ? "1" : "2")
      if isWritten {
        try store.update { try $0.write(JSON(parsing: #"{"text":"new"}"#), for: text, of: todo) }
      }
      try store.update { $0.remove(.field("text", of: todo)) }
      #expect(await store.load(text, of: todo) == nil)
      try await store.flush()
      #expect(await store.load(text, of: todo) == nil)
      #expect(await medium.store().load(text, of: todo) == nil)
      if isWritten { #expect(await medium.store().load(id, of: Entity("Todo", id: "3")) != nil) }
    }
  }

  @Test("A removed reference does not come back if saving it failed at first (N5.2)")
  func referenceAfterFailure() async throws {
    let storage = ScriptedStorage()
    let before = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    try before.write(Todos.data, for: Todos.all)
    try await before.flush()
    let store = NormalizedStore(storage: storage)
    try store.write(["todo": Todos.todo("1")], for: Todos.first)
    storage.fail(.commit, with: .full)
    try store.update {
      $0.remove(.entity(Entity("Author", id: "7")), references: .removed)
    }
    await #expect(throws: StorageError.self) { try await store.flush() }
    storage.fail(.commit, with: nil)
    try await store.flush()
    // Another entity with that name is not the author.
    let other = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    let name = try GraphQLFragment("fragment Name on Author { id name }")
    try other.update {
      try $0.write(
        JSON(parsing: #"{"id":"7","name":"Eve"}"#), for: name, of: Entity("Author", id: "7"))
    }
    #expect(await other.load(Todos.first) == nil)
    #expect(await other.load(Todos.text)?["todo"]?["text"]?.string == "text 1")
  }

  @Test(
    "An entity that a cascade has removed does not come back when a field of it is invalidated (N5.2)"
  )
  func invalidatedCascade() async throws {
    let medium = try Place.memory.medium()
    try await Self.fill(medium.store())
    let store = medium.store()
    await store.load(Todos.all)
    let author = Entity("Author", id: "7")
    let name = try GraphQLFragment("fragment Name on Author { name }")
    try store.update { transaction in
      transaction.remove(.entity(Entity("Todo", id: "1")), cascades: true)
      transaction.invalidate(.field("name", of: author))
    }
    try await store.flush()
    #expect(await store.load(name, of: author) == nil)
    #expect(await medium.store().load(name, of: author) == nil)
  }

  @Test(
    "Removing or invalidating a field in the storage affects only that field (N5.2)",
    arguments: Place.allCases, [true, false])
  func storedField(_ place: Place, isRemoval: Bool) async throws {
    let medium = try place.medium()
    try await Self.fill(medium.store())
    let first = Entity("Todo", id: "1")
    let second = Entity("Todo", id: "2")
    let text = try GraphQLFragment("fragment Text on Todo { text }")
    let others = try GraphQLFragment("fragment Others on Todo { id author { name } }")
    let store = medium.store()
    // Memory has a newer part of the second one, but not the rest.
    try store.update { try $0.write(JSON(parsing: #"{"id":"2"}"#), for: others, of: second) }
    try store.update { transaction in
      for todo in [first, second] {
        let field = StoreSelection.field("text", of: todo)
        if isRemoval { transaction.remove(field) } else { transaction.invalidate(field) }
      }
    }
    try await store.flush()
    for store in [store, medium.store()] {
      for todo in [first, second] {
        #expect((await store.load(text, of: todo) == nil) == isRemoval)
        #expect(store.explain(text, of: todo).status == (isRemoval ? .missing : .stale))
        #expect(await store.load(others, of: todo) != nil)
        #expect(store.explain(others, of: todo).status == .complete)
      }
    }
  }

  @Test(
    "Invalidating the root affects all its fields, and invalidating its type none (N5.2)",
    arguments: Place.allCases, [true, false])
  func root(_ place: Place, isInMemory: Bool) async throws {
    let medium = try place.medium()
    try await Self.fill(medium.store())
    let store = medium.store()
    if isInMemory { await store.load() }
    func statuses(_ store: NormalizedStore) async -> [ReadExplanation.Status] {
      await store.load()
      return [Self.page(0), Self.page(1), Todos.all].map { store.explain($0).status }
    }
    try store.update { $0.invalidate(.type("Query")) }
    try await store.flush()
    for store in [store, medium.store()] {
      #expect(await statuses(store) == [.complete, .complete, .complete])
    }
    let again = medium.store()
    if isInMemory { await again.load() }
    try again.update { $0.invalidate(.entity(.query)) }
    try await again.flush()
    for store in [again, medium.store()] {
      #expect(await statuses(store) == [.stale, .stale, .stale])
      let todo = try GraphQLFragment(Self.card)
      #expect(store.explain(todo, of: Entity("Todo", id: "1")).status == .complete)
    }
  }

  @Test("Invalidated data is also stale in the storage, and stays there (N5.2)")
  func invalidation() async throws {
    let medium = try Place.file.medium()
    try await Self.fill(medium.store())
    let server = ScriptedExchange.immediate { _ in .failure("no network") }
    let store = medium.store()
    GraphQLClient([.normalizedCache(store)], configuration: .silent).invalidate(types: "Todo")
    try await store.flush()
    for store in [store, medium.store()] {
      let client = GraphQLClient([.normalizedCache(store), server])
      #expect(await client.query(Todos.all).error != nil)
      let shown = await client.query(Todos.all.with { $0.requestPolicy = .cacheOnly })
      #expect(shown.isStale && shown.data?["todos"]?.count == 3)
      let author = try GraphQLFragment("fragment Name on Author { name }")
      #expect(await store.load(author, of: Entity("Author", id: "7")) != nil)
    }
    // Data that is written again is fresh again.
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    let client = GraphQLClient([.normalizedCache(medium.store()), server])
    #expect(await client.query(Todos.all).outcome == .hit)
  }
}
