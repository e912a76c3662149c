import Foundation
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Stores with budgets that share one file, or one storage.
@Suite("Budgets of stores that share a storage", .timeLimit(.minutes(10)))
struct SharedBudgetTests {
  private static func todo(_ number: Int) -> GraphQLOperation {
    GraphQLOperation(
      "query Todo($id: ID!) { todo(id: $id) { id text } }",
      variables: ["id": .string("\(number)")])
  }

  private static func write(_ number: Int, bytes: Int, to store: NormalizedStore) throws {
    let text = JSONValue.string(String(repeating: "x", count: bytes))
    try store.write(
      ["todo": ["__typename": "Todo", "id": .string("\(number)"), "text": text]],
      for: todo(number))
  }

  @Test(
    "Another store's budget removes nothing from memory (N8.2, N9.5)", arguments: Place.allCases)
  func collectedByOther(_ place: Place) async throws {
    let medium = try place.medium()
    let store = medium.store()
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    let pin = store.pin(Todos.all)
    var watch = store.watch(Todos.text).makeAsyncIterator()
    _ = await watch.next()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 5_000
    let other = medium.store(configuration)
    for number in 10..<40 {
      try Self.write(number, bytes: 1_000, to: other)
      try await other.flush()
    }
    #expect(await medium.store().load(Todos.all) == nil)
    // The store hears of this commit after all that the other one has done before.
    async let next = watch.next()
    try other.write(["todo": ["__typename": "Todo", "id": "90", "text": "last"]], for: Todos.text)
    #expect(await next??["todo"]?["text"]?.string == "last")
    #expect(store.read(Todos.all)?["todos"]?.count == 3)
    pin.release()
  }

  @Test(
    "A pinned query that only the storage has keeps what it leads to (N8.2)",
    arguments: Place.allCases)
  func pinnedBeforeLoad(_ place: Place) async throws {
    let medium = try await place.filled()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 5_000
    let store = medium.store(configuration)
    let pin = store.pin(Todos.all)
    for number in 10..<40 {
      try Self.write(number, bytes: 1_000, to: store)
      try await store.flush()
    }
    #expect(await medium.store().load(Todos.all)?["todos"]?.count == 3)
    pin.release()
  }

  /// A storage with all todos, and a store with a budget that has pinned them while nothing could be read.
  private func pinnedInVain() async throws -> (ScriptedStorage, NormalizedStore, StorePin) {
    let storage = ScriptedStorage()
    let first = NormalizedStore(storage: MemoryRecordStorage(sharing: storage.memory))
    try first.write(Todos.data, for: Todos.all)
    try first.write(["todo": Todos.todo("1")], for: Todos.first)
    try await first.flush()
    let failures = ArrivalCount()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 400
    configuration.onStorageError = { _ in failures.add(1) }
    let store = NormalizedStore(configuration, storage: storage)
    storage.fail(.load, with: .busy)
    let pin = store.pin(Todos.all)
    await failures.reaches(1)
    storage.fail(.load, with: nil)
    return (storage, store, pin)
  }

  @Test("A query pinned while the storage failed is loaded before a budget removes it (N8.2, N9.3)")
  func pinnedDuringFailure() async throws {
    let (storage, store, pin) = try await pinnedInVain()
    // The first commit that succeeds exceeds the budget.
    try Self.write(10, bytes: 1_000, to: store)
    for _ in 0..<2 { try await store.flush() }
    #expect(storage.count(.collect) > 0)
    let other = NormalizedStore(storage: ScriptedStorage(storage.memory))
    #expect(await other.load(Todos.all)?["todos"]?.count == 3)
    pin.release()
  }

  @Test("A pin that can be loaded ends the degradation of a failed one (N8.2, N9.3)")
  func degradedByPin() async throws {
    let (_, store, pin) = try await pinnedInVain()
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    let later = store.pin(Todos.first)
    // The second one comes after what the pin has led to.
    for _ in 0..<2 { try await store.flush() }
    #expect(client.peek(Todos.first)?.isDegraded == false)
    #expect(client.peek(Todos.all)?.isDegraded == false)
    pin.release()
    later.release()
  }

  @Test("Partitions that have lost all their records leave nothing in the storage (N8.2, K8)")
  func partitions() async throws {
    let storage = MemoryRecordStorage()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 10_000
    let text = JSONValue.string(String(repeating: "x", count: 300))
    for number in 0..<200 {
      let store = NormalizedStore(configuration, storage: storage)
      try store.write(
        ["todo": ["__typename": "Todo", "id": "1", "text": text]],
        for: Todos.text.with { $0.headers["authorization"] = "Bearer \(number)" })
      try await store.flush()
    }
    #expect(try storage.size().bytes <= 10_000)
    // There is room for the records of about thirty partitions.
    #expect(try storage.keys(in: .all).count { $0.hasSuffix(":LEARNED") } < 40)
  }

  @Test(
    "A budget spares what memory shows again and again (N8.2)", arguments: Place.allCases,
    [RequestPolicy.cacheFirst, .networkOnly])
  func usedInMemory(_ place: Place, _ policy: RequestPolicy) async throws {
    let medium = try place.medium()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 20_000
    let store = medium.store(configuration)
    let german = Todos.all.with { $0.headers["accept-language"] = "de" }
    let server = ScriptedExchange.immediate { _ in
      .data(
        #"{"todos":[{"__typename":"Todo","id":"1","text":"a","author":{"__typename":"Author","id":"7","name":"Ann"}}]}"#
      )
    }
    let client = GraphQLClient([.normalizedCache(store), server], configuration: .silent)
    for number in 10..<60 {
      for query in [Todos.all, german] {
        let result = await client.query(query.with { $0.requestPolicy = policy })
        #expect(result.data != nil)
      }
      try Self.write(number, bytes: 1_000, to: store)
      try await store.flush()
    }
    let next = medium.store()
    for query in [Todos.all, german, Self.todo(59)] { #expect(await next.load(query) != nil) }
    #expect(await next.load(Self.todo(10)) == nil)
  }

  @Test("The largest budget is none (N8.2)")
  func largest() async throws {
    let storage = ScriptedStorage()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = .max
    let store = NormalizedStore(configuration, storage: storage)
    try Self.write(1, bytes: 300, to: store)
    try await store.flush()
    #expect(storage.count(.collect) == 0)
  }

  @Test("A budget that cannot be kept does not cost a scan for each commit (N8.2)")
  func unreachable() async throws {
    let storage = ScriptedStorage()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumStoredBytes = 10_000
    let store = NormalizedStore(configuration, storage: storage)
    var pins: [StorePin] = []
    for number in 0..<40 {
      try Self.write(number, bytes: 300, to: store)
      pins.append(store.pin(Self.todo(number)))
    }
    try await store.flush()
    #expect(try storage.size().bytes > 10_000)
    let before = storage.count(.collect)
    for number in 0..<30 {
      try Self.write(number, bytes: 301 + number % 2, to: store)
      try await store.flush()
    }
    #expect(storage.count(.collect) <= before + 1)
    // The unpinned data is removed when enough was added.
    for pin in pins { pin.release() }
    for number in 50..<60 {
      try Self.write(number, bytes: 300, to: store)
      try await store.flush()
    }
    #expect(try storage.size().bytes <= 10_000)
  }

  @Test("An invalidation by type reaches other stores' partitions on one storage (K8, N9.5)")
  func partition() async throws {
    let storage = MemoryRecordStorage()
    let (first, second) = (NormalizedStore(storage: storage), NormalizedStore(storage: storage))
    let german = StoredPartitionTests.german
    try second.write(["todos": [Todos.todo("1")]], for: german)
    try await second.flush()
    #expect(second.explain(german).status == .complete)
    try first.update { $0.invalidate(.type("Todo")) }
    try await first.flush()
    // Its thread has then heard of the invalidation.
    try await second.flush()
    #expect(second.explain(german).status == .stale)
  }

  @Test(
    "A list is never shorter because the storage's budget has removed its elements (N3.4, N8.2)",
    arguments: Place.allCases)
  func shortenedList(_ place: Place) async throws {
    let medium = try place.medium()
    var configuration = NormalizedCacheConfiguration()
    configuration.dropsDangling = true
    configuration.maximumStoredBytes = 20_000
    let store = medium.store(configuration)
    let list = GraphQLOperation("{ todos { id text } }")
    func todo(_ number: Int) -> JSONValue {
      let text = String(repeating: "x", count: 1_000)
      return ["__typename": "Todo", "id": .string("\(number)"), "text": .string(text)]
    }
    try store.write(["todos": .array((0..<10).map(todo))], for: list)
    try await store.flush()
    // The list is newer than its elements.
    try store.write(["todos": .array((0..<10).reversed().map(todo))], for: list)
    try await store.flush()
    let keys = try medium.storage().keys(in: .all)
    for number in 10..<20 {
      try Self.write(number, bytes: 1_000, to: store)
      try await store.flush()
    }
    let left = try medium.storage().keys(in: .all)
    let isLost = !Set(left).isSuperset(of: keys)
    #expect(isLost && left.contains { $0.hasSuffix("todos") })
    #expect(await medium.store(configuration).load(list) == nil)
  }
}
