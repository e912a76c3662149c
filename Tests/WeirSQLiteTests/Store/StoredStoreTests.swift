import Foundation
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("A store over a storage", .timeLimit(.minutes(10)))
struct StoredStoreTests {
  @Test(
    "A run shows the data of the previous one without a request (N9.1)", arguments: Place.allCases
  )
  func restart(_ place: Place) async throws {
    let medium = try place.medium()
    let server = ScriptedExchange.immediate { _ in .data(#"{"todos":[]}"#) }
    do {
      let store = medium.store()
      try store.write(Todos.data, for: Todos.all)
      try await store.flush()
    }
    let offline = GraphQLClient([.dedup, .normalizedCache(medium.store()), server])
    #expect(offline.peek(Todos.all) == nil)
    let hit = await offline.query(Todos.all)
    #expect(hit.outcome == .hit && !hit.isStale)
    #expect(Todos.texts(hit.data) == ["text 1", "text 2", "text 3"])
    #expect(hit.data?["todos"]?[2]?["author"]?["name"]?.string == "Ann")
    #expect(offline.peek(Todos.all) != nil)
    let only = GraphQLClient([.normalizedCache(medium.store()), server])
    #expect(
      await only.query(Todos.all.with { $0.requestPolicy = .cacheOnly }).data?["todos"]?.count == 3)
    #expect(server.operations.isEmpty)
    var results: [OperationResult] = []
    let both = GraphQLClient([.normalizedCache(medium.store()), server])
    for await result in both.results(of: Todos.all.with { $0.requestPolicy = .cacheAndNetwork }) {
      results.append(result)
    }
    #expect(results.map { $0.data?["todos"]?.count } == [3, 0])
    #expect(results.map(\.isStale) == [true, false])
  }

  @Test("If the network fails, the storage's data accompanies the error (N9.1)")
  func networkFirst() async throws {
    let medium = try Place.memory.medium()
    let store = medium.store()
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    let server = ScriptedExchange.immediate { _ in .failure("no network") }
    let client = GraphQLClient([.normalizedCache(medium.store()), server])
    let result = await client.query(Todos.all.with { $0.requestPolicy = .networkFirst })
    #expect(result.error != nil)
    #expect(result.data?["todos"]?.count == 3)
  }

  @Test("One look-up loads all records of a level, and missing ones are looked up once (N9.1)")
  func levels() async throws {
    let storage = ScriptedStorage()
    let store = NormalizedStore(storage: ScriptedStorage(storage.memory))
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    let reader = NormalizedStore(storage: storage)
    #expect(await reader.load(Todos.all) != nil)
    let asked = storage.lookUps.map { $0.sorted() }
    #expect(
      asked == [["LEARNED"], ["QUERY_ROOT:todos"], ["Todo:1", "Todo:2", "Todo:3"], ["Author:7"]])
    #expect(await reader.load(Todos.all) != nil)
    #expect(storage.count(.load) == 4)
    for _ in 0..<5 {
      #expect(await reader.load(GraphQLOperation("{ todos { id due } none }")) == nil)
    }
    #expect(storage.lookUps.dropFirst(4) == [["QUERY_ROOT:none"]])
  }

  @Test(
    "Writes are merged with additional data in the storage (N9.1)", arguments: Place.allCases)
  func merging(_ place: Place) async throws {
    let medium = try place.medium()
    let store = medium.store()
    try store.write(Todos.data, for: Todos.all)
    try store.write(
      ["viewer": ["__typename": "Viewer", "name": "Ann", "box": ["__typename": "Box", "a": 1]]],
      for: GraphQLOperation("{ viewer { name box { a } } }"))
    try await store.flush()
    let second = medium.store()
    let card = try GraphQLFragment("fragment Card on Todo { due }")
    try second.update {
      try $0.write(JSON(parsing: #"{"due":"today"}"#), for: card, of: Entity("Todo", id: "1"))
    }
    try second.write(
      ["viewer": ["__typename": "Viewer", "box": ["__typename": "Box", "b": 2]]],
      for: GraphQLOperation("{ viewer { box { b } } }"))
    try await second.flush()
    // The same in the second store, which has not read it yet.
    for store in [medium.store(), second] {
      let todo = await store.load(
        try GraphQLFragment("fragment All on Todo { id text due author { name } }"),
        of: Entity("Todo", id: "1"))
      #expect(todo?["text"]?.string == "text 1" && todo?["due"]?.string == "today")
      #expect(todo?["author"]?["name"]?.string == "Ann")
      let viewer = await store.load(GraphQLOperation("{ viewer { name box { a b } } }"))
      #expect(viewer?["viewer"]?["box"]?["a"]?.int == 1)
      #expect(viewer?["viewer"]?["box"]?["b"]?.int == 2)
    }
  }

  @Test("Data that memory evicts stays in the storage, and is read again from there (N9.1)")
  func eviction() async throws {
    let medium = try Place.file.medium()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 20_000
    let store = medium.store(configuration)
    for batch in 0..<50 {
      let todos = (0..<20).map { Todos.todo("\(batch * 20 + $0)") }
      try store.write(
        ["page": .array(todos)],
        for: GraphQLOperation(
          "query P($p: Int) { page(p: $p) { id text author { id name } } }",
          variables: ["p": .int(Int64(batch))]))
      try await store.flush()
    }
    #expect(store.statistics.collected > 500)
    #expect(store.statistics.bytes < 60_000)
    for batch in 0..<50 {
      let page = await store.load(
        GraphQLOperation(
          "query P($p: Int) { page(p: $p) { id text author { id name } } }",
          variables: ["p": .int(Int64(batch))]))
      #expect(page?["page"]?[19]?["text"]?.string == "text \(batch * 20 + 19)")
    }
    #expect(store.statistics.bytes < 60_000)
  }

  @Test("Collected data is read again from the storage, as often as it is collected (N8.2)")
  func collectedAgain() async throws {
    let medium = try Place.memory.medium()
    let store = medium.store()
    try store.write(Todos.data, for: Todos.all)
    try store.write(["todo": Todos.todo("1")], for: Todos.first)
    try await store.flush()
    let second = medium.store()
    for round in 0..<3 {
      #expect(Todos.texts(await second.load(Todos.all))?.count == 3, "Round \(round)")
      #expect(await second.load(Todos.first) != nil, "Round \(round)")
      #expect(second.collect(.bytes(0)) > 0)
      #expect(second.read(Todos.all) == nil)
    }
  }

  @Test("Type conditions mean the same after a restart (N3.2)", arguments: Place.allCases)
  func typeConditions(_ place: Place) async throws {
    let medium = try place.medium()
    let search = GraphQLOperation(
      "{ search { ... on Node { id } ... on Todo { text } ... on Author { name } } }")
    let store = medium.store()
    try store.write(
      ["search": [["__typename": "Todo", "id": "1", "text": "a"]]], for: search)
    try store.write(
      ["search": [["__typename": "Author", "id": "7", "name": "Ann"], ["__typename": "Other"]]],
      for: search)
    let before = store.read(search)
    #expect(before != nil)
    try await store.flush()
    #expect(await medium.store().load(search) == before)
  }

  @Test("A mutation changes lists that are only in the storage (N5.3, N5.4)")
  func lists() async throws {
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"add":{"__typename":"Todo","id":"9","text":"new"}}"#)
    }
    let add = GraphQLOperation("mutation { add { id text } }")
    for hasRule in [false, true] {
      let medium = try Place.memory.medium()
      var configuration = NormalizedCacheConfiguration()
      if hasRule {
        configuration.memberships = [ListMembership(of: "Todo", in: "Query.todos") { _, _ in true }]
      }
      let store = medium.store(configuration)
      try store.write(Todos.data, for: Todos.all)
      try await store.flush()
      let second = medium.store(configuration)
      _ = await GraphQLClient([.normalizedCache(second), server]).mutate(add)
      try await second.flush()
      for store in [second, medium.store(configuration)] {
        let client = GraphQLClient([.normalizedCache(store), server])
        let only = GraphQLOperation("{ todos { id text } }").with { $0.requestPolicy = .cacheOnly }
        let result = await client.query(only)
        #expect(result.isStale == !hasRule)
        #expect(result.data?["todos"]?.count == (hasRule ? 4 : 3))
      }
    }
  }

  @Test(
    "The storage stays within its budget, and keeps pinned data (N8.2)",
    arguments: Place.allCases)
  func budget(_ place: Place) async throws {
    let medium = try place.medium()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 20_000
    let store = medium.store(configuration)
    try store.write(Todos.data, for: Todos.all)
    let pin = store.pin(Todos.all)
    for batch in 0..<30 {
      try store.write(
        ["page": .array((0..<20).map { Todos.todo("\(batch)-\($0)") })],
        for: GraphQLOperation("{ page { id text author { id name } } }"))
      try await store.flush()
      let storage = medium.storage()
      #expect(try storage.size().bytes <= 20_000)
      storage.close()
    }
    #expect(await medium.store().load(Todos.all) != nil)
    pin.release()
  }

  @Test(
    "The storage keeps a pinned entity that memory does not have (N8.2)",
    arguments: Place.allCases)
  func pinnedEntity(_ place: Place) async throws {
    let medium = try place.medium()
    let draft = try GraphQLFragment("fragment Draft on Draft { text }")
    let first = medium.store()
    for id in ["1", "2"] {
      try first.update { try $0.write(["text": "a"], for: draft, of: Entity("Draft", id: id)) }
    }
    try await first.flush()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 5_000
    let store = medium.store(configuration)
    let pin = store.pin(draft, of: Entity("Draft", id: "1"))
    for batch in 0..<10 {
      try store.write(
        ["page": .array((0..<20).map { Todos.todo("\(batch)-\($0)") })],
        for: GraphQLOperation("{ page { id text author { id name } } }"))
      try await store.flush()
    }
    let last = medium.store()
    #expect(await last.load(draft, of: Entity("Draft", id: "1")) != nil)
    #expect(await last.load(draft, of: Entity("Draft", id: "2")) == nil)
    pin.release()
  }
}
