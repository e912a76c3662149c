import Foundation
import Weir
import WeirNormalized
import WeirTesting

/// A storage in memory that counts its calls, and can hold them and let them fail.
final class ScriptedStorage: ForwardingStorage {
  enum Call: Hashable {
    case commit, load, names, collect
    /// A look-up of what earlier runs have learned.
    case learned
    /// A removal of everything; it fails when everything is removed already.
    case removal
  }

  let memory: MemoryRecordStorage
  var base: any RecordStorage { memory }
  /// Whether it gets no notifications of other storages' changes.
  let isDeaf: Bool
  /// Called on the storage's thread after each commit.
  let afterCommit = Locked<(@Sendable () -> Void)?>(nil)
  private let state = Locked(State())
  private let held = ArrivalCount()
  private let free = DispatchSemaphore(value: 0)

  private struct State {
    var counts: [Call: Int] = [:]
    var keys: [[String]] = []
    var saved: [[String]] = []
    var failures: [Call: StorageError.Code] = [:]
    var heldCall: Call?
    var holds = 0
  }

  init(_ memory: MemoryRecordStorage = MemoryRecordStorage(), isDeaf: Bool = false) {
    self.memory = memory
    self.isDeaf = isDeaf
  }

  func count(_ call: Call) -> Int { state.withLock { $0.counts[call] ?? 0 } }

  /// The keys of each look-up.
  var lookUps: [[String]] { state.withLock { $0.keys } }

  /// The keys of the records of each commit.
  var saved: [[String]] { state.withLock { $0.saved } }

  /// Makes the next call wait for ``release()``: a look-up after it has found the records, another call
  /// before it begins.
  func hold(_ call: Call) {
    state.withLock { state in
      state.heldCall = call
      state.holds += 1
    }
  }

  /// Waits until that call is held, or the task is cancelled.
  func waitUntilHeld() async { await held.reaches(state.withLock(\.holds)) }

  /// Writes data, and waits until its commit is held.
  func holdCommit(of write: () throws -> Void) async rethrows {
    hold(.commit)
    try write()
    await waitUntilHeld()
  }
  func release() { free.signal() }

  func fail(_ call: Call, with code: StorageError.Code?) {
    state.withLock { $0.failures[call] = code }
  }

  private func pass(_ call: Call) throws(StorageError) {
    let failure = state.withLock { state in
      state.counts[call, default: 0] += 1
      return state.failures[call]
    }
    if let failure { throw StorageError(failure, "As told") }
  }

  private func wait(_ call: Call) {
    let waits = state.withLock { state in
      defer { if state.heldCall == call { state.heldCall = nil } }
      return state.heldCall == call
    }
    guard waits else { return }
    held.add(1)
    free.wait()
  }

  func commit(_ batch: RecordBatch) throws(StorageError) {
    wait(.commit)
    try pass(.commit)
    try memory.commit(batch)
    state.withLock { $0.saved.append(batch.records.map(\.key)) }
    afterCommit.withLock(\.self)?()
  }

  func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?] {
    try pass(.load)
    state.withLock { $0.keys.append(keys) }
    let found = try memory.load(keys)
    wait(keys == ["LEARNED"] ? .learned : .load)
    return found
  }

  func names() throws(StorageError) -> [UInt32: String] {
    wait(.names)
    return try memory.names()
  }

  func removeAll() throws(StorageError) {
    try memory.removeAll()
    try pass(.removal)
  }

  func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] {
    try pass(.collect)
    return try memory.collect(toBytes: bytes, keeping: keeping, atMost: limit)
  }

  func externalChanges() -> AsyncStream<Set<String>?> {
    isDeaf ? AsyncStream { $0.finish() } : memory.externalChanges()
  }
}
