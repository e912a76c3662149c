import Weir
public import WeirNormalized

extension SQLiteStorage {
  /// Returns the registered names by their numbers.
  public func names() throws(StorageError) -> [UInt32: String] {
    try perform { (state, connection) throws(StorageError) in
      var table = state.names
      try table.read(from: connection)
      state.names = table
      return table.texts
    }
  }

  /// Returns the numbers of these names, and registers new names.
  ///
  /// A call accesses the file only for names that are new to this storage. It reads the names in the
  /// file before it assigns a number, so all processes agree.
  ///
  /// No number is assigned twice in the life of a file, not even after ``removeAll()``. So a record
  /// with an old number can become unreadable, but its number never denotes another name.
  public func register(_ names: [String]) throws(StorageError) -> [UInt32] {
    try perform { (state, connection) throws(StorageError) in
      let known = names.compactMap { state.names.number(of: $0) }
      if known.count == names.count { return known }
      // A copy, so that a rollback leaves the table unchanged.
      var table = state.names
      let (_, numbers) = try FileState.change(in: connection) { (fileState) throws(StorageError) in
        try table.restoreNames(in: connection, &fileState)
        try table.read(from: connection)
        return try table.register(names, &fileState, in: connection)
      }
      state.names = table
      return numbers
    }
  }

  /// Removes all records, names and document-cache results.
  ///
  /// It overwrites their space in the file with zeros, empties the write-ahead log, and deletes files
  /// that were set aside as damaged. If the disk is too full for that (each changed page goes through
  /// the log), the file is too damaged, or a newer version of this library has written it, it overwrites and
  /// deletes the files and creates a new one.
  ///
  /// It cannot reach copies inside the medium (flash memory keeps some) and backups. If another
  /// process is reading the log, it throws `StorageError.Code.busy`: then everything is removed, but
  /// the log may still contain data.
  ///
  /// Do not call it while a store uses this storage object, which notifies nobody of its own changes: the
  /// store would save what it still has in memory, and with numbers of names that are removed, so that the
  /// next run could not read it. Call `clear()` or `switchSession()` of the store's client instead. A store
  /// with another storage object on the file is notified.
  public func removeAll() throws(StorageError) {
    // Before it, so that no other storage saves an old snapshot when it is over, and after it, because
    // snapshots may have been made meanwhile. Even after an error, because everything may be removed.
    OpenStorages.shared.noteRemoval(of: file)
    defer {
      OpenStorages.shared.noteRemoval(of: file)
      OpenStorages.shared.wake(file, except: feed)
    }
    do throws(StorageError) {
      try removeEverything()
    } catch {
      // Nothing of a damaged file, or one of a newer version, is needed for that.
      guard [.full, .corrupt, .newerVersion].contains(error.code) else { throw error }
      if try !replaceFile() { try removeEverything() }
    }
  }

  private func removeEverything() throws(StorageError) {
    try perform(ignoresNames: true) { (state, connection) throws(StorageError) in
      try connection.execute("PRAGMA secure_delete = ON")
      defer {
        // Later removals cost what the configuration says.
        if !configuration.overwritesRemovedData {
          try? connection.execute("PRAGMA secure_delete = OFF")
        }
      }
      let (fileState, _) = try FileState.change(in: connection) {
        (fileState) throws(StorageError) in
        for sql in [SQL.clear(.records), .clear(.documents), .clearNames, .clearChanges] {
          try connection.statement(sql).run()
        }
        fileState.records = 0
        fileState.bytes = 0
        fileState.epoch += 1
        fileState.sequence += 1
        fileState.isClean = false
        try ChangeLog.append(nil, origin: self.origin, fileState.sequence, to: connection)
      }
      state.reset(to: fileState)
      self.feed.passed(fileState.position, removesAll: true)
      self.file.deleteQuarantined()
      // The zeros reach the file only while it has the pages that the vacuum cuts off.
      try Self.emptyLog(connection)
      try connection.execute("PRAGMA incremental_vacuum")
      try Self.emptyLog(connection)
    }
  }

  private static func emptyLog(_ connection: Connection) throws(StorageError) {
    guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
      throw StorageError(
        .busy, "Everything is removed, but another process is reading the log; remove again")
    }
  }
}

extension SQLiteStorage.State {
  /// Reads the names of another file than before, before it is used: if they contradict the known ones,
  /// its records would be misread.
  mutating func takeNames(of file: OpenFile) throws(StorageError) {
    if let generation, generation != file.state.generation {
      var table = names
      // They belong to the records of the former file.
      uses.removeAll()
      conflict = try table.merge(from: file.connection)
      if conflict == nil { names = table }
    }
    generation = file.state.generation
  }

  /// Forgets the former content of a file that is now empty.
  mutating func reset(to fileState: FileState) {
    openFile?.state = fileState
    names.removeAll(fileState)
    (generation, conflict) = (fileState.generation, nil)
    uses.removeAll()
    candidates = []
  }
}
