import Foundation
import Testing
@testable import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("Results of a document cache on SQLite", .timeLimit(.minutes(10)))
struct DocumentTests {
  private struct App {
    let cache = DocumentCacheExchange()
    let client: GraphQLClient

    init() {
      let server = ScriptedExchange { operation in
        switch operation.kind {
        case .mutation: .data(#"{"add":{"__typename":"Todo","id":"9"}}"#)
        default:
          operation.name == "Todos"
            ? .data(#"{"todos":[{"__typename":"Todo","id":"1"}]}"#)
            : .data(#"{"author":{"__typename":"Author","id":"1"}}"#)
        }
      }
      client = GraphQLClient([cache, server])
    }

    func outcome(_ operation: GraphQLOperation) async -> CacheOutcome {
      await client.query(operation).outcome
    }
  }

  private static let todos = GraphQLOperation("query Todos { todos { id } }")
  private static let author = GraphQLOperation("query Author { author { id } }")
  private static let add = GraphQLOperation("mutation Add { add { id } }")

  @Test(
    "Results survive a restart with their types, so invalidation still works",
    arguments: [false, true])
  func restart(isSealed: Bool) async throws {
    let file = try TestFile()
    func open() -> SQLiteStorage {
      file.storage { if isSealed { $0.valueTransform = .exclusiveOr } }
    }
    let before = App()
    _ = await (before.client.query(Self.todos), before.client.query(Self.author))
    let first = open()
    try first.save(before.cache.snapshot())
    first.close()

    let app = App()
    let storage = open()
    #expect(app.cache.restore(try storage.documentCacheSnapshot()) == 2)
    #expect(await app.outcome(Self.todos) == .hit)
    #expect(await app.outcome(Self.author) == .hit)
    _ = await app.client.mutate(Self.add)
    #expect(await app.outcome(Self.author) == .hit)
    #expect(await app.outcome(Self.todos) != .hit)
    #expect(file.codes == [])
  }

  @Test("A save writes new results, removes obsolete ones, and keeps the order of use")
  func increments() async throws {
    let file = try TestFile()
    let storage = file.storage()
    func saved() throws -> [String] {
      let entries = try storage.documentCacheSnapshot().entries
      return entries.map { String($0.text.dropFirst(6).prefix { $0 != " " }) + ($0.scope ?? "") }
    }
    let entries = ["A", "B", "C", "D"].map { Self.entry("query \($0) { id }") }
    try storage.save(DocumentCacheSnapshot(entries: entries))
    #expect(try saved() == ["A", "B", "C", "D"])
    #expect(try storage.documentCacheSnapshot().entries == entries)
    let size = file.bytes("-wal").count
    try storage.save(DocumentCacheSnapshot(entries: entries))
    #expect(file.bytes("-wal").count == size, "Nothing is written when nothing has changed")
    var newer = entries[1]
    newer.receivedAt = Date(timeIntervalSinceReferenceDate: 2)
    newer.data = "[2]"
    newer.extensions = nil
    let other = Self.entry("query A { id }", scope: "scope")
    let next = [entries[0], entries[3], newer, other, entries[2]]
    try storage.save(DocumentCacheSnapshot(entries: next))
    #expect(try storage.documentCacheSnapshot().entries == next)
    try storage.save(DocumentCacheSnapshot(entries: [newer]))
    #expect(try saved() == ["B"])
    #expect(try storage.size().records == 0)
    try storage.removeAll()
    #expect(try saved() == [])
  }

  @Test("A damaged result is omitted and reported")
  func damage() throws {
    let file = try TestFile()
    let storage = file.storage()
    let entries = ["A", "B"].map { Self.entry("query \($0) { id }") }
    try storage.save(DocumentCacheSnapshot(entries: entries))
    storage.close()
    try file.sql("UPDATE documents SET value = zeroblob(length(value)) WHERE used = 1")
    #expect(try file.storage().documentCacheSnapshot().entries == [entries[1]])
    #expect(file.codes == [.damagedValues])
  }

  @Test("Results whose key cannot be read at the moment are an error, and no damage (N9.3)")
  func unavailableKey() throws {
    let file = try TestFile(inMemory: true)
    let isLocked = Locked(false)
    let storage = file.storage { $0.valueTransform = .locked(while: isLocked) }
    let entries = ["A", "B"].map { Self.entry("query \($0) { id }") }
    try storage.save(DocumentCacheSnapshot(entries: entries))
    isLocked.withLock { $0 = true }
    #expect(throws: StorageError(.notPermitted, "Locked")) {
      try storage.documentCacheSnapshot()
    }
    isLocked.withLock { $0 = false }
    #expect(try storage.documentCacheSnapshot().entries == entries)
    #expect(file.codes == [])
  }

  @Test(
    "Times of use that no file reaches are damage: the results get new ones (N9.6)",
    arguments: [Int64.max, .min, -1, 1 << 61])
  func hugeTimes(used: Int64) throws {
    let file = try TestFile(inMemory: true)
    let entries = ["A", "B", "C", "D"].map { Self.entry("query \($0) { id }") }
    let first = file.storage()
    try first.save(DocumentCacheSnapshot(entries: Array(entries[..<2])))
    first.close()
    try file.sql("UPDATE documents SET used = \(used)")
    let storage = file.storage()
    try storage.save(DocumentCacheSnapshot(entries: Array(entries[..<3])))
    #expect(try storage.documentCacheSnapshot().entries == Array(entries[..<3]))
    let reordered = [entries[2], entries[0], entries[3], entries[1]]
    try storage.save(DocumentCacheSnapshot(entries: reordered))
    #expect(try storage.documentCacheSnapshot().entries == reordered)
    #expect(file.codes == [])
    storage.close()
    #expect(try file.sql("SELECT max(used) < 100 AND min(used) >= 0 FROM documents") == "1")
  }

  private static func entry(_ text: String, scope: String? = nil) -> DocumentCacheSnapshot.Entry {
    DocumentCacheSnapshot.Entry(
      text: text, variables: "{}", scope: scope, names: ["Todo", "Author"], unknownFields: [],
      data: "[1]", extensions: "{}", receivedAt: Date(timeIntervalSinceReferenceDate: 1),
      duration: nil)
  }

  @Test(
    "A snapshot from before everything was removed is not saved (S4)", arguments: [false, true])
  func snapshotOfAnotherUser(isRemovedByOther: Bool) async throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    let other = isRemovedByOther ? file.storage() : storage
    let app = App()
    _ = await app.client.query(Self.todos)
    let snapshot = app.cache.snapshot()
    try storage.save(snapshot)
    try other.removeAll()
    let error = #expect(throws: StorageError.self) { try storage.save(snapshot) }
    #expect(error?.code == .failed && error?.message.contains("make a new one") == true)
    #expect(try storage.documentCacheSnapshot().entries.isEmpty)
    try storage.save(app.cache.snapshot())
    #expect(try storage.documentCacheSnapshot().entries.count == 1)
  }

  @Test(
    "If two snapshots are saved at the same time, the newer one stays (C3)",
    arguments: [true, false])
  func simultaneousSaves(isOlderHeld: Bool) async throws {
    let file = try TestFile(inMemory: true)
    let transform = HeldTransform("Held")
    let storage = file.storage { $0.valueTransform = transform.transform }
    let entries = ["A", "B", "Held"].map { Self.entry("query \($0) { id }") }
    try storage.save(DocumentCacheSnapshot(entries: [entries[0]]))
    let older = DocumentCacheSnapshot(entries: [entries[0], entries[isOlderHeld ? 2 : 1]])
    // A mutation has invalidated what only the older one has.
    let newer = DocumentCacheSnapshot(
      entries: isOlderHeld ? [entries[0]] : [entries[0], entries[2]])
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      #expect(throws: Never.self) { try storage.save(isOlderHeld ? older : newer) }
      end.finish()
    }
    defer { transform.release() }
    await transform.held.reaches(1)
    try storage.save(isOlderHeld ? newer : older)
    transform.release()
    for await _ in ends {}
    #expect(try storage.documentCacheSnapshot().entries == newer.entries)
  }

  @Test("To save what is saved already does not wait for another process that writes")
  func unchangedWhileBusy() async throws {
    let file = try TestFile()
    let storage = file.storage { $0.busyTimeout = .zero }
    let snapshot = DocumentCacheSnapshot(entries: [Self.entry("query A { id }")])
    try storage.save(snapshot)
    let process = try OtherProcess("hold", file.url)
    #expect(await process.line() == "held")
    try storage.save(snapshot)
    process.release()
  }

  @Test("A snapshot that is older than the saved one is not saved (C3)")
  func olderSnapshot() throws {
    let file = try TestFile(inMemory: true)
    let storage = file.storage()
    let entries = ["A", "B"].map { Self.entry("query \($0) { id }") }
    let older = DocumentCacheSnapshot(entries: entries)
    let newer = DocumentCacheSnapshot(entries: [entries[0]])
    for snapshot in [newer, older] { try storage.save(snapshot) }
    #expect(try storage.documentCacheSnapshot().entries == newer.entries)
  }
}

/// A transform that holds the values with a certain text before they are sealed.
private final class HeldTransform: Sendable {
  private let text: String
  let held = ArrivalCount()
  private let free = DispatchSemaphore(value: 0)

  init(_ text: String) { self.text = text }

  var transform: ValueTransform {
    ValueTransform(
      seal: { [self] value, _ in
        guard String(decoding: value, as: UTF8.self).contains(text) else { return value }
        held.add(1)
        free.wait()
        free.signal()
        return value
      }, open: { value, _ in value })
  }

  /// Lets all values pass.
  func release() { free.signal() }
}
