import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("SQLite storage", .timeLimit(.minutes(10)))
struct StorageTests {
  @Test("A changed fingerprint drops only the records of its type (N9.2)")
  func fingerprints() throws {
    let file = try TestFile()
    func open(_ fingerprints: [String: String]) throws -> SQLiteStorage {
      let storage = file.storage { $0.fingerprints = fingerprints }
      try storage.open()
      return storage
    }
    let first = try open(["Todo": "1", "Author": "1"])
    let types = try first.register(["Todo", "Author", "Tag"])
    try first.put(
      StoredRecord("Todo:1", type: types[0]), StoredRecord("Todo:2", type: types[0]),
      StoredRecord("Author:1", type: types[1]), StoredRecord("Tag:1", type: types[2]))
    first.close()
    let steps: [([String: String], [String], [String])] = [
      (["Todo": "1", "Author": "1"], ["Author:1", "Tag:1", "Todo:1", "Todo:2"], []),
      ([:], ["Author:1", "Tag:1", "Todo:1", "Todo:2"], []),
      (["Todo": "2", "Author": "1"], ["Author:1", "Tag:1"], ["Todo"]),
      (["Todo": "2", "Tag": "1", "New": "1"], ["Author:1"], ["Tag"]),
    ]
    for (fingerprints, keys, dropped) in steps {
      let before = file.diagnostics.count
      let storage = try open(fingerprints)
      #expect(try storage.keys(in: .all).sorted() == keys)
      #expect(try storage.size().records == keys.count)
      let diagnostics = file.diagnostics.dropFirst(before)
      #expect(diagnostics.map(\.code) == (dropped.isEmpty ? [] : [.typesDropped]))
      #expect(diagnostics.flatMap(\.types) == dropped)
      storage.close()
    }
  }

  @Test("Fingerprints and types are compared byte by byte (N9.2)")
  func exactFingerprints() throws {
    let file = try TestFile(inMemory: true)
    let type = "Caf\u{E9}"
    let steps: [([String: String], Int)] = [
      ([type: "1"], 1), ([type: "1\0a"], 0), ([type: "1\0a"], 1), ([type: "1\0b"], 0),
      ([type: "\u{E9}"], 0), ([type: "e\u{301}"], 0), (["Cafe\u{301}": "1"], 1),
      ([type: "e\u{301}"], 1),
    ]
    for (step, (fingerprints, count)) in steps.enumerated() {
      let storage = file.storage { $0.fingerprints = fingerprints }
      try storage.open()
      if step > 0 { #expect(try storage.size().records == count, "step \(step)") }
      try storage.put(StoredRecord("a", type: try storage.register([type])[0]))
      storage.close()
    }
  }

  @Test("A removed value disappears from the log when the log starts over (N9.5)")
  func restartedLog() throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    try storage.open()
    let secret = Array("xyzzy-secret-value".utf8)
    for round in 0..<20 {
      try storage.put(StoredRecord("\(round)", String(decoding: secret, as: UTF8.self)))
    }
    try storage.commit(RecordBatch(removedKeys: (0..<20).map(String.init)))
    #expect(file.bytes("-wal").firstRange(of: secret) != nil)
    try file.sql("PRAGMA wal_checkpoint(PASSIVE)")
    try storage.put(StoredRecord("other"))
    #expect(file.bytes("-wal").firstRange(of: secret) == nil)
    #expect(file.bytes().firstRange(of: secret) == nil)
  }

  @Test("The files contain no trace of removed data (N9.5)", arguments: [true, false])
  func secureRemoval(overwritesRemovedData: Bool) throws {
    let file = try TestFile()
    let secret = Array("xyzzy-secret-value".utf8)
    func isFound(_ secret: [UInt8]) -> Bool {
      file.files.contains { name in
        let data = try? Data(contentsOf: file.directory.appendingPathComponent(name))
        return data?.range(of: Data(secret)) != nil
      }
    }
    try file.write(secret)
    try file.claim()
    let storage = file.storage { $0.overwritesRemovedData = overwritesRemovedData }
    _ = try storage.register(["xyzzy-secret-name"])
    for round in 0..<20 {
      try storage.put(
        StoredRecord("xyzzy-secret-key:\(round)", String(decoding: secret, as: UTF8.self)))
    }
    #expect(isFound(secret))
    #expect(file.files.contains("cache.sqlite.damaged-1"))
    try storage.removeAll()
    for text in ["xyzzy-secret-value", "xyzzy-secret-key", "xyzzy-secret-name"] {
      #expect(!isFound(Array(text.utf8)), "\(text) is still there: \(file.files)")
    }
    #expect(!file.files.contains { $0.contains("damaged") })
    #expect(file.bytes().count < 100_000)
  }

  @Test("A file whose name only resembles those that were set aside is left alone")
  func resemblingFile() throws {
    let file = try TestFile()
    try file.claim()
    let own = file.directory.appendingPathComponent("cache.sqlite.damaged-copy-for-support")
    try Data("mine".utf8).write(to: own)
    for round in 1...2 {
      try file.write(Array("damaged \(round)".utf8))
      let storage = file.storage()
      try storage.open()
      storage.close()
    }
    #expect(file.files.contains("cache.sqlite.damaged-2"))
    #expect(try Data(contentsOf: own) == Data("mine".utf8))
  }

  @Test(
    "A removed record is overwritten when the log is written back, if the options say so",
    arguments: [true, false], [true, false])
  func overwriting(overwritesRemovedData: Bool, isAfterRemovalOfAll: Bool) throws {
    let file = try TestFile()
    let storage = file.storage { $0.overwritesRemovedData = overwritesRemovedData }
    if isAfterRemovalOfAll { try storage.removeAll() }
    try storage.put(StoredRecord("a", "xyzzy-secret-value"), StoredRecord("b"))
    try storage.commit(RecordBatch(removedKeys: ["a"]))
    storage.close()
    let isFound = Data(file.bytes()).range(of: Data("xyzzy".utf8)) != nil
    #expect(isFound == !overwritesRemovedData)
    #expect(file.files == ["cache.sqlite"])
  }

  @Test("The size on disk is that of the file and its log")
  func sizeOnDisk() throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    try storage.put(StoredRecord("a", String(repeating: "x", count: 100_000)))
    let logSize = file.bytes("-wal").count
    #expect(logSize > 100_000)
    #expect(try storage.size().bytesOnDisk == file.bytes().count + logSize)
    storage.close()
    let reopened = try file.storage().size()
    #expect(reopened.bytesOnDisk >= 100_000)
    #expect(reopened.bytesOnDisk == file.bytes().count + file.bytes("-wal").count)
  }

  @Test("A collected file shrinks in bounded steps (N8.2)")
  func shrinking() throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    let value = String(repeating: "x", count: 1_000)
    try storage.commit(RecordBatch(records: (0..<6_000).map { StoredRecord("\($0)", value) }))
    try storage.put(StoredRecord("0", value))
    var removed: Set<String> = []
    var steps = 0
    while try storage.size().bytes > 100_000 {
      let step = try storage.collect(toBytes: 100_000, keeping: ["7"], atMost: 200)
      try #require(!step.isEmpty && step.count <= 200)
      removed.formUnion(step)
      steps += 1
    }
    #expect(steps >= 29)
    #expect(removed.isDisjoint(with: ["0", "7"]))
    #expect(try storage.size().bytes > 98_000)
    storage.close()
    #expect(file.bytes().count < 1_000_000)
    #expect(try file.integrity() == "ok")
  }

  @Test("Loading many keys at once gives the same records as loading each (N9.1)")
  func manyKeys() throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    var random = SeededRandom(seed: 11)
    let spaces = ["Todo:", "Todo:1", "Author:", "Ä:", "", "Todo:00000000-0000-0000-0000-"]
    func key() -> String {
      let number = Int.random(in: 0..<3_000, using: &random)
      return spaces[number % spaces.count] + "\(number)" + (number % 7 == 0 ? "\0" : "")
    }
    let stored = Set((0..<3_000).map { _ in key() })
    try storage.commit(RecordBatch(records: stored.map { StoredRecord($0, $0) }))
    for round in 0..<60 {
      let count = [1, 31, 32, 50, 400, 3_000][round % 6]
      var keys = (0..<count).map { _ in key() }
      // A run that consists only of neighbours.
      if round % 3 == 1 { keys = keys.filter { $0.hasPrefix("Todo:1") } + keys }
      if round % 3 == 2 { keys = Array(stored.sorted().prefix(count)).reversed() }
      let found = try storage.load(keys)
      try #require(found.count == keys.count)
      for (key, record) in zip(keys, found) {
        let isRight = record.map { $0.key == key && $0.value == Array(key.utf8) }
        #expect(isRight == (stored.contains(key) ? true : nil), "\(key)")
      }
    }
  }

  @Test("The times of reads survive a restart")
  func recency() throws {
    let file = try TestFile()
    let first = file.storage()
    for key in ["a", "b", "c"] { try first.put(StoredRecord(key)) }
    _ = try first.load(["a"])
    first.close()
    let second = file.storage()
    #expect(try second.collect(toBytes: 13, keeping: [], atMost: 9) == ["b"])
  }

  @Test("The times of reads of a file that was replaced do not count for the new one (N8.2)")
  func recencyOfReplacedFile() throws {
    let (file, other) = (try TestFile(inMemory: true), try TestFile(inMemory: true))
    let storage = file.storage()
    for _ in 0..<20 { try storage.put(StoredRecord("a")) }
    _ = try storage.load(["a"])
    let replacement = other.storage()
    for key in ["a", "b"] { try replacement.put(StoredRecord(key)) }
    replacement.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.url.path + suffix)
    }
    try FileManager.default.moveItem(at: other.url, to: file.url)
    try storage.put(StoredRecord("c"))
    #expect(try storage.collect(toBytes: 13, keeping: [], atMost: 9) == ["a"])
  }

  @Test("Any number of bytes is a goal of a collection (N8.2)", arguments: [Int.min, -1, 0])
  func goal(bytes: Int) throws {
    let storages: [any RecordStorage] = [
      MemoryRecordStorage(), try TestFile(inMemory: true).storage(),
    ]
    for storage in storages {
      try storage.commit(RecordBatch(records: [StoredRecord("a")]))
      #expect(try storage.collect(toBytes: bytes, keeping: [], atMost: 9) == ["a"])
    }
  }

  @Test("Calls from many threads at once, on two storages of one file, lose nothing")
  func threads() throws {
    let file = try TestFile(inMemory: true)
    let storages = (0..<2).map { _ in file.storage() }
    let failures = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      let storage = storages[thread % 2]
      do {
        for round in 0..<25 {
          let names = ["common \(round)", "own \(thread) \(round)"]
          _ = try storage.register(names)
          try storage.put(
            StoredRecord("\(thread):\(round)"), StoredRecord("shared", "\(thread):\(round)"))
          _ = try storage.load(["shared", "\(thread):\(round)"])
          _ = try storage.size()
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try storages[0].size().records == 8 * 25 + 1)
    #expect(try storages[0].names() == storages[1].names())
    #expect(try storages[0].names().count == 9 * 25)
    #expect(file.codes == [])
  }
}
