import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite

@Suite("A damaged file", .timeLimit(.minutes(10)))
struct DamageTests {
  /// Makes a closed file with 500 records; each value contains its key.
  static func fill(_ file: TestFile) throws {
    let storage = file.storage()
    _ = try storage.register(["id", "text"])
    try storage.commit(
      RecordBatch(
        records: (0..<500).map {
          StoredRecord("Todo:\($0)", "\($0) " + String(repeating: "x", count: 99))
        }
      ))
    storage.close()
    // The records that are still in the log were written last.
  }

  /// Checks that all records that are found are correct, and that the storage works.
  static func expectUse(_ file: TestFile, _ comment: Comment) throws -> Int {
    let storage = file.storage()
    defer { storage.close() }
    let keys = (0..<500).map { "Todo:\($0)" }
    let found = expectRight(try storage.load(keys), comment)
    let numbers = try storage.register(["fresh"])
    #expect(try storage.names()[numbers[0]] == "fresh", comment)
    try storage.put(StoredRecord("new", "written"))
    #expect(try storage.text("new") == "written", comment)
    #expect(try storage.keys(in: .all).contains("new"), comment)
    return found
  }

  /// Checks the records that are found of all 500, and returns their number.
  static func expectRight(_ records: [StoredRecord?], _ comment: Comment) -> Int {
    for (number, record) in records.enumerated() {
      guard let record else { continue }
      #expect(record.value.starts(with: Array("\(number) x".utf8)) && record.type == 1, comment)
    }
    return records.count { $0 != nil }
  }

  @Test("Flipped bytes are never taken for data, and intact records are kept (N9.3)")
  func flippedBytes() throws {
    let original = try TestFile(inMemory: true)
    try Self.fill(original)
    let bytes = original.bytes()
    var random = SeededRandom(seed: 5)
    var kept = 0
    for round in 0..<Stress.rounds(100) {
      let file = try TestFile(inMemory: true)
      var damaged = bytes
      // Hits the first page once in ten times, otherwise any page.
      damaged.flip(upTo: 40, in: 0..<(round % 10 == 0 ? 4096 : bytes.count), using: &random)
      try file.write(damaged)
      do {
        kept += try Self.expectUse(file, "Round \(round)")
      } catch let error as StorageError {
        // A hit on the version's or the owner's number makes the storage leave the file alone.
        #expect([.newerVersion, .notPermitted].contains(error.code), "Round \(round): \(error)")
      }
      let aside = file.files.filter { $0.contains("damaged") }
      let told = file.codes.filter { $0 == .quarantined }.count
      #expect(aside.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.count == told)
    }
    #expect(kept > 500 * Stress.rounds(100) / 2, "Most records can be read: \(kept)")
  }

  @Test(
    "A truncated file keeps the records before the cut (N9.3)",
    arguments: [(100, 0), (4096, 0), (5000, 0), (20480, 0), (40960, 20), (-4096, 400)])
  func truncated(length: Int, found: Int) throws {
    let file = try TestFile()
    try Self.fill(file)
    let bytes = file.bytes()
    try file.write(Array(bytes.prefix(length < 0 ? bytes.count + length : length)))
    // The file looks like one that was not closed.
    try file.write([1], "-wal")
    #expect(try Self.expectUse(file, "\(length)") >= found)
    #expect(file.codes.first == .quarantined)
  }

  @Test("A damaged value counts as missing, without a full check (N9.3)")
  func damagedValue() throws {
    let file = try TestFile()
    try Self.fill(file)
    var bytes = file.bytes()
    let marker = Array("7 xxxxxxxx".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: marker) })
    bytes[start + 20] = UInt8(ascii: "y")
    try file.write(bytes)
    let found = try Self.expectUse(file, "One byte")
    #expect(found == 499)
    #expect(file.codes == [.damagedValues])
    #expect(file.diagnostics.first?.count == 1)
  }

  @Test("An old log makes no wrong data, and a missing one does no harm (N9.3)")
  func log() throws {
    let file = try TestFile()
    let open = file.storage()
    try open.put(StoredRecord("a", "old"))
    let staleLog = file.bytes("-wal")
    let main = file.bytes()
    open.close()
    try Self.fill(file)
    try file.write(staleLog, "-wal")
    // SQLite plays the log back, which may replace all records.
    _ = try Self.expectUse(file, "Stale log")
    #expect(try file.integrity() == "ok")
    let second = try TestFile()
    try second.write(main)
    #expect(try Self.expectUse(second, "Missing log") == 0)
    #expect(try second.integrity() == "ok")
  }

  @Test("Damage that is found while the file is open is worked around (N9.3)")
  func whileOpen() throws {
    let file = try TestFile()
    try Self.fill(file)
    let storage = file.storage()
    let stream = storage.externalChanges()
    #expect(try storage.size().records == 500)
    let names = try storage.names()
    // Overwrites pages without the storage's knowledge.
    let handle = try FileHandle(forWritingTo: file.url)
    try handle.seek(toOffset: 4096 * 4)
    try handle.write(contentsOf: Data(repeating: 0xEE, count: file.bytes().count - 4096 * 4))
    try handle.close()
    let loaded = try storage.load((0..<500).map { "Todo:\($0)" })
    #expect(Self.expectRight(loaded, "While open") < 500)
    #expect(file.codes == [.quarantined])
    try storage.put(StoredRecord("new", "written"))
    #expect(try storage.text("new") == "written")
    #expect(try storage.register(["text", "id"]) == [2, 1])
    #expect(names == [1: "id", 2: "text"])
    storage.close()
    _ = stream
  }

  @Test("Nothing is written into damaged parts of a file, so no older version comes back (N9.3)")
  func olderVersions() throws {
    let original = try TestFile(inMemory: true)
    try Self.fill(original)
    let bytes = original.bytes()
    var random = SeededRandom(seed: 17)
    for round in 0..<Stress.rounds(50) {
      let file = try TestFile(inMemory: true)
      var damaged = bytes
      damaged.flip(upTo: 60, in: 4096..<bytes.count, using: &random)
      try file.write(damaged)
      try Self.changeAtRandom(file, "Round \(round)", &random)
    }
  }

  /// Writes and removes some of the 500 records; none of their old versions may be found later.
  private static func changeAtRandom(
    _ file: TestFile, _ comment: Comment, _ random: inout SeededRandom
  ) throws {
    let storage = file.storage()
    defer { storage.close() }
    let keys = (0..<500).map { "Todo:\($0)" }
    var texts = (0..<500).map { Optional("\($0) " + String(repeating: "x", count: 99)) }
    for change in 0..<200 {
      let number = Int.random(in: 0..<500, using: &random)
      texts[number] = Bool.random(using: &random) ? "\(number) version \(change)" : nil
      if let text = texts[number] {
        try storage.put(StoredRecord(keys[number], text))
      } else {
        try storage.commit(RecordBatch(removedKeys: [keys[number]]))
      }
      let read = Int.random(in: 0..<500, using: &random)
      let text = try storage.text(keys[read])
      #expect(text == nil || text == texts[read], comment)
    }
    for (record, text) in zip(try storage.load(keys), texts) {
      let found = record.map { String(decoding: $0.value, as: UTF8.self) }
      #expect(found == nil || found == text, comment)
    }
  }

  @Test(
    "If a damaged file has two rows with one key, the one that a search finds is salvaged (N9.3)")
  func misledSearch() throws {
    let file = try TestFile()
    try Self.fill(file)
    var bytes = file.bytes()
    func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
    // The inner page of the records' tree, where each search begins with the key in the middle.
    let page = try #require(stride(from: 4096, to: bytes.count, by: 4096).first { bytes[$0] == 2 })
    let cell = page + number(page + 12 + (number(page + 3) - 1) / 2 * 2)
    let key = try #require(
      bytes.indices[cell...].first { bytes[$0...].starts(with: "Todo:".utf8) })
    bytes[key] = UInt8(ascii: "Z")
    // The page of the last keys, which only a full scan reaches.
    bytes[(number(page + 10) - 1) * 4096] = 0xEE
    try file.write(bytes)
    let storage = file.storage { $0.maximumCheckedBytes = 0 }
    let missing = try (0..<500).map { "Todo:\($0)" }.filter { try storage.text($0) == nil }
    let astray = try #require(missing.last)
    try storage.put(StoredRecord(astray, "new"))
    #expect(try storage.keys(in: .all).filter { $0 == astray }.count == 1)
    #expect(file.codes == [.quarantined])
    #expect(try storage.text(astray) == "new")
  }

  @Test("A storage gives up on a disk that damages every file, instead of filling it (N9.3)")
  func damagedAgainAndAgain() throws {
    let file = try TestFile()
    let storage = file.storage()
    var codes: [StorageError.Code?] = []
    for round in 0..<6 {
      try? storage.put(StoredRecord("\(round)"))
      try file.sql("PRAGMA wal_checkpoint(TRUNCATE)")
      let handle = try FileHandle(forWritingTo: file.url)
      try handle.seek(toOffset: 4096)
      try handle.write(contentsOf: Data(repeating: 0xEE, count: file.bytes().count - 4096))
      try handle.close()
      do throws(StorageError) {
        _ = try storage.load(["\(round)"])
        codes.append(nil)
      } catch {
        codes.append(error.code)
      }
    }
    #expect(codes == [nil, nil, nil, .corrupt, .corrupt, .corrupt])
    #expect(file.codes == [.quarantined, .quarantined, .quarantined])
  }
}
