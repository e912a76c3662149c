import Weir
public import WeirNormalized

extension SQLiteStorage {
  /// How much is stored; kept up to date with each commit, so it costs one small read.
  public func size() throws(StorageError) -> StorageSize {
    try perform { (_, connection) throws(StorageError) in
      let state = try FileState(from: connection)
      return StorageSize(
        records: Int(state.records), bytes: Int(state.bytes),
        bytesOnDisk: self.file.size("") + self.file.size("-wal"))
    }
  }

  /// Removes the records that were not used for the longest time: those whose last write, or last
  /// read through any storage that has told of it, is the oldest.
  ///
  /// A call removes at most `limit` records in one transaction, and gives pages back to the file
  /// system. Once in some thousands of removals it looks at all records, letting other calls
  /// through in between.
  public func collect(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> [String] {
    try writeUses()
    var removed = try removeCandidates(toBytes: bytes, keeping: keeping, atMost: limit)
    if removed.keys.isEmpty, removed.isOver {
      try findCandidates(keeping: keeping)
      removed = try removeCandidates(toBytes: bytes, keeping: keeping, atMost: limit)
    }
    if !removed.keys.isEmpty { OpenStorages.shared.nudge(file, except: feed) }
    return removed.keys
  }

  private func findCandidates(keeping: Set<String>) throws(StorageError) {
    var scan = CandidateScan()
    var goesOn = true
    while goesOn {
      goesOn = try perform { (_, connection) throws(StorageError) in
        try scan.step(connection, keeping: keeping)
      }
    }
    let found = scan.oldest
    try perform { (state, _) in state.candidates.take(found) }
  }

  /// Stamps what was read, in steps that let other calls through.
  private func writeUses() throws(StorageError) {
    var goesOn = true
    while goesOn {
      goesOn = try perform { (state, connection) throws(StorageError) in
        guard !state.uses.isEmpty else { return false }
        try connection.writing { () throws(StorageError) in
          try state.uses.write(atMost: 1024, to: connection)
        }
        return true
      }
    }
  }

  private func removeCandidates(
    toBytes bytes: Int, keeping: Set<String>, atMost limit: Int
  ) throws(StorageError) -> (keys: [String], isOver: Bool) {
    guard limit > 0 else { return ([], false) }
    return try change { (state, connection) throws(StorageError) in
      guard try FileState(from: connection).bytes > bytes else { return ([], false) }
      let (fileState, removed) = try connection.writing { () throws(StorageError) in
        var fileState = try FileState(from: connection)
        let excess = Int(fileState.bytes) - bytes
        let removed = try state.candidates.remove(
          excess, keeping: keeping, atMost: limit, from: connection)
        guard !removed.isEmpty else { return (fileState, removed) }
        fileState.records -= Int64(connection.replaced.pointee.count)
        fileState.bytes -= Int64(connection.replaced.pointee.bytes)
        fileState.sequence += 1
        fileState.isClean = false
        let keys = ChangeLog.encode(RecordBatch(removedKeys: removed))
        try ChangeLog.append(keys, origin: self.origin, fileState.sequence, to: connection)
        try fileState.write(to: connection)
        return (fileState, removed)
      }
      state.openFile?.state = fileState
      if !removed.isEmpty { try connection.execute("PRAGMA incremental_vacuum(256)") }
      return (removed, fileState.bytes > bytes)
    }
  }
}

extension CollectionCandidates {
  /// Removes the oldest until `excess` bytes are gone.
  fileprivate mutating func remove(
    _ excess: Int, keeping: Set<String>, atMost limit: Int, from connection: Connection
  ) throws(StorageError) -> [String] {
    let statement = try connection.statement(.collect)
    var removed: [String] = []
    var kept: [Candidate] = []
    while removed.count < limit, connection.replaced.pointee.bytes < excess,
      let candidate = popFirst()
    {
      guard !keeping.contains(candidate.key) else {
        kept.append(candidate)
        continue
      }
      let before = connection.replaced.pointee.count
      statement.bind(Array(candidate.key.utf8), at: 1)
      statement.bind(candidate.used, at: 2)
      try statement.run()
      if connection.replaced.pointee.count > before { removed.append(candidate.key) }
    }
    putBack(kept)
    return removed
  }
}
