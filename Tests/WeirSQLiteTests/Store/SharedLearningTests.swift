import Dispatch
import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("What stores learn that hear nothing of each other", .timeLimit(.minutes(10)))
struct SharedLearningTests {
  private static func page(_ number: Int, of list: String) -> GraphQLOperation {
    GraphQLOperation(
      GraphQLDocument("query Page($page: Int!) { \(list)(page: $page) { id } }"),
      variables: ["page": .int(Int64(number))])
  }

  /// Writes a page from which the store learns what the list contains, and an empty page.
  private static func write(_ list: String, to store: NormalizedStore) async throws {
    try store.write([list: [["__typename": "Todo", "id": "1"]]], for: page(1, of: list))
    try store.write([list: []], for: page(2, of: list))
    try await store.flush()
  }

  @Test("What a store has learned stays when another one saves what it has learned (N9.5)")
  func lists() async throws {
    let memory = MemoryRecordStorage()
    let stores = (0..<2).map { _ in
      NormalizedStore(
        storage: ScriptedStorage(MemoryRecordStorage(sharing: memory), isDeaf: true))
    }
    // Both know what nobody has learned yet.
    for store in stores { _ = await store.load(Self.page(0, of: "todos")) }
    try await Self.write("todos", to: stores[0])
    try await Self.write("feed", to: stores[1])
    let third = NormalizedStore(storage: MemoryRecordStorage(sharing: memory))
    let client = GraphQLClient([.normalizedCache(third)], configuration: .silent)
    client.invalidate(types: "Todo")
    try await third.flush()
    for list in ["todos", "feed"] {
      let page = Self.page(2, of: list).with { $0.requestPolicy = .cacheOnly }
      let result = await client.query(page)
      #expect(result.data != nil && result.isStale, "\(list)")
    }
  }

  @Test("A store keeps what it learns from its storage during a transaction (N9.5)")
  func duringTransaction() async throws {
    let memory = MemoryRecordStorage()
    try await Self.write("todos", to: NormalizedStore(storage: memory))
    let storage = ScriptedStorage(MemoryRecordStorage(sharing: memory))
    let store = NormalizedStore(storage: storage)
    storage.hold(.learned)
    let isLoaded = DispatchSemaphore(value: 0)
    Task {
      _ = await store.load(Self.page(0, of: "todos"))
      isLoaded.signal()
    }
    await storage.waitUntilHeld()
    var runs = 0
    try store.update { transaction in
      try transaction.write(["flag": true], for: GraphQLOperation("{ flag }"))
      runs += 1
      guard runs == 1 else { return }
      storage.release()
      #expect(isLoaded.wait(timeout: .now() + 540) == .success)
    }
    // Memory cannot see what an empty list contains.
    _ = await store.load(Self.page(2, of: "todos"))
    let client = GraphQLClient([.normalizedCache(store)], configuration: .silent)
    client.invalidate(types: "Todo")
    let page = Self.page(2, of: "todos").with { $0.requestPolicy = .cacheOnly }
    let result = await client.query(page)
    #expect(result.data != nil && result.isStale)
  }
}
