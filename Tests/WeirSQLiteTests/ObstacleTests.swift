import Foundation
import Testing
import WeirNormalized
@testable import WeirSQLite

@Suite("A file that cannot be used", .timeLimit(.minutes(10)))
struct ObstacleTests {
  private func expect(
    _ code: StorageError.Code, _ comment: Comment, _ body: () throws -> Void
  ) {
    let error = #expect(throws: StorageError.self, comment, performing: body)
    #expect(error?.code == code, comment)
  }

  @Test("A directory at the path of the file is an error (N9.3)")
  func directory() throws {
    let file = try TestFile()
    try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: true)
    let storage = file.storage()
    expect(.notPermitted, "Open") { try storage.open() }
    expect(.notPermitted, "Commit") { try storage.put(StoredRecord("a")) }
    expect(.notPermitted, "Empty load") { _ = try storage.load(["a"]) }
    #expect(file.codes == [.unavailable])
    // After it was removed, the storage works.
    try FileManager.default.removeItem(at: file.url)
    try storage.put(StoredRecord("a"))
    #expect(try storage.text("a") == "value")
  }

  @Test("A missing directory is created, and it is an error if that fails (N9.3)")
  func missingDirectory() throws {
    let file = try TestFile()
    let deep = file.directory.appendingPathComponent("a/b/cache.sqlite")
    let storage = SQLiteStorage(fileURL: deep)
    try storage.put(StoredRecord("a"))
    #expect(try storage.text("a") == "value")
    for path in ["/proc/weir/cache.sqlite", "/dev/null/cache.sqlite"] {
      let impossible = SQLiteStorage(fileURL: URL(fileURLWithPath: path))
      expect(.notPermitted, "\(path)") { try impossible.put(StoredRecord("a")) }
    }
  }

  @Test("A missing permission for the file or the directory is an error (N9.3)")
  func permission() async throws {
    let file = try TestFile()
    let storage = file.storage()
    try storage.put(StoredRecord("a"))
    storage.close()
    let manager = FileManager.default
    defer {
      try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.directory.path)
    }
    // Another user may read the file, but not write to it.
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.directory.path)
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.url.path)
    let readOnly = try await OtherProcess("unprivileged", file.url).lines()
    #expect(readOnly.contains("commit notPermitted"), "\(readOnly)")
    try manager.setAttributes([.posixPermissions: 0o000], ofItemAtPath: file.url.path)
    let unreadable = try await OtherProcess("unprivileged", file.url).lines()
    #expect(
      unreadable == [
        "diagnostic unavailable", "load notPermitted", "commit notPermitted", "again notPermitted",
      ], "\(unreadable)")
    try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.url.path)
    #expect(try file.storage().text("a") == "value")
  }

  @Test("A file that may only be read is not used if its types have new fingerprints (N9.2, N9.3)")
  func readOnlyWithNewFingerprints() async throws {
    let file = try TestFile()
    let storage = file.storage()
    let type = try storage.register(["Todo"])[0]
    try storage.put(StoredRecord("a", type: type))
    storage.close()
    let manager = FileManager.default
    // In the directory, SQLite may make the index of the log, without which it reads nothing.
    try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: file.directory.path)
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.url.path)
    let others = try await OtherProcess("unprivileged", file.url, "Other").lines()
    #expect(others.contains("load ok"), "\(others)")
    let changed = try await OtherProcess("unprivileged", file.url, "Todo").lines()
    #expect(changed.contains("load notPermitted"), "\(changed)")
    try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.url.path)
    #expect(try file.storage().text("a") == "value")
  }

  @Test(
    "On a full disk no commit is there in part, and old data stays (N9.3)",
    arguments: [100_000, 400_000])
  func full(bytes: Int) async throws {
    let file = try TestFile()
    let said = try await OtherProcess("limited", file.url, "\(bytes)").lines()
    #expect(
      said == ["small ok", "large full", "records there missing", "load ok", "again ok"], "\(said)")
    let storage = file.storage()
    #expect(try storage.load(["small"])[0]?.value == [2])
    #expect(try storage.keys(in: .all) == ["small"])
    #expect(try file.integrity() == "ok")
    #expect(file.codes == [])
  }

  @Test("On a full disk everything can be removed, and no trace stays (N9.5)")
  func removalWhenFull() async throws {
    let file = try TestFile()
    let other = file.storage()
    try other.open()
    let said = try await OtherProcess("remove limited", file.url, "100000").lines()
    #expect(
      said == [
        "commit ok", "again full", "remove ok", "records 0", "size ok", "numbers differ",
        "register ok", "small ok",
      ], "\(said)")
    for name in file.files {
      let path = file.directory.appendingPathComponent(name)
      #expect(try Data(contentsOf: path).firstRange(of: Data("secret".utf8)) == nil, "\(name)")
    }
    #expect(try other.keys(in: .all) == ["small"])
    #expect(try file.integrity() == "ok")
  }

  @Test("A file on a disk that was already full can be used (N9.3)")
  func openingWhenFull() async throws {
    let file = try TestFile()
    let storage = file.storage()
    try storage.put(StoredRecord("a", "secret"))
    storage.close()
    // The new file does not fit either after the removal; a real disk would have room again.
    let said = try await OtherProcess("load limited", file.url, "20000").lines()
    #expect(
      said == ["record there", "load ok", "commit ok", "remove full"], "\(said)")
    #expect(file.bytes().firstRange(of: Array("secret".utf8)) == nil)
    #expect(file.bytes("-wal").firstRange(of: Array("secret".utf8)) == nil)
    #expect(try file.storage().text("a") == nil)
  }

  @Test("A file at its maximum size is full until something is removed (N9.3)")
  func bound() throws {
    let file = try TestFile()
    let storage = file.storage { $0.maximumFileBytes = 200_000 }
    let value = String(repeating: "x", count: 5_000)
    var count = 0
    let error = #expect(throws: StorageError.self) {
      while count < 1_000 {
        try storage.put(StoredRecord("\(count)", value))
        count += 1
      }
    }
    #expect(error?.code == .full)
    #expect(try storage.size().records == count)
    #expect(try storage.load(["0", "\(count)"]).map { $0 != nil } == [true, false])
    let removed = try storage.collect(toBytes: 50_000, keeping: [], atMost: 1_000)
    #expect(removed.count > 10)
    try storage.put(StoredRecord("again", value))
    #expect(try storage.text("again") == value)
  }

  @Test("A file without room for new fingerprints can be emptied (N9.3, N9.5)")
  func removalWithoutRoomToOpen() throws {
    let file = try TestFile()
    let storage = file.storage { $0.maximumFileBytes = 100_000 }
    let value = String(repeating: "secret", count: 800)
    for count in 0..<1_000 {
      do { try storage.put(StoredRecord("\(count)", value)) } catch { break }
    }
    storage.close()
    let updated = file.storage {
      $0.maximumFileBytes = 100_000
      for number in 0..<1_000 { $0.fingerprints["Type\(number)"] = "1" }
    }
    expect(.full, "Load") { _ = try updated.load(["0"]) }
    try updated.removeAll()
    #expect(try updated.keys(in: .all) == [])
    #expect(file.bytes().firstRange(of: Array("secret".utf8)) == nil)
    try updated.put(StoredRecord("again"))
    #expect(try updated.text("again") == "value")
  }

  @Test(
    "A file that was damaged too often can be emptied (N9.3, N9.5)", arguments: [false, true])
  func removalAfterDamage(isAllDamaged: Bool) throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    for round in 0..<4 {
      try storage.put(StoredRecord("\(round)", "secret"))
      try file.sql("PRAGMA wal_checkpoint(TRUNCATE)")
      let page = try file.sql("SELECT rootpage FROM sqlite_master WHERE name = 'records'")
      var bytes = file.bytes()
      let start = isAllDamaged ? 4_096 : (try #require(Int(page)) - 1) * 4_096
      for place in start..<(isAllDamaged ? bytes.count : start + 4_096) { bytes[place] = 0xEE }
      let handle = try FileHandle(forWritingTo: file.url)
      try handle.write(contentsOf: Data(bytes))
      try handle.close()
      if round < 3 { _ = try storage.load(["\(round)"]) }
    }
    expect(.corrupt, "Load") { _ = try storage.load(["3"]) }
    try storage.removeAll()
    #expect(file.files.allSatisfy { !$0.contains("damaged") })
    #expect(try file.storage().keys(in: .all) == [])
    try storage.put(StoredRecord("again"))
    #expect(try storage.text("again") == "value")
  }

  @Test("While another process writes to the file, reads continue, and writes time out (N9.3)")
  func locked() async throws {
    let file = try TestFile()
    let storage = file.hastyStorage()
    try storage.put(StoredRecord("a"))
    let holder = try OtherProcess("hold", file.url)
    #expect(await holder.line() == "held")
    #expect(try storage.text("a") == "value")
    expect(.busy, "Commit") { try storage.put(StoredRecord("a", "new")) }
    expect(.busy, "Register") { _ = try storage.register(["new"]) }
    expect(.busy, "Remove") { try storage.removeAll() }
    #expect(try storage.text("a") == "value")
    holder.release()
    _ = await holder.lines()
    try storage.put(StoredRecord("a", "new"))
    #expect(try storage.register(["new"]).count == 1)
    #expect(try storage.text("a") == "new")
  }

  @Test("Commits survive if the file is deleted or replaced while it is open (N9.3)")
  func replaced() throws {
    let file = try TestFile()
    let storage = file.storage()
    let numbers = try storage.register(["id", "text"])
    try storage.put(StoredRecord("a"))
    for name in file.files {
      try FileManager.default.removeItem(at: file.directory.appendingPathComponent(name))
    }
    #expect(try storage.text("a") == nil)
    #expect(try storage.register(["text", "id"]) == numbers.reversed())
    try storage.put(StoredRecord("b"))
    #expect(file.codes == [.replaced])
    storage.close()
    let second = file.storage()
    #expect(try second.text("b") == "value")
    #expect(try second.names() == [numbers[0]: "id", numbers[1]: "text"])
  }
}

#if os(Linux)
  @Suite("The lock of a file")
  struct FileLockTests {
    @Test("The lock ends with its owner, even while a forked child holds a copy")
    func fork() throws {
      let file = try TestFile()
      let database = DatabaseFile(file.url)
      var lock: FileLock? = try FileLock(of: database, timeout: .zero)
      #expect(throws: StorageError.self) { _ = try FileLock(of: database, timeout: .zero) }
      // Fork duplicates every descriptor in this way.
      let copies = Self.descriptors(of: database.path + "-lock").map { dup($0) }
      defer { for copy in copies { close(copy) } }
      #expect(copies.count == 1)
      #expect(lock != nil)
      lock = nil
      _ = try FileLock(of: database, timeout: .zero)
      #expect(file.files.isEmpty)
    }

    private static func descriptors(of path: String) -> [Int32] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return names.compactMap(Int32.init).filter { descriptor in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(descriptor)")
        return target == path
      }
    }
  }
#endif
