import Weir
public import WeirNormalized

extension SQLiteStorage {
  /// Returns the number and the size of the stored records.
  ///
  /// Each commit updates these numbers, so a call reads a single row.
  public func size() throws(StorageError) -> StorageSize {
    try perform { (_, connection) throws(StorageError) in
      let state = try FileState(from: connection)
      return StorageSize(
        records: Int(clamping: state.records), bytes: Int(clamping: state.bytes),
        bytesOnDisk: self.file.size("") + self.file.size("-wal"))
    }
  }

  /// Removes the least recently used records until at most `bytes` remain.
  ///
  /// Other storages do not report the removals: a store that has such a record in memory may keep it.
  ///
  /// Writes count as uses, and so do reads through any storage once it has written their times to
  /// the file. A call removes at most `limit` records in one transaction, and returns pages to the
  /// file system. Once in some thousands of removals it scans all records, in steps between which
  /// other calls can run.
  ///
  /// - Returns: the keys of the removed records.
  public func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] {
    let bytes = max(0, bytes)
    // If that fails, as it does on a full disk, the order is only less exact.
    try? writeUses()
    var removed = try removeCandidates(toBytes: bytes, keeping: keeping, atMost: limit)
    if removed.keys.isEmpty, removed.isOver {
      try findCandidates(keeping: keeping)
      removed = try removeCandidates(toBytes: bytes, keeping: keeping, atMost: limit)
    }
    return removed.keys
  }

  private func findCandidates(keeping: Set<String>) throws(StorageError) {
    var scan = CandidateScan()
    while try perform({ (_, connection) throws(StorageError) in
      try scan.step(connection, keeping: keeping)
    }) {}
    let found = scan.oldest
    try perform { (state, _) in state.candidates = found[...] }
  }

  /// Writes the times of recent reads, in steps between which other calls can run.
  private func writeUses() throws(StorageError) {
    while try perform({ (state, connection) throws(StorageError) in
      guard !state.uses.isEmpty else { return false }
      try connection.writing { () throws(StorageError) in
        try state.uses.write(atMost: 1024, to: connection)
      }
      return true
    }) {}
  }

  private func removeCandidates(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> (keys: [String], isOver: Bool) {
    guard limit > 0 else { return ([], false) }
    return try change { (state, connection) throws(StorageError) in
      guard try FileState(from: connection).bytes > bytes else { return ([], false) }
      let (fileState, removed) = try FileState.change(in: connection) {
        (fileState) throws(StorageError) in
        let excess = Int(clamping: fileState.bytes) - bytes
        let removed = try state.candidates.remove(
          excess, keeping: keeping, atMost: limit, from: connection)
        guard !removed.isEmpty else { return removed }
        fileState.subtract(connection.replacedRows)
        fileState.isClean = false
        return removed
      }
      state.openFile?.state = fileState
      // The removal is committed. If the disk is full, or another process writes, a later one shrinks the file.
      if !removed.isEmpty { try? connection.execute("PRAGMA incremental_vacuum(256)") }
      return (removed, fileState.bytes > bytes)
    }
  }
}

extension ArraySlice<CollectionCandidate> {
  /// Removes the least recently used records until `excess` bytes are gone.
  fileprivate mutating func remove(
    _ excess: Int, keeping: Set<String>, atMost limit: Int, from connection: Connection
  ) throws(StorageError) -> [String] {
    let statement = try connection.statement(.collect)
    var removed: [String] = []
    var kept: [CollectionCandidate] = []
    while removed.count < limit, connection.replacedRows.bytes < excess,
      let candidate = popFirst()
    {
      guard !keeping.contains(candidate.key) else {
        kept.append(candidate)
        continue
      }
      let before = connection.replacedRows.count
      try statement.run(Array(candidate.key.utf8), candidate.used)
      if connection.replacedRows.count > before { removed.append(candidate.key) }
    }
    if !kept.isEmpty { self = kept + self }
    return removed
  }
}
