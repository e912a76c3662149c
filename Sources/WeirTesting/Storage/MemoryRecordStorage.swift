import Weir
public import WeirNormalized

/// A storage in memory for tests, the simplest one that fulfils the contract.
///
/// Some operations scan all records, so use it for small numbers of records. Several storages may
/// share one memory, like several processes that share a file.
public final class MemoryRecordStorage: RecordStorage {
  private let medium: Medium
  private let origin: Int
  private let isClosed = Locked(false)

  /// Makes an empty storage.
  public convenience init() {
    self.init(Medium())
  }

  /// Makes another storage on the memory of `other`. Closing one of them does not affect the other.
  public convenience init(sharing other: MemoryRecordStorage) {
    self.init(other.medium)
  }

  private init(_ medium: Medium) {
    self.medium = medium
    origin = medium.state.withLock { state in
      state.origins += 1
      return state.origins
    }
  }

  deinit {
    close()
  }

  private func withMedium<Result>(
    _ body: (inout Medium.State) -> Result
  ) throws(StorageError) -> Result {
    guard !isClosed.withLock({ $0 }) else {
      throw StorageError(.closed, "The storage is closed")
    }
    return medium.state.withLock(body)
  }

  /// Returns the registered names by their numbers.
  public func names() throws(StorageError) -> [UInt32: String] {
    try withMedium { state in
      Dictionary(
        uniqueKeysWithValues: state.names.map {
          ($0.value, String(decoding: $0.key, as: UTF8.self))
        })
    }
  }

  /// Returns the numbers of these names, and registers new names.
  public func register(_ names: [String]) throws(StorageError) -> [UInt32] {
    try withMedium { state in names.map { state.number(of: Array($0.utf8)) } }
  }

  /// Returns the records under these keys, in the order of the keys.
  public func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?] {
    try withMedium { state in
      keys.map { key in
        let key = Array(key.utf8)
        guard let record = state.records[key]?.record else { return nil }
        let now = state.tick()
        state.records[key]?.used = now
        return record
      }
    }
  }

  /// Writes and removes records.
  public func commit(_ batch: RecordBatch) throws(StorageError) {
    try withMedium { state in
      for key in batch.removedKeys { state.records[Array(key.utf8)] = nil }
      for record in batch.records {
        state.records[Array(record.key.utf8)] = Medium.Row(record: record, used: state.tick())
      }
    }
    // An empty set of changes would say that commits are accepted again.
    let keys = batch.removedKeys + batch.records.map(\.key)
    if !keys.isEmpty { notify(keys) }
  }

  /// Returns the keys of the selected records.
  public func keys(in selection: RecordSelection) throws(StorageError) -> [String] {
    try withMedium { state in
      state.records.values.map(\.record).filter { record in
        switch selection {
        case .all: true
        case .type(let type): record.type == type
        case .prefix(let prefix): record.key.utf8.starts(with: prefix.utf8)
        }
      }.map(\.key)
    }
  }

  /// Removes everything.
  public func removeAll() throws(StorageError) {
    try withMedium { state in
      state.records = [:]
      state.names = [:]
    }
    notify(nil)
  }

  /// Returns the number and the size of the records.
  public func size() throws(StorageError) -> StorageSize {
    try withMedium { state in
      StorageSize(
        records: state.records.count,
        bytes: state.records.reduce(0) { $0 + $1.key.count + $1.value.record.value.count })
    }
  }

  /// Removes the least recently used records.
  public func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] {
    var excess = try size().bytes - max(0, bytes)
    return try withMedium { state in
      var removed: [String] = []
      for (key, row) in state.records.sorted(by: { $0.value.used < $1.value.used }) {
        guard excess > 0, removed.count < limit else { break }
        guard !keeping.contains(row.record.key) else { continue }
        state.records[key] = nil
        excess -= key.count + row.record.value.count
        removed.append(row.record.key)
      }
      return removed
    }
  }

  /// Returns a stream of the keys that other storages on the same memory have changed.
  public func externalChanges() -> AsyncStream<Set<String>?> {
    let (stream, continuation) = AsyncStream.makeStream(of: Set<String>?.self)
    let number = medium.state.withLock { state -> Int? in
      // Within this lock, so that `close` finds every stream that it has to end.
      guard !isClosed.withLock({ $0 }) else { return nil }
      state.lastListener += 1
      state.listeners[state.lastListener] = (origin, continuation)
      return state.lastListener
    }
    if let number {
      continuation.onTermination = { [weak medium] _ in
        medium?.state.withLock { $0.listeners[number] = nil }
      }
    } else {
      continuation.finish()
    }
    return stream
  }

  /// Closes the storage and ends its streams of changes.
  public func close() {
    isClosed.withLock { $0 = true }
    let own = medium.state.withLock { state in
      let own = state.listeners.filter { $0.value.origin == origin }
      for number in own.keys { state.listeners[number] = nil }
      return own.values
    }
    for listener in own { listener.continuation.finish() }
  }

  private func notify(_ keys: [String]?) {
    let keys = keys.flatMap { Set(exactly: Set($0.map(ExactString.init))) }
    let others = medium.state.withLock { $0.listeners.values.filter { $0.origin != origin } }
    for listener in others { listener.continuation.yield(keys) }
  }
}

/// The memory that several storages share.
private final class Medium: Sendable {
  struct Row {
    var record: StoredRecord
    var used: Int
  }

  struct State {
    var records: [[UInt8]: Row] = [:]
    var names: [[UInt8]: UInt32] = [:]
    var listeners: [Int: (origin: Int, continuation: AsyncStream<Set<String>?>.Continuation)] = [:]
    var lastListener = 0
    var origins = 0
    private var clock = 0
    private var lastNumber: UInt32 = 0

    mutating func tick() -> Int {
      clock += 1
      return clock
    }

    /// Returns the number of a name. No number is assigned twice, not even after a removal.
    mutating func number(of name: [UInt8]) -> UInt32 {
      if let number = names[name] { return number }
      lastNumber += 1
      names[name] = lastNumber
      return lastNumber
    }
  }

  let state = Locked(State())
}
