import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized

@testable import WeirSQLite

@Suite("A suspended storage", .timeLimit(.minutes(10)))
struct SuspensionTests {
  private let todo = GraphQLOperation("{ todo { __typename id text } }")

  private func write(
    _ text: String, for operation: GraphQLOperation? = nil, to store: NormalizedStore
  ) throws {
    try store.write(
      ["todo": ["__typename": "Todo", "id": "1", "text": .string(text)]], for: operation ?? todo)
  }

  private func isOpen(_ file: TestFile) throws -> Bool {
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return descriptors.contains { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(name)")
      return target == file.url.path
    }
  }

  @Test("It has no file open, refuses calls, and opens the file again after the resumption (N9.8)")
  func refusal() throws {
    let file = try TestFile()
    let storage = file.storage()
    try storage.put(StoredRecord("a"))
    #if os(Linux)
      #expect(try isOpen(file))
    #endif
    storage.suspend()
    #if os(Linux)
      #expect(try !isOpen(file))
    #endif
    let error = #expect(throws: StorageError.self) { try storage.put(StoredRecord("b")) }
    #expect(error?.code == .suspended && error?.message.contains("resume()") == true)
    storage.resume()
    try storage.put(StoredRecord("b"))
    #expect(try storage.load(["a", "b"]).allSatisfy { $0 != nil })
    #expect(file.codes == [])
  }

  @Test("A store continues in memory, and commits by itself after the resumption (N9.8)")
  func store() async throws {
    let file = try TestFile()
    let (storage, second) = (file.storage(), file.storage())
    let store = NormalizedStore(storage: storage)
    try write("before", to: store)
    try await store.flush()
    storage.suspend()
    try write("meanwhile", to: store)
    let error = await #expect(throws: StorageError.self) { try await store.flush() }
    #expect(error?.code == .suspended)
    #expect(store.read(todo)?["todo"]?["text"]?.string == "meanwhile")
    var changes = second.externalChanges().makeAsyncIterator()
    try second.open()
    storage.resume()
    // Nobody flushes: the resumption alone makes the store commit.
    let keys = await changes.next()
    #expect(keys??.contains("Todo:1") == true)
    let reader = NormalizedStore(storage: second)
    await reader.load(todo)
    #expect(reader.read(todo)?["todo"]?["text"]?.string == "meanwhile")
  }

  @Test("A partition continues in memory, and commits by itself after the resumption (N9.8, K8)")
  func partition() async throws {
    let file = try TestFile()
    let (storage, second) = (file.storage(), file.storage())
    let store = NormalizedStore(storage: storage)
    let german = todo.with { $0.headers["accept-language"] = "de" }
    try write("before", for: german, to: store)
    try await store.flush()
    storage.suspend()
    try write("meanwhile", for: german, to: store)
    await #expect(throws: StorageError.self) { try await store.flush() }
    var changes = second.externalChanges().makeAsyncIterator()
    try second.open()
    storage.resume()
    var keys: Set<String> = []
    while !keys.contains(where: { $0.hasSuffix(":Todo:1") }) {
      keys = try #require(await changes.next()) ?? []
    }
    let loaded = await NormalizedStore(storage: second).load(german)
    #expect(loaded?["todo"]?["text"]?.string == "meanwhile")
  }

  @Test("A collection keeps what was written meanwhile until it is saved (N8.2, N9.8)")
  func collection() async throws {
    let file = try TestFile()
    let storage = file.storage()
    let store = NormalizedStore(storage: storage)
    let draft = try GraphQLFragment("fragment Draft on Draft { text }")
    let entity = Entity("Draft", id: "1")
    storage.suspend()
    try store.update { try $0.write(["text": "a"], for: draft, of: entity) }
    await #expect(throws: StorageError.self) { try await store.flush() }
    store.collect()
    storage.resume()
    try await store.flush()
    let saved = await NormalizedStore(storage: file.storage()).load(draft, of: entity)
    #expect(saved?["text"]?.string == "a")
  }

  @Test("Changes that another storage made meanwhile arrive after the resumption (N9.8)")
  func changesMeanwhile() async throws {
    let file = try TestFile()
    let (first, second) = (
      file.storage { $0.externalChangeInterval = nil }, file.storage()
    )
    try first.open()
    let changes = first.externalChanges()
    first.suspend()
    try second.put(StoredRecord("a"))
    first.resume()
    // An empty set announces the resumption; the order of the two is not defined.
    var found: Set<String>?
    for await keys in changes where keys?.isEmpty == false {
      found = keys
      break
    }
    #expect(found == ["a"])
  }

  @Test("A watch that began meanwhile shows what the file has after the resumption (N4.2, N9.8)")
  func watch() async throws {
    let file = try TestFile()
    let first = NormalizedStore(storage: file.storage())
    try write("saved", to: first)
    try await first.flush()
    let storage = file.storage()
    let store = NormalizedStore(storage: storage)
    storage.suspend()
    var watch = store.watch(todo).makeAsyncIterator()
    let nothing = await watch.next()
    #expect(nothing == .some(nil))
    async let next = watch.next()
    storage.resume()
    #expect(await next??["todo"]?["text"]?.string == "saved")
  }

  /// The processor time of removing entities by name while the storage is suspended.
  private func time(ofRemoving count: Int) async throws -> Duration {
    let file = try TestFile()
    let storage = file.storage()
    let store = NormalizedStore(storage: storage)
    try write("saved", to: store)
    try await store.flush()
    storage.suspend()
    try write("unsaved", to: store)
    try? await store.flush()
    return try processorTime {
      try store.update { transaction in
        for number in 0..<count { transaction.remove(.entity(Entity("Todo", id: "\(number)"))) }
      }
    }
  }

  @Test("A removal costs the same, however many the storage has still to carry out (N9.3)")
  func removals() async throws {
    let few = try await time(ofRemoving: 500)
    let many = try await time(ofRemoving: 8_000)
    #expect(many < few * 64)
  }

  @Test("Commits that survive a power loss ask Apple's systems to wait for the disk")
  func durability() {
    var configuration = SQLiteConfiguration()
    #expect(configuration.durability == ["PRAGMA synchronous = NORMAL"])
    configuration.survivesPowerLoss = true
    #expect(configuration.durability.contains("PRAGMA fullfsync = ON"))
    #expect(configuration.durability.contains("PRAGMA checkpoint_fullfsync = ON"))
  }

  @Test("A file that Apple's SQLite reports as renamed is opened again, once (N9.8)")
  func renamed() throws {
    // SQLITE_IOERR_VNODE
    #expect(StorageError.code(10, extended: 6922, system: 0) == .replaced)
    let file = try TestFile()
    let storage = file.storage()
    try storage.put(StoredRecord("a"))
    var attempts = 0
    let found = try storage.perform { (_, _) throws(StorageError) -> Int in
      attempts += 1
      guard attempts > 1 else { throw StorageError(.replaced, "renamed") }
      return 7
    }
    #expect(found == 7 && attempts == 2)
    #expect(file.codes == [.replaced])
    #expect(try storage.load(["a"]).first??.key == "a")
  }
}
