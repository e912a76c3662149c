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
}
