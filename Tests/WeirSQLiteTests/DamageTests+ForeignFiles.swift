import Foundation
import Testing
import Weir
import WeirNormalized
import WeirSQLite

extension DamageTests {
  // MARK: - Files that no storage of this version has made

  @Test(
    "A file that no storage has made is neither renamed nor changed (N9.3)",
    arguments: ["Dear diary, today I was a text file.\n", String(repeating: "x", count: 9_000)])
  func foreign(text: String) async throws {
    let file = try TestFile()
    try file.write(Array(text.utf8))
    let storage = file.storage()
    for _ in 0..<2 {
      #expect(throws: StorageError.self) { try storage.open() }
    }
    #expect(file.diagnostics.map(\.error?.code) == [.notPermitted])
    let error = Locked<StorageError?>(nil)
    var configuration = NormalizedCacheConfiguration()
    configuration.onStorageError = { new in error.withLock { $0 = new } }
    let store = NormalizedStore(configuration, storage: storage)
    let operation = GraphQLOperation("{ a }")
    try store.write(try JSON(parsing: #"{"a":1}"#), for: operation)
    _ = try? await store.flush()
    #expect(error.withLock { $0?.code } == .notPermitted)
    #expect(store.read(operation)?["a"]?.int == 1)
    #expect(file.bytes() == Array(text.utf8))
    #expect(file.files == ["cache.sqlite"])
  }

  @Test("A URL other than a file URL is refused, and nothing is written (N9.3)")
  func noFileURL() throws {
    let url = try #require(URL(string: "https://example.org/x.sqlite"))
    let storage = SQLiteStorage(fileURL: url)
    let error = #expect(throws: StorageError.self) { try storage.put(StoredRecord("a")) }
    #expect(error?.code == .notPermitted && error?.message.contains("https://example.org") == true)
    #expect(!FileManager.default.fileExists(atPath: "/x.sqlite"))
  }

  @Test(
    "A truncated file, or one of another format, is set aside and replaced (N9.3)",
    arguments: [
      ("no database", Array("Dear diary, today I was a text file.\n".utf8), true),
      ("zeros", [UInt8](repeating: 0, count: 8192), true),
      ("empty", [], false),
    ])
  func other(name: String, bytes: [UInt8], isSetAside: Bool) throws {
    let file = try TestFile()
    try file.claim()
    try file.write(bytes)
    #expect(try Self.expectUse(file, "\(name)") == 0)
    #expect(file.codes == (isSetAside ? [.quarantined] : []))
    #expect(file.files.contains("cache.sqlite.damaged-1") == isSetAside)
    if isSetAside {
      let aside = file.directory.appendingPathComponent("cache.sqlite.damaged-1")
      #expect(try Array(Data(contentsOf: aside)) == bytes)
      #expect(file.diagnostics[0].file == aside)
      #expect(file.diagnostics[0].error?.code == .corrupt)
    }
  }

  @Test("A file of a newer version is left unchanged (N9.2)")
  func newerVersion() throws {
    let file = try TestFile()
    try Self.fill(file)
    try file.sql("PRAGMA journal_mode = DELETE; PRAGMA user_version = 3")
    let before = file.bytes()
    let storage = file.storage()
    for _ in 0..<3 {
      #expect(throws: StorageError.self) { try storage.put(StoredRecord("a")) }
      let error = #expect(throws: StorageError.self) { try storage.load(["Todo:1"]) }
      #expect(error?.code == .newerVersion)
    }
    storage.close()
    #expect(file.bytes() == before)
    #expect(file.files == ["cache.sqlite"])
    #expect(file.codes == [.unavailable])
    #expect(file.diagnostics.first?.error?.code == .newerVersion)
  }

  @Test("A removal of everything replaces a file of a newer version (N9.2, N9.5)")
  func removalOfNewerVersion() throws {
    let file = try TestFile()
    let first = file.storage()
    try first.put(StoredRecord("Todo:1", "secret"))
    first.close()
    try file.sql("PRAGMA journal_mode = DELETE; PRAGMA user_version = 3")
    let storage = file.storage()
    #expect(throws: StorageError.self) { try storage.load(["Todo:1"]) }
    try storage.removeAll()
    #expect(try storage.keys(in: .all) == [])
    for name in file.files {
      let path = file.directory.appendingPathComponent(name)
      #expect(try Data(contentsOf: path).firstRange(of: Data("secret".utf8)) == nil, "\(name)")
    }
    try storage.put(StoredRecord("a"))
    #expect(try file.storage().text("a") == "value")
  }

  @Test("A file of a lower version is set aside, and its records are copied (N9.2)")
  func lowerVersion() throws {
    let file = try TestFile()
    try Self.fill(file)
    try file.sql("PRAGMA user_version = 1")
    #expect(try Self.expectUse(file, "Lower version") == 500)
    #expect(file.codes == [.quarantined])
  }

  @Test("Another program's database is left unchanged (N9.3)")
  func foreign() throws {
    let file = try TestFile()
    try file.sql("CREATE TABLE state (x); INSERT INTO state VALUES (1)")
    let before = file.bytes()
    let storage = file.storage()
    let error = #expect(throws: StorageError.self) { try storage.put(StoredRecord("a")) }
    #expect(error?.code == .notPermitted)
    #expect(throws: StorageError.self) { try storage.removeAll() }
    storage.close()
    #expect(file.bytes() == before)
  }
}
