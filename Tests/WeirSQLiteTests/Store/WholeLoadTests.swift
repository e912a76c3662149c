import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

/// Reads that do not wait, and loading everything for them (N9.9).
@Suite(.timeLimit(.minutes(10)))
struct WholeLoadTests {
  private static let server = ScriptedExchange.immediate { _ in .failure("offline") }

  @Test(
    "The first frame shows everything that the storage has, once it is loaded (N9.9)",
    arguments: Place.allCases)
  func firstFrame(_ place: Place) async throws {
    let medium = try await place.filled()
    let reported = Locked<[ClientDiagnostic]>([])
    let store = medium.store()
    var configuration = ClientConfiguration()
    configuration.onDiagnostic = { diagnostic in reported.withLock { $0.append(diagnostic) } }
    let client = GraphQLClient(
      [.dedup, .normalizedCache(store), Self.server], configuration: configuration)
    #expect(client.peek(Todos.all) == nil && client.peek(Todos.first) == nil)
    #expect(reported.withLock { $0.map(\.code) } == [.notLoaded])
    await store.load()
    #expect(Todos.texts(client.peek(Todos.all)?.data)?.count == 3)
    #expect(client.peek(Todos.first) != nil)
    try store.update { transaction in
      #expect(transaction.read(Todos.first) != nil)
    }
  }

  @Test("After everything is loaded, nothing is looked up until something changes (N9.9)")
  func nothingLeft() async throws {
    let storage = ScriptedStorage()
    let writer = NormalizedStore(storage: ScriptedStorage(storage.memory))
    try writer.write(Todos.data, for: Todos.all)
    try await writer.flush()
    let reported = Locked<[StoreDiagnostic]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.onDiagnostic = { diagnostic in reported.withLock { $0.append(diagnostic) } }
    let store = NormalizedStore(configuration, storage: storage)
    let other = GraphQLOperation("{ none }")
    await store.load()
    let count = storage.count(.load)
    #expect(await store.load(other) == nil)
    #expect(store.read(Todos.all) != nil && store.read(other) == nil)
    #expect(storage.count(.load) == count)
    #expect(reported.withLock(\.self).isEmpty)
    // What memory evicts is looked up again, and a read that misses it is told.
    #expect(store.collect(.bytes(0)) > 0)
    #expect(store.read(Todos.all) == nil && store.read(Todos.all) == nil)
    #expect(reported.withLock { $0.map(\.code) } == [.notLoaded])
    #expect(await store.load(Todos.all) != nil)
  }

  @Test("Loading everything stops at the limit of memory, and leaves unsaved changes alone (N9.9)")
  func limits() async throws {
    // The list alone makes room for its elements, so these have to be large.
    let large = try Place.memory.medium()
    let writer = large.store()
    let text = String(repeating: "x", count: 1_000)
    try writer.write(
      ["todos": .array((0..<3_000).map { Todos.todo("\($0)", text) })], for: Todos.all)
    try await writer.flush()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 1_000_000
    let small = large.store(configuration)
    await small.load()
    #expect((1_000_000..<2_000_000).contains(small.statistics.bytes))
    #expect(await small.load(Todos.all)?["todos"]?.count == 3_000)

    let medium = try await Place.memory.filled()
    let store = medium.store()
    try store.update { transaction in
      transaction.remove(.entity(Entity("Todo", id: "2")))
      try transaction.write(["todo": Todos.todo("1", "new")], for: Todos.first)
    }
    await store.load()
    #expect(store.read(Todos.first)?["todo"]?["text"]?.string == "new 1")
    #expect(store.read(Todos.all) == nil)
  }

  @Test("Objects without keys count toward the limit, wherever they come from (N8.3, N9.9)")
  func keyless() async throws {
    let medium = try Place.memory.medium()
    let writer = medium.store()
    let text = String(repeating: "x", count: 1_000)
    let todos = (0..<3_000).map { number -> JSONValue in
      [
        "__typename": "Todo", "id": .string("\(number)"),
        "note": ["__typename": "Note", "text": .string(text)],
      ]
    }
    try writer.write(
      ["todos": .array(todos)], for: GraphQLOperation("{ todos { id note { text } } }"))
    try await writer.flush()
    var configuration = NormalizedCacheConfiguration()
    configuration.maximumBytes = 1_000_000
    let small = medium.store(configuration)
    await small.load()
    #expect((1_000_000..<2_000_000).contains(small.statistics.recordBytes))
    let copy = NormalizedStore()
    try copy.restore(writer.extract())
    #expect(copy.statistics.recordBytes > 3_000_000)
  }

  @Test("What another store writes after everything is loaded is found (N9.9)")
  func changedByOthers() async throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    let (reader, writer) = (NormalizedStore(storage: storage), NormalizedStore(storage: storage))
    await reader.load()
    #expect(reader.read(Todos.all) == nil)
    try writer.write(Todos.data, for: Todos.all)
    try await writer.flush()
    #expect(await reader.load(Todos.all) != nil)
  }

  @Test("A removal during the loading of everything does not end it (N9.9)")
  func removalMeanwhile() async throws {
    let storage = ScriptedStorage()
    let writer = NormalizedStore(storage: ScriptedStorage(storage.memory))
    try writer.write(Todos.data, for: Todos.all)
    try await writer.flush()
    let store = NormalizedStore(storage: storage)
    storage.hold(.load)
    async let loaded: Void = store.load()
    await storage.waitUntilHeld()
    try store.update { $0.remove(.type("Tag")) }
    storage.release()
    await loaded
    #expect(Todos.texts(store.read(Todos.all))?.count == 3)
  }
}
