import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

/// A kind of damage to a store's file.
enum Damage: CaseIterable {
  case flippedBytes, truncated, staleLog, missingLog, empty, text, newerVersion, directory, locked
  case full

  /// The error that the store receives; nil if the storage repairs the file unnoticed.
  var error: StorageError.Code? {
    switch self {
    case .newerVersion: .newerVersion
    case .directory: .notPermitted
    case .locked: .busy
    case .full: .full
    default: nil
    }
  }

  /// How many of every seventh of the 300 todos are found.
  var finds: ClosedRange<Int> {
    switch self {
    case .locked, .full, .missingLog: 43...43
    case .flippedBytes, .truncated: 0...43
    // The log is one of another file, which it brings in the place of this one.
    case .staleLog, .empty, .text, .newerVersion, .directory: 0...0
    }
  }

  /// The diagnostic of the storage, if it is always the same.
  var diagnostic: StorageDiagnostic.Code? {
    switch self {
    case .text: .quarantined
    case .newerVersion, .directory: .unavailable
    default: nil
    }
  }

  func inflict(on file: TestFile, _ random: inout SeededRandom) throws {
    let bytes = file.bytes()
    switch self {
    case .flippedBytes:
      var damaged = bytes
      // Spares the first page, because a changed version or owner is another case.
      damaged.flip(upTo: 60, in: 4096..<bytes.count, using: &random)
      try file.write(damaged)
    case .truncated:
      try file.write(Array(bytes.prefix(Int.random(in: 100..<bytes.count, using: &random))))
      try file.write([1], "-wal")
    case .staleLog:
      let other = try TestFile(inMemory: true)
      let storage = other.storage()
      try storage.put(StoredRecord("Todo:1", "stale"))
      try file.write(other.bytes("-wal"), "-wal")
      storage.close()
    case .missingLog:
      // The log with the last writes is lost.
      let storage = file.storage()
      try storage.put(StoredRecord("Todo:1000000"))
      let main = file.bytes()
      storage.close()
      try file.write(main)
    case .empty: try file.write([])
    case .text: try file.write(Array("Dear diary, today I was a text file.\n".utf8))
    case .newerVersion: try file.sql("PRAGMA journal_mode = DELETE; PRAGMA user_version = 3")
    case .directory:
      try FileManager.default.removeItem(at: file.url)
      try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: true)
    case .locked, .full: break
    }
  }
}

@Suite("A store over a file that cannot be used", .timeLimit(.minutes(10)))
struct DamagedStoreTests {
  private static let count = 300

  private static func todo(_ number: Int, _ text: String) -> JSONValue {
    [
      "__typename": "Todo", "id": .string("\(number)"),
      "text": .string("\(text) \(number) " + String(repeating: "x", count: 80)),
    ]
  }

  private static let list = GraphQLOperation("{ todos { id text } }")
  private static let one: GraphQLDocument = "query ($id: ID!) { todo(id: $id) { id text } }"

  private static func one(_ number: Int) -> GraphQLOperation {
    GraphQLOperation(one, variables: ["id": .string("\(number)")])
  }

  private static func write(_ number: Int, _ text: String, to store: NormalizedStore) throws {
    try store.write(["todo": todo(number, text)], for: one(number))
  }

  /// Makes a closed file with a list of todos.
  private static func fill(_ file: TestFile) async throws {
    let storage = file.storage()
    let store = NormalizedStore(storage: storage)
    let todos = (0..<count).map { todo($0, "text") }
    try store.write(["todos": .array(todos)], for: list)
    try await store.flush()
    storage.close()
  }

  @Test(
    "With any damage to the file, the client continues, and no damage is taken for data (N9.3)",
    arguments: Damage.allCases)
  func goesOn(_ damage: Damage) async throws {
    var random = SeededRandom(seed: 9)
    let isRandom = damage == .flippedBytes || damage == .truncated
    var finds = 0
    for round in 0..<(isRandom ? Stress.rounds(10) : 1) {
      let file = try TestFile(inMemory: true)
      try await Self.fill(file)
      let size = file.bytes().count
      try damage.inflict(on: file, &random)
      let holder = damage == .locked ? try OtherProcess("hold", file.url) : nil
      if let holder { #expect(await holder.line() == "held") }
      finds += try await use(file, damage, size, "\(damage), round \(round)")
      holder?.release()
      if let holder { _ = await holder.lines() }
    }
    if damage == .flippedBytes { #expect(finds > 0) }
  }

  /// - Returns: The number of todos that are found.
  private func use(
    _ file: TestFile, _ damage: Damage, _ size: Int, _ comment: Comment
  ) async throws -> Int {
    let errors = Locked<[StorageError.Code]>([])
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todo"] = .redirecting(to: "Todo", idFrom: "id")
    configuration.onStorageError = { error in errors.withLock { $0.append(error.code) } }
    let storage = file.storage {
      if damage == .full { $0.maximumFileBytes = size }
      if damage == .locked { $0.busyTimeout = .milliseconds(50) }
    }
    let store = NormalizedStore(configuration, storage: storage)
    // The data that is found is correct.
    var found = 0
    for number in stride(from: 0, to: Self.count, by: 7) {
      guard let data = await store.load(Self.one(number)) else { continue }
      found += 1
      let text = data["todo"]?["text"]?.string
      #expect(text?.hasPrefix("text \(number) x") == true, comment)
    }
    #expect(damage.finds.contains(found), "\(comment): \(found)")
    // Reads, watches and clients show new writes.
    var watch = store.watch(Self.one(1)).makeAsyncIterator()
    _ = await watch.next()
    async let next = watch.next()
    for number in 0..<50 { try Self.write(number, "new", to: store) }
    // Damage that is found later may lose saved data, which is then missing but never wrong.
    let isLossy = damage == .flippedBytes || damage == .truncated
    #expect(await next??["todo"]?["text"]?.string?.hasPrefix("new 1 ") ?? isLossy, comment)
    let client = GraphQLClient([.dedup, .normalizedCache(store)], configuration: .silent)
    for number in 0..<50 {
      let result = await client.query(Self.one(number).with { $0.requestPolicy = .cacheOnly })
      let text = result.data?["todo"]?["text"]?.string
      #expect(text?.hasPrefix("new \(number) ") ?? isLossy, comment)
    }
    if damage == .full {
      try store.write(
        ["todos": .array((0..<3_000).map { Self.todo($0, "many") })], for: Self.list)
    }
    var flushed: StorageError.Code?
    do throws(StorageError) { try await store.flush() } catch { flushed = error.code }
    #expect(flushed == damage.error, comment)
    #expect(Set(errors.withLock { $0 }) == Set([damage.error].compactMap(\.self)), comment)
    if let diagnostic = damage.diagnostic { #expect(file.codes == [diagnostic], comment) }
    let allowed: Set<StorageDiagnostic.Code> = [.quarantined, .damagedValues, .unavailable]
    #expect(allowed.isSuperset(of: file.codes), comment)
    storage.close()
    guard damage.error == nil else { return found }
    let again = NormalizedStore(configuration, storage: file.storage())
    let data = await again.load(Self.one(49))
    #expect(data?["todo"]?["text"]?.string?.hasPrefix("new 49 ") ?? isLossy, comment)
    return found
  }

  @Test("Unsaved data is saved when the file works again (N9.3)")
  func recovery() async throws {
    let file = try TestFile()
    try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: true)
    let store = NormalizedStore(storage: file.storage())
    try Self.write(1, "first", to: store)
    await #expect(throws: StorageError.self) { try await store.flush() }
    try FileManager.default.removeItem(at: file.url)
    try Self.write(2, "second", to: store)
    try await store.flush()
    let again = NormalizedStore(storage: file.storage())
    for number in 1...2 { #expect(await again.load(Self.one(number)) != nil) }
  }

  @Test("A process without permission, or on a full disk, continues in memory (N9.3)")
  func otherProcess() async throws {
    let file = try TestFile()
    try await Self.fill(file)
    let manager = FileManager.default
    defer {
      try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.directory.path)
    }
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.directory.path)
    try manager.setAttributes([.posixPermissions: 0o000], ofItemAtPath: file.url.path)
    let unprivileged = try await OtherProcess("store unprivileged", file.url).lines()
    // The diagnostic may come from another thread.
    #expect(unprivileged.filter { $0 == "diagnostic unavailable" }.count == 1, "\(unprivileged)")
    #expect(
      unprivileged.filter { !$0.hasPrefix("diagnostic") } == [
        "error notPermitted", "loaded nothing", "shown written", "flush notPermitted",
        "shown written",
      ], "\(unprivileged)")
    try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.url.path)
    let limit = file.bytes().count + 40_000
    let limited = try await OtherProcess("store limited", file.url, "\(limit)").lines()
    #expect(
      limited == [
        "loaded text 1", "shown written", "error full", "flush full", "shown written",
      ], "\(limited)")
    #expect(try file.integrity() == "ok")
    let store = NormalizedStore(storage: file.storage())
    #expect(await store.load(Self.list)?["todos"]?.count == Self.count)
  }
}
