import Weir

extension StorageWorker {
  /// If the storage exceeds its budget, removes what was not used for the longest time, in small steps.
  mutating func collect() throws(StorageError) {
    if let parent = link.parent {
      return try parent.withWorker { (worker) throws(StorageError) in try worker.collect() }
    }
    guard let limit = link.configuration.maximumStoredBytes else { return }
    let bytes = try storage.size().bytes
    guard bytes > limit else { return nextCollection = 0 }
    nextCollection = min(nextCollection, bytes + limit / 8)
    guard bytes >= nextCollection else { return }
    try collect(toBytes: limit - limit / 8)
    let rest = try storage.size().bytes
    nextCollection = rest > limit ? rest + limit / 8 : 0
  }

  /// Removes an eighth of what is stored, because the storage has no room for a commit.
  ///
  /// - Returns: whether something was removed.
  func makeRoom() throws(StorageError) -> Bool {
    if let parent = link.parent {
      return try parent.withWorker { (worker) throws(StorageError) in try worker.makeRoom() }
    }
    guard let limit = link.configuration.maximumStoredBytes else { return false }
    let bytes = min(limit, try storage.size().bytes)
    try collect(toBytes: bytes - bytes / 8)
    return try storage.size().bytes < bytes
  }

  /// Where partitions that have records keep what they have learned, which must not go before their lists.
  /// Without records it is useless, and a server may have a partition for each token.
  private func learnedKeys() throws(StorageError) -> Set<String> {
    var learned: Set<String> = []
    for key in try storage.keys(in: .prefix(StoredKey.partitionPrefix)) {
      guard let end = key.utf8.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let own = key[...end] + LearnedNames.key
      if key != own { learned.insert(String(own)) }
    }
    return learned
  }

  private func collect(toBytes goal: Int) throws(StorageError) {
    var (keys, used) = state.withLock { $0.storedKeys() }
    keys.insert(StoredKey.salt)
    keys.formUnion(try learnedKeys())
    for part in link.partitionLinks.withLock({ $0.compactMap(\.link) }) {
      guard let prefix = part.partition?.knownPrefix else { continue }
      let found = part.state.withLock { $0.storedKeys() }
      keys.formUnion(found.kept.map { prefix + $0 })
      used.formUnion(found.used.map { prefix + $0 })
    }
    noteUses(Array(used))
    while try storage.size().bytes > goal {
      let removed = try storage.collect(toBytes: goal, keeping: keys, atMost: 500)
      if removed.isEmpty { return }
    }
  }

  /// To the storage, a look-up is a use. It knows nothing of the reads that memory has answered.
  private func noteUses(_ keys: [String]) {
    for start in stride(from: 0, to: keys.count, by: 500) {
      // If that fails, the order is only less exact.
      guard (try? storage.load(Array(keys[start...].prefix(500)))) != nil else { return }
    }
  }
}

extension StoreState {
  /// The keys of the records that must stay in the storage, and of those that were used since the last call.
  fileprivate mutating func storedKeys() -> (kept: Set<String>, used: Set<String>) {
    let kept = RecordCollection(&self).storedKeys(records)
    return (kept, RecordCollection(shownBy: results.takeUsed(), self).storedKeys(records))
  }
}
