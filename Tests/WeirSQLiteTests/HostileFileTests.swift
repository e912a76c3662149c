import Foundation
import Testing
import Weir
import WeirNormalized

@testable import WeirSQLite

/// Files that somebody has made to harm the app, or that others could read.
@Suite("Hostile and private files", .timeLimit(.minutes(10)))
struct HostileFileTests {
  /// An endless query, with rows like ours.
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT CAST(i AS BLOB) AS key, 1 AS type, 1 AS used, 0 AS sum, zeroblob(100000000) AS value FROM n
    """

  private static func fill(_ file: TestFile) throws {
    let storage = file.storage()
    _ = try storage.register(["Todo"])
    try storage.put(StoredRecord("Todo:1"))
    storage.close()
  }

  @Test(
    "A view that is named like a table is not read: the rest is salvaged (N9.6)",
    arguments: ["records", "documents", "names", "state"])
  func view(_ table: String) throws {
    let file = try TestFile()
    try Self.fill(file)
    try file.sql("DROP TABLE \(table); CREATE VIEW \(table) AS \(Self.endless)")
    let storage = file.storage()
    let isSalvaged = table == "documents" || table == "names"
    #expect(try storage.text("Todo:1") == (isSalvaged ? "value" : nil))
    #expect(file.codes == [.quarantined])
    try storage.put(StoredRecord("Todo:2"))
    #expect(try storage.text("Todo:2") == "value")
  }

  @Test("A trigger or an index in the file is not run (N9.6)")
  func trigger() throws {
    let file = try TestFile()
    try Self.fill(file)
    try file.sql(
      """
      CREATE TABLE loot (key BLOB, value BLOB);
      CREATE TRIGGER spy AFTER INSERT ON records BEGIN INSERT INTO loot VALUES (new.key, new.value); END
      """)
    let storage = file.storage()
    try storage.put(StoredRecord("Todo:2"))
    #expect(try storage.text("Todo:1") == "value")
    #expect(file.codes == [.quarantined])
    #expect(try file.sql("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == "0")
  }

  @Test("Work that a file of its size cannot need ends with an error (N9.6)")
  func endlessWork() throws {
    let file = try TestFile()
    try Self.fill(file)
    let connection = try Connection(path: file.url.path, busyTimeout: .zero)
    connection.limitSteps(forBytes: 0)
    let error = #expect(throws: StorageError.self) {
      _ = try connection.integer(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
    }
    #expect(error?.code == .corrupt)
    // The next work has a limit of its own.
    connection.limitSteps(forBytes: 0)
    #expect(try connection.integer("SELECT count(*) FROM records") == 1)
  }

  @Test("Sorting and other work with rows leaves no copies of them in temporary files (N9.6)")
  func temporaryStorage() throws {
    let file = try TestFile()
    try Self.fill(file)
    let connection = try Connection(path: file.url.path, busyTimeout: .zero)
    // 2 stands for memory.
    #expect(try connection.integer("PRAGMA temp_store") == 2)
  }

  @Test("A value that claims to be larger than the file is not read (N9.6)")
  func largeValue() throws {
    let file = try TestFile()
    try Self.fill(file)
    let connection = try Connection(path: file.url.path, busyTimeout: .zero)
    connection.limitValues(toBytes: file.bytes().count)
    #expect(throws: StorageError.self) {
      _ = try connection.integer("SELECT length(zeroblob(2000000000))")
    }
  }

  @Test("The lock belongs to one file: others in the directory open meanwhile (N9.6)")
  func otherFile() throws {
    let file = try TestFile()
    let lock = try FileLock(of: DatabaseFile(file.url), timeout: .zero)
    let other = SQLiteStorage(fileURL: file.directory.appendingPathComponent("other.sqlite"))
    try other.put(StoredRecord("a"))
    #expect(try other.text("a") == "value")
    let error = #expect(throws: StorageError.self) { try file.hastyStorage().open() }
    #expect(error?.code == .busy)
    withExtendedLifetime(lock) {}
  }

  @Test("Only the owner can read the files, whatever the umask (N9.7)")
  func permissions() throws {
    let file = try TestFile()
    try file.claim()
    try file.write(Array("damaged".utf8))
    #expect(chmod(file.url.path, 0o644) == 0)
    let storage = file.storage()
    try storage.put(StoredRecord("a"))
    #expect(
      file.files == [
        "cache.sqlite", "cache.sqlite-shm", "cache.sqlite-wal", "cache.sqlite.damaged-1",
      ])
    for name in file.files {
      let path = file.directory.appendingPathComponent(name).path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
    }
    withExtendedLifetime(storage) {}
  }

  @Test("Damage at each start leaves one file that was set aside, the newest (N9.3)")
  func quarantine() throws {
    let file = try TestFile()
    for round in 1...5 {
      try? FileManager.default.removeItem(atPath: file.url.path + "-wal")
      try file.claim()
      try file.write(Array("damaged \(round)".utf8))
      let storage = file.storage()
      try storage.open()
      storage.close()
      let aside = file.files.filter { $0.contains("damaged") }
      #expect(aside.count == 1)
      let data = try Data(contentsOf: file.directory.appendingPathComponent(aside.first ?? ""))
      #expect(String(decoding: data, as: UTF8.self) == "damaged \(round)")
    }
    #expect(file.codes == Array(repeating: .quarantined, count: 5))
  }

  @Test("Numbers that no file reaches are damage, and overflow nowhere (N9.6)")
  func hugeNumbers() throws {
    for change: (inout FileState) -> Void in [
      { $0.sequence = .max }, { $0.bytes = .max }, { $0.nextName = .max }, { $0.epoch = .min },
    ] {
      let file = try TestFile()
      try Self.fill(file)
      let connection = try Connection(path: file.url.path, busyTimeout: .zero)
      _ = try FileState.change(in: connection) { (state) throws(StorageError) in change(&state) }
      let storage = file.storage()
      try storage.put(StoredRecord("Todo:2"))
      #expect(file.codes == [.quarantined])
      #expect(try storage.text("Todo:2") == "value")
    }
  }

  @Test("The largest number of a damaged file does not make the new file a damaged one (N9.6)")
  func largestSequence() throws {
    let file = try TestFile()
    try Self.fill(file)
    do {
      let connection = try Connection(path: file.url.path, busyTimeout: .zero)
      _ = try FileState.change(in: connection) { (state) throws(StorageError) in
        state.sequence = 1 << 60
      }
    }
    try file.sql("PRAGMA user_version = 1")
    let storage = file.storage()
    try storage.put(StoredRecord("Todo:2"))
    #expect(file.codes == [.quarantined])
    #expect(try storage.text("Todo:1") == "value")
    #expect(try storage.text("Todo:2") == "value")
  }
}
