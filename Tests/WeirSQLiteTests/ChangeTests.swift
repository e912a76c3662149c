import Foundation
import TestSupport
import Testing
import WeirNormalized

@testable import WeirSQLite

@Suite("Changes by other storages", .timeLimit(.minutes(10)))
struct ChangeTests {
  /// Makes two open storages on a file; the second one polls only once an hour.
  static func storages(of file: TestFile) throws -> (SQLiteStorage, SQLiteStorage) {
    let (first, second) = (
      file.storage(), file.storage { $0.externalChangeInterval = .seconds(3600) }
    )
    try first.open()
    try second.open()
    return (first, second)
  }

  @Test("Another process's writes are seen, and listeners are notified (N9.5)")
  func anotherProcessWrites() async throws {
    let file = try TestFile()
    let storage = file.storage()
    let numbers = try storage.register(["second", "own"])
    var changes = storage.externalChanges().makeAsyncIterator()
    let said = try await OtherProcess("change", file.url, "a", "b").lines()
    #expect(said == ["\(numbers[1] + 1) \(numbers[0])", "register ok", "commit ok"])
    #expect(await changes.next() == .some(["a", "b"]))
    #expect(try storage.load(["a", "b"]).allSatisfy { $0?.value == [7] })
    #expect(try storage.names()[numbers[1] + 1] == "first")
    try storage.put(StoredRecord("a"))
    _ = try await OtherProcess("change", file.url, "c").lines()
    #expect(await changes.next() == .some(["c"]))
  }

  @Test("This process's writes notify a listener in another process (N9.5)")
  func anotherProcessListens() async throws {
    let file = try TestFile()
    let storage = file.storage()
    try storage.put(StoredRecord("a"))
    let listener = try OtherProcess("listen", file.url)
    #expect(await listener.line() == "listening 1")
    try storage.put(StoredRecord("b"), StoredRecord("c"))
    #expect(await listener.line() == "b c")
    try storage.removeAll()
    #expect(await listener.line() == "anything")
  }

  @Test("After a commit that is too large, or too many commits, anything may have changed (N9.5)")
  func bounds() async throws {
    let file = try TestFile(inMemory: true)
    let (first, second) = try Self.storages(of: file)
    var changes = second.externalChanges().makeAsyncIterator()
    try first.put(StoredRecord("a"))
    #expect(await changes.next() == .some(["a"]))
    try first.commit(RecordBatch(records: (0..<5_000).map { StoredRecord("Todo:\($0)") }))
    #expect(await changes.next() == .some(nil))
    try first.put(StoredRecord("b"))
    #expect(await changes.next() == .some(["b"]))
    // More commits than the log holds, without waking the listener.
    _ = try await OtherProcess("burst", file.url, "300").lines()
    try first.put(StoredRecord("c"))
    #expect(await changes.next() == .some(nil))
  }

  @Test("Numbers of names stay valid when another process clears the file (N9.5)")
  func clearedByAnother() throws {
    let file = try TestFile()
    let (first, second) = (file.storage(), file.storage())
    let old = try first.register(["id", "text"])
    try second.removeAll()
    let new = try second.register(["text", "due"])
    #expect(Set(old).isDisjoint(with: new))
    // The first storage continues with its numbers.
    #expect(try first.register(["id", "text"]) == old)
    try first.put(StoredRecord("a"))
    let names = try second.names()
    #expect(names[old[0]] == "id" && names[old[1]] == "text")
    #expect(names[new[0]] == "text" && names[new[1]] == "due")
    first.close()
    second.close()
    #expect(try file.storage().names() == names)
  }

  @Test("A later listener gets the changes since the file was opened (N9.5)")
  func listeningLater() async throws {
    let file = try TestFile()
    let (first, second) = (file.storage(), file.storage())
    try first.open()
    try second.open()
    try first.put(StoredRecord("own"))
    for round in 0..<20 {
      try second.put(StoredRecord("\(round)"))
      var changes = first.externalChanges().makeAsyncIterator()
      #expect(await changes.next() == .some(Set((0...round).map(String.init))))
    }
  }
}

extension ChangeTests {
  @Test("What a storage has committed and removed itself does not concern its listeners (N9.5)")
  func own() async throws {
    let file = try TestFile(inMemory: true)
    let (storage, other) = try Self.storages(of: file)
    try storage.put(StoredRecord("a"))
    try storage.removeAll()
    // More commits than the log holds.
    for _ in 0..<300 { try storage.put(StoredRecord("b")) }
    var changes = storage.externalChanges().makeAsyncIterator()
    try other.put(StoredRecord("c"))
    #expect(await changes.next() == .some(["c"]))
  }

  @Test("A collection is not reported: what other storages have in memory is right (N8.2, N9.5)")
  func collected() async throws {
    let file = try TestFile(inMemory: true)
    let (first, second) = try Self.storages(of: file)
    var changes = second.externalChanges().makeAsyncIterator()
    try first.put(StoredRecord("a"), StoredRecord("b"))
    #expect(await changes.next() == .some(["a", "b"]))
    #expect(try first.collect(toBytes: 0, keeping: ["b"], atMost: 10) == ["a"])
    try first.put(StoredRecord("c"))
    #expect(await changes.next() == .some(["c"]))
  }

  @Test("A removal that ends with an error is reported if the records are gone (N9.5)")
  func busyRemoval() async throws {
    let file = try TestFile(inMemory: true)
    let (first, second) = (
      file.hastyStorage(), file.storage { $0.externalChangeInterval = nil }
    )
    try second.open()
    var changes = second.externalChanges().makeAsyncIterator()
    try first.put(StoredRecord("a"))
    #expect(await changes.next() == .some(["a"]))
    // Reads the log, so that it cannot be emptied.
    let reader = try Connection(path: file.url.path, busyTimeout: .zero)
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT count(*) FROM records") == 1)
    let error = #expect(throws: StorageError.self) { try first.removeAll() }
    #expect(error?.code == .busy)
    #expect(try second.load(["a"]) == [nil])
    #expect(await changes.next() == .some(nil))
    try reader.execute("COMMIT")
  }

  @Test("A name that another storage has just registered has the same number here (N9.5)")
  func registeredByAnother() throws {
    let file = try TestFile(inMemory: true)
    let (first, second) = (file.storage(), file.storage())
    #expect(try first.register(["id"]) == second.register(["id"]))
    #expect(try first.register(["text", "id"]) == second.register(["text", "id"]))
  }

  @Test(
    "After a changed fingerprint drops records, other storages hear that anything may have changed (N9.5)"
  )
  func droppedByFingerprint() async throws {
    let file = try TestFile(inMemory: true)
    let (first, second) = (
      file.storage { $0.fingerprints = ["Todo": "1"] },
      file.storage { $0.fingerprints = ["Todo": "2"] }
    )
    let type = try first.register(["Todo"])[0]
    try first.put(StoredRecord("a", type: type))
    var changes = first.externalChanges().makeAsyncIterator()
    try second.open()
    #expect(try first.load(["a"]) == [nil])
    #expect(await changes.next() == .some(nil))
  }

  @Test("Without an interval, the next call notices that the file was replaced (N9.5)")
  func replaced() async throws {
    let file = try TestFile(inMemory: true)
    let (other, storage) = (file.storage(), file.storage { $0.externalChangeInterval = nil })
    try storage.open()
    var changes = storage.externalChanges().makeAsyncIterator()
    try other.put(StoredRecord("a"))
    #expect(await changes.next() == .some(["a"]))
    // Nothing wakes the listener's thread from now on.
    other.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.url.path + suffix)
    }
    try storage.put(StoredRecord("b"))
    #expect(await changes.next() == .some(nil))
  }

  @Test(
    "A listener that was slow hears that it has missed something, without another commit (N9.5)",
    arguments: [nil, Duration.seconds(3600)])
  func slowListener(interval: Duration?) async throws {
    let file = try TestFile(inMemory: true)
    let (first, second) = (
      file.storage(), file.storage { $0.externalChangeInterval = interval }
    )
    try second.open()
    var changes = second.externalChanges().makeAsyncIterator()
    for number in 1...(ChangeFeed.bufferSize + 5) {
      try first.put(StoredRecord("\(number)"))
      // Each commit is a notification of its own if the listener's thread has seen the one before.
      await eventually { second.feed.listeners[0].position?.sequence == Int64(number) }
    }
    var keys: Set<String>?? = .some([])
    while let found = keys, found != nil { keys = await changes.next() }
    #expect(keys == .some(nil))
  }

  @Test("A type with two numbers is found by either (N9.5)")
  func typeWithTwoNumbers() throws {
    let file = try TestFile(inMemory: true)
    let (first, second) = (file.storage(), file.storage())
    let old = try first.register(["Todo"])[0]
    #expect(try second.register(["Todo"]) == [old])
    try first.removeAll()
    let new = try first.register(["Todo"])[0]
    try first.put(StoredRecord("Todo:1", type: new))
    try second.put(StoredRecord("Todo:2", type: old))
    for number in [old, new] {
      #expect(Set(try first.keys(in: .type(number))) == ["Todo:1", "Todo:2"])
    }
  }
}
