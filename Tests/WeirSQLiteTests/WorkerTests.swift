import Foundation
import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

@Suite("A storage at work behind", .timeLimit(.minutes(5)))
struct WorkerTests {
  @Test("N9.1 What comes during a commit is committed together, and the last word counts")
  func coalescing() async throws {
    let storage = ScriptedStorage()
    let worker = StorageWorker(storage)
    storage.hold()
    worker.write(RecordBatch(records: [StoredRecord("first")]))
    storage.waitUntilHeld()
    for round in 0..<100 {
      worker.write(
        RecordBatch(records: [StoredRecord("a", "\(round)"), StoredRecord("é"), StoredRecord("b")]))
      worker.write(RecordBatch(records: [StoredRecord("e\u{301}")], removedKeys: ["b"]))
    }
    storage.release()
    try await worker.flush()
    #expect(storage.commits == 2)
    let loaded = try storage.memory.load(["first", "a", "b", "é", "e\u{301}"])
    #expect(loaded.map { $0 != nil } == [true, true, false, true, true])
    #expect(loaded[1] == StoredRecord("a", "99"))
  }

  @Test("N9.1 Reads see what is not committed yet, and those that wait share one look-up")
  func reads() async throws {
    let storage = ScriptedStorage()
    try storage.memory.commit(
      RecordBatch(records: [StoredRecord("old"), StoredRecord("both", "old"), StoredRecord("gone")])
    )
    let worker = StorageWorker(storage)
    storage.hold()
    worker.write(RecordBatch(records: [StoredRecord("saving")]))
    storage.waitUntilHeld()
    worker.write(RecordBatch(records: [StoredRecord("both", "new")], removedKeys: ["gone"]))
    // All in memory: answered while the disk is busy.
    #expect(
      await worker.load(["saving", "gone", "both"]) == [
        StoredRecord("saving"), nil, StoredRecord("both", "new"),
      ])
    #expect(storage.loads == 0)
    let found = await withTaskGroup(of: [StoredRecord?].self) { group in
      for _ in 0..<10 { group.addTask { await worker.load(["old", "both", "none"]) } }
      // Ten wait, or some of them come later; then they are looked up later.
      storage.release()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(
      found == Array(repeating: [StoredRecord("old"), StoredRecord("both", "new"), nil], count: 10))
    #expect((1...10).contains(storage.loads))
  }

  @Test("N9.3 What could not be committed is committed later, and a failure is told once")
  func failures() async throws {
    let storage = ScriptedStorage()
    let told = Locked<[StorageError.Code]>([])
    let worker = StorageWorker(storage) { error in told.withLock { $0.append(error.code) } }
    storage.fail(with: .full)
    for round in 0..<3 {
      worker.write(RecordBatch(records: [StoredRecord("\(round)")]))
      let error = await #expect(throws: StorageError.self) { try await worker.flush() }
      #expect(error?.code == .full)
    }
    #expect(await worker.load(["0", "2"]) == [StoredRecord("0"), StoredRecord("2")])
    storage.fail(with: nil)
    try await worker.flush()
    #expect(try storage.memory.size().records == 3)
    #expect(told.withLock { $0 } == [.full])
    storage.fail(with: .busy)
    worker.write(RecordBatch(records: [StoredRecord("3")]))
    await #expect(throws: StorageError.self) { try await worker.flush() }
    #expect(told.withLock { $0 } == [.full, .busy])
  }

  @Test("N9.1 What waits is bounded, also when nothing can be committed")
  func bound() async throws {
    let storage = ScriptedStorage()
    let worker = StorageWorker(storage, maximumUnsavedBytes: 1_000)
    storage.fail(with: .full)
    let value = String(repeating: "x", count: 300)
    for round in 0..<20 {
      worker.write(RecordBatch(records: [StoredRecord("\(round)", value)]))
      await worker.waitForRoom()
      await #expect(throws: StorageError.self) { try await worker.flush() }
    }
    storage.fail(with: nil)
    // What was given up was told by the flush before, or is told by this one.
    try? await worker.flush()
    worker.write(RecordBatch(records: [StoredRecord("last")]))
    try await worker.flush()
    #expect(try storage.memory.size().bytes <= 1_310)
    #expect(try storage.memory.load(["last"]) == [StoredRecord("last")])
  }

  @Test("N9 Closing commits the rest; later calls find nothing and do not hang")
  func closing() async throws {
    let file = try TestFile()
    let worker = StorageWorker(file.storage())
    for round in 0..<500 { worker.write(RecordBatch(records: [StoredRecord("\(round)")])) }
    #expect(
      try await worker.perform { storage throws(StorageError) in try storage.size().records } == 500
    )
    worker.write(RecordBatch(records: [StoredRecord("last")]))
    await worker.close()
    await worker.close()
    #expect(await worker.load(["last"]) == [nil])
    let error = await #expect(throws: StorageError.self) { try await worker.flush() }
    #expect(error?.code == .closed)
    let storage = file.storage()
    #expect(try storage.size().records == 501)
    #expect(try storage.text("last") == "value")
  }

  @Test("N9 Many tasks at once read what they have written")
  func tasks() async throws {
    let file = try TestFile(inMemory: true)
    let worker = StorageWorker(file.storage())
    let wrong = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var wrong = 0
          for round in 0..<50 {
            let record = StoredRecord("\(task)", "\(round)")
            worker.write(RecordBatch(records: [record]))
            if await worker.load(["\(task)", "none"]) != [record, nil] { wrong += 1 }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
    try await worker.flush()
    #expect(try file.storage().size().records == 8)
  }
}

/// A storage in memory whose commits can be held and made to fail.
private final class ScriptedStorage: RecordStorage {
  let memory = MemoryRecordStorage()
  private let counts = Locked((commits: 0, loads: 0, failure: StorageError.Code?.none))
  private let held = DispatchSemaphore(value: 0)
  private let free = DispatchSemaphore(value: 0)
  private let isHeld = Locked(false)

  var commits: Int { counts.withLock { $0.commits } }
  var loads: Int { counts.withLock { $0.loads } }

  /// Lets the next commit wait for ``release()``.
  func hold() { isHeld.withLock { $0 = true } }
  func waitUntilHeld() { held.wait() }
  func release() { free.signal() }
  func fail(with code: StorageError.Code?) { counts.withLock { $0.failure = code } }

  func commit(_ batch: RecordBatch) throws(StorageError) {
    let waits = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    if waits {
      held.signal()
      free.wait()
    }
    let failure = counts.withLock { counts in
      counts.commits += 1
      return counts.failure
    }
    if let failure { throw StorageError(failure, "As told") }
    try memory.commit(batch)
  }

  func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?] {
    counts.withLock { $0.loads += 1 }
    return try memory.load(keys)
  }

  func names() throws(StorageError) -> [UInt32: String] { try memory.names() }
  func register(_ names: [String]) throws(StorageError) -> [UInt32] { try memory.register(names) }
  func keys(in selection: RecordSelection) throws(StorageError) -> [String] {
    try memory.keys(in: selection)
  }
  func removeAll() throws(StorageError) { try memory.removeAll() }
  func size() throws(StorageError) -> StorageSize { try memory.size() }
  func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] {
    try memory.collect(toBytes: bytes, keeping: keeping, atMost: limit)
  }
  func externalChanges() -> AsyncStream<Set<String>?> { memory.externalChanges() }
  func close() { memory.close() }
}
