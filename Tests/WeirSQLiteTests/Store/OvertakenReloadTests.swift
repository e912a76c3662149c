import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Responses during which a store reloads", .timeLimit(.minutes(10)))
struct OvertakenReloadTests {
  private static let settings = GraphQLOperation("{ settings { theme size } }")
  private static let theme = GraphQLOperation("{ settings { theme } }")
  private static let size = GraphQLOperation("{ settings { size } }")

  private static func settings(theme: JSONValue? = nil, size: JSONValue? = nil) -> JSONValue {
    var settings: JSONValue = ["__typename": "Settings"]
    settings["theme"] = theme
    settings["size"] = size
    return ["settings": settings]
  }

  /// Two stores that share what the first has saved.
  private static func stores(
    with data: JSONValue, for operation: GraphQLOperation
  ) async throws -> (NormalizedStore, other: NormalizedStore) {
    let memory = MemoryRecordStorage()
    let store = NormalizedStore(storage: memory)
    try store.write(data, for: operation)
    try await store.flush()
    let other = NormalizedStore(storage: MemoryRecordStorage(sharing: memory))
    #expect(await other.load(operation) != nil)
    return (store, other)
  }

  /// A server that answers the first request when the gate opens, and no later one.
  private static func server(_ gate: Gate, _ answer: String) -> ScriptedExchange {
    let isFirst = Locked(true)
    return ScriptedExchange { _ in
      let answers = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard answers else { return .failure("no network") }
      await gate.pass()
      return .data(answer)
    }
  }

  @Test("A newer write stays in an object without a key that another store changes (N6.2, N9.5)")
  func embedded() async throws {
    let (store, other) = try await Self.stores(
      with: Self.settings(theme: "light", size: 10), for: Self.settings)
    let gate = Gate()
    let server = Self.server(
      gate, #"{"settings":{"__typename":"Settings","theme":"light","size":10}}"#)
    let client = GraphQLClient([.dedup, .normalizedCache(store), server])
    async let result = client.query(Self.settings.with { $0.requestPolicy = .networkOnly })
    await server.received(1)
    try store.write(Self.settings(theme: "dark"), for: Self.theme)
    var otherWatch = other.watch(Self.theme).makeAsyncIterator()
    let dark = await reach(
      { await otherWatch.next() }, until: { $0?["settings"]?["theme"]?.string == "dark" })
    #expect(dark != nil)
    var watch = store.watch(Self.size).makeAsyncIterator()
    _ = await watch.next()
    try other.write(Self.settings(size: 12), for: Self.size)
    #expect(await watch.next()??["settings"]?["size"]?.int == 12)
    gate.open()
    _ = await result
    #expect(store.read(Self.theme)?["settings"]?["theme"]?.string == "dark")
    #expect(server.operations.count == 1)
  }
}
