import CSQLite
import Foundation
import TestSupport
import Weir
import WeirNormalized
import WeirSQLite

/// A temporary directory for a test, which is removed on deallocation.
final class TestFile: Sendable {
  let directory: URL
  let url: URL
  private let told = Locked<[StorageDiagnostic]>([])

  /// A file system in memory if there is one, because its `fsync` is fast.
  init(inMemory: Bool = false) throws {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let parent =
      inMemory && FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    directory = parent.appendingPathComponent("weir-sqlite-\(UUID().uuidString)")
    url = directory.appendingPathComponent("cache.sqlite")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Makes a storage whose diagnostics are collected here. It waits for others on a busy machine, too.
  func storage(_ change: (inout SQLiteConfiguration) -> Void = { _ in }) -> SQLiteStorage {
    var configuration = SQLiteConfiguration()
    configuration.busyTimeout = .seconds(60)
    configuration.externalChangeInterval = .milliseconds(10)
    configuration.onDiagnostic = { [told] diagnostic in told.withLock { $0.append(diagnostic) } }
    change(&configuration)
    return SQLiteStorage(fileURL: url, configuration: configuration)
  }

  /// Makes a storage that soon gives up while another process writes.
  func hastyStorage() -> SQLiteStorage { storage { $0.busyTimeout = .milliseconds(50) } }

  var diagnostics: [StorageDiagnostic] { told.withLock { $0 } }
  var codes: [StorageDiagnostic.Code] { diagnostics.map(\.code) }

  /// The names of all files in the directory but two: the mark that the file belongs to a storage, and
  /// the lock, which comes and goes while a storage tries to open the file.
  var files: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()) ?? []
    return all.filter { !$0.hasSuffix("-weir") && !$0.hasSuffix("-lock") }
  }

  /// Marks the file as one that a storage has opened before.
  func claim() throws { try write([], "-weir") }

  func bytes(_ suffix: String = "") -> [UInt8] {
    (try? Data(contentsOf: URL(fileURLWithPath: url.path + suffix))).map(Array.init) ?? []
  }

  func write(_ bytes: [UInt8], _ suffix: String = "") throws {
    try Data(bytes).write(to: URL(fileURLWithPath: url.path + suffix))
  }
}

extension StoredRecord {
  init(_ key: String, type: UInt32 = 1, _ text: String = "value") {
    self.init(key: key, type: type, value: Array(text.utf8))
  }
}

extension SQLiteStorage {
  func put(_ records: StoredRecord...) throws {
    try commit(RecordBatch(records: records))
  }

  /// Returns the value of a record as text.
  func text(_ key: String) throws -> String? {
    try load([key])[0].map { String(decoding: $0.value, as: UTF8.self) }
  }
}

extension [UInt8] {
  /// Changes some bytes, up to the given number.
  mutating func flip(upTo count: Int, in places: Range<Int>, using random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1...count, using: &random) {
      let place = Int.random(in: places, using: &random)
      self[place] ^= UInt8.random(in: 1...255, using: &random)
    }
  }
}

extension TestFile {
  /// Returns the result of SQLite's integrity check.
  func integrity() throws -> String {
    try sql("PRAGMA integrity_check")
  }

  /// Runs SQL on the file, independently of any storage, and returns the first value of the last row
  /// as text.
  @discardableResult
  func sql(_ sql: String) throws -> String {
    var connection: OpaquePointer?
    guard sqlite3_open(url.path, &connection) == SQLITE_OK else {
      throw CocoaError(.fileReadUnknown)
    }
    defer { sqlite3_close(connection) }
    var last = ""
    var rest: String? = sql
    while let text = rest, !text.isEmpty {
      rest = nil
      var statement: OpaquePointer?
      let status = text.withCString { start -> Int32 in
        var tail: UnsafePointer<CChar>?
        let status = sqlite3_prepare_v2(connection, start, -1, &statement, &tail)
        rest = tail.map { String(cString: $0) }
        return status
      }
      guard status == SQLITE_OK else { throw CocoaError(.fileReadCorruptFile) }
      defer { sqlite3_finalize(statement) }
      var step = sqlite3_step(statement)
      while step == SQLITE_ROW {
        last = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
        step = sqlite3_step(statement)
      }
      guard step == SQLITE_DONE else { throw CocoaError(.fileReadCorruptFile) }
    }
    return last
  }
}
