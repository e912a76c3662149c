import Weir

/// The part of a storage that belongs to one partition: all of its keys have a prefix.
///
/// The prefix is a digest of the endpoint and the headers, salted with random bytes that are stored
/// in the same file. So it is the same in the next run of the app, and neither a header nor a token
/// is in the file.
final class PartitionStorage: RecordStorage {
  private let base: any RecordStorage
  private unowned let parent: StorageLink
  /// A digest that stays in memory, so that no credential is held.
  private let digest: String
  private let known = Locked<(prefix: String, removalCount: Int)?>(nil)

  init(_ context: OperationContext, in base: any RecordStorage, of parent: StorageLink) {
    self.base = base
    self.parent = parent
    digest = context.scopeDigest(salt: Array("partition".utf8)) ?? ""
  }

  /// The prefix, if it was used already.
  var knownPrefix: String? { known.withLock { $0?.prefix } }

  /// Those keys of the whole storage that belong to the partition, without its prefix.
  func keys(among keys: Set<ExactString>) -> Set<ExactString> {
    guard let prefix = knownPrefix else { return [] }
    return Set(
      keys.lazy.map(\.text).filter { $0.utf8.starts(with: prefix.utf8) }
        .map { ExactString($0.without(prefix)) })
  }

  /// Makes the next call ask the storage for the salt again: it may be gone, or be another one.
  func forgetPrefix() { known.withLock { $0 = nil } }

  /// Returns the prefix. What a main store removes is removed first, and the salt with it.
  private func prefix() throws(StorageError) -> String {
    try parent.finishRemovals()
    if let currentPrefix { return currentPrefix }
    let removalCount = parent.removalCount
    let name = SHA256Digest.short(of: try salt() + Array(digest.utf8))
    let prefix = "\(StoredKey.partitionPrefix)\(name):"
    known.withLock { $0 = (prefix, removalCount) }
    return prefix
  }

  /// The prefix, if it was used since the main store has last removed everything.
  private var currentPrefix: String? {
    known.withLock { $0 }.flatMap { $0.removalCount == parent.removalCount ? $0.prefix : nil }
  }

  private func salt() throws(StorageError) -> [UInt8] {
    let base = base
    // Two stores that miss the salt at the same time must not both make one.
    return try SharedStorages.shared.reserve(base) { () throws(StorageError) in
      if let stored = try base.load([StoredKey.salt]).first ?? nil { return stored.value }
      let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
      let record = StoredRecord(key: StoredKey.salt, type: 0, value: salt)
      try base.commit(RecordBatch(records: [record]))
      return salt
    }
  }

  func names() throws(StorageError) -> [UInt32: String] {
    try base.names()
  }

  func register(_ names: [String]) throws(StorageError) -> [UInt32] {
    try base.register(names)
  }

  func load(_ keys: [String]) throws(StorageError) -> [StoredRecord?] {
    let prefix = try prefix()
    return try base.load(keys.map { prefix + $0 }).map { record in
      record.map { StoredRecord(key: $0.key.without(prefix), type: $0.type, value: $0.value) }
    }
  }

  func commit(_ batch: RecordBatch) throws(StorageError) {
    // The worker has waited for removals; one that begins now removes this commit, too.
    let prefix = if let currentPrefix { currentPrefix } else { try prefix() }
    try base.commit(
      RecordBatch(
        records: batch.records.map {
          StoredRecord(key: prefix + $0.key, type: $0.type, value: $0.value)
        },
        removedKeys: batch.removedKeys.map { prefix + $0 }))
  }

  func keys(in selection: RecordSelection) throws(StorageError) -> [String] {
    let prefix = try prefix()
    let found =
      switch selection {
      case .all: try base.keys(in: .prefix(prefix))
      case .prefix(let start): try base.keys(in: .prefix(prefix + start))
      case .type: try base.keys(in: selection).filter { $0.utf8.starts(with: prefix.utf8) }
      }
    return found.map { $0.without(prefix) }
  }

  /// The main store removes everything else, the names included, and mostly it has removed this, too. But a
  /// new session begins in the main store first. A commit of the partition that its removal overtakes is put
  /// back, and may be saved before the session begins in the partition; this removes it then.
  func removeAll() throws(StorageError) {
    let prefix = try prefix()
    let keys = try base.keys(in: .prefix(prefix))
    if !keys.isEmpty { try base.commit(RecordBatch(removedKeys: keys)) }
  }

  func size() throws(StorageError) -> StorageSize {
    try base.size()
  }

  /// The main store collects, because only it knows what all partitions need.
  func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] { [] }

  func externalChanges() -> AsyncStream<Set<String>?> {
    // Without a buffer of its own: the base limits how many changes wait. Proof: the worker, which is the
    // one consumer, asks for one change after the other.
    nonisolated(unsafe) var changes = base.externalChanges().makeAsyncIterator()
    return AsyncStream { [weak self] in
      while let keys = await changes.next() {
        guard let self else { return nil }
        if let mine = mine(keys) { return mine }
      }
      return nil
    }
  }

  /// Those keys that belong to the partition. (Nil in place of keys stands for all of them.)
  private func mine(_ keys: Set<String>?) -> Set<String>?? {
    guard let keys, !keys.contains(StoredKey.salt) else {
      // Two stores that have missed the salt have both made one.
      forgetPrefix()
      return .some(nil)
    }
    // No change: the storage accepts commits again.
    if keys.isEmpty { return .some([]) }
    guard let prefix = knownPrefix else { return nil }
    let mine = keys.filter { $0.utf8.starts(with: prefix.utf8) }
    return mine.isEmpty ? nil : .some(Set(mine.map { $0.without(prefix) }))
  }

  func close() {}
}

extension StorageLink {
  /// The part of the storage that belongs to the store; nil for a main store.
  var partition: PartitionStorage? { storage as? PartitionStorage }
}

extension String {
  fileprivate func without(_ prefix: String) -> String {
    String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}
