import Foundation
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

/// Data that an earlier version of an app has saved with another configuration.
@Suite("A changed configuration", .timeLimit(.minutes(10)))
struct ChangedConfigurationTests {
  @Test("Saved data keeps its time to live until its type gets a new fingerprint (N8.1, N9.2)")
  func timeToLive() async throws {
    let file = try TestFile(inMemory: true)
    let store = NormalizedStore(storage: file.storage())
    try store.write(Todos.data, for: Todos.all)
    try await store.flush()
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive["Todo"] = .seconds(60)
    let clock = ManualClock()
    let next = NormalizedStore(configuration, storage: file.storage(), clock: clock)
    #expect(await next.load(Todos.all) != nil)
    clock.advance(by: .seconds(3600))
    let server = ScriptedExchange.immediate { _ in .failure("down") }
    let client = GraphQLClient([.normalizedCache(next), server])
    #expect(client.peek(Todos.all)?.isStale == false)
    let updated = file.storage { $0.fingerprints["Todo"] = "with a time to live" }
    let last = NormalizedStore(configuration, storage: updated, clock: clock)
    #expect(await last.load(Todos.all) == nil)
  }

  @Test("A fingerprint of `Query` drops the root's fields, whatever the root is called (N9.2)")
  func rootFingerprint() async throws {
    let file = try TestFile(inMemory: true)
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(
      sdl: "schema { query: Root } type Root { settings: Settings } type Settings { theme: String }"
    )
    let settings = GraphQLOperation("{ settings { theme } }")
    let store = NormalizedStore(configuration, storage: file.storage())
    try store.write(["settings": ["__typename": "Settings", "theme": "dark"]], for: settings)
    try await store.flush()
    let next = NormalizedStore(configuration, storage: file.storage())
    let client = GraphQLClient([.normalizedCache(next)], configuration: .silent)
    client.invalidate(types: "Root")
    let found = await client.query(settings.with { $0.requestPolicy = .cacheOnly })
    #expect(found.data != nil && found.isStale)
    let updated = file.storage { $0.fingerprints["Query"] = "2" }
    #expect(await NormalizedStore(configuration, storage: updated).load(settings) == nil)
  }

  @Test("An ordinary type that is called Query is not the type of the root (N5.2, N9.2)")
  func ordinaryQuery() async throws {
    let file = try TestFile(inMemory: true)
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = try GraphQLSchema(
      sdl: """
        schema { query: Root }
        type Root { theme: String queries: [Query] }
        type Query { id: ID! text: String }
        """)
    let theme = GraphQLOperation("{ theme }")
    let queries = GraphQLOperation("{ queries { id text } }")
    let store = NormalizedStore(configuration, storage: file.storage())
    try store.write(["theme": "dark"], for: theme)
    try store.write(
      ["queries": [["__typename": "Query", "id": "1", "text": "a"]]], for: queries)
    try await store.flush()
    try store.update { $0.remove(.type("Query")) }
    try await store.flush()
    let next = NormalizedStore(configuration, storage: file.storage())
    #expect(await next.load(theme) != nil)
    #expect(await next.load(queries) == nil)
  }

  @Test("Records of another key are found, and those of another group are not (N1.2, N9.2)")
  func keys() async throws {
    var keyed = NormalizedCacheConfiguration()
    keyed.keys["Todo"] = .field("text")
    var grouped = NormalizedCacheConfiguration()
    grouped.groups["Todo"] = "Item"
    let plain = NormalizedCacheConfiguration()
    for (first, second, isFound) in [
      (plain, keyed, true), (keyed, plain, true), (plain, grouped, false), (grouped, plain, false),
    ] {
      let medium = try Place.file.medium()
      let store = medium.store(first)
      try store.write(Todos.data, for: Todos.all)
      try await store.flush()
      let next = medium.store(second)
      #expect(await (next.load(Todos.all) != nil) == isFound)
      try next.write(Todos.data, for: Todos.all)
      try await next.flush()
      #expect(await medium.store(second).load(Todos.all)?["todos"]?.count == 3)
    }
  }
}
