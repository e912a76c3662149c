import Weir
public import WeirNormalized

extension SQLiteStorage {
  /// The names that have been registered, by their numbers.
  public func names() throws(StorageError) -> [UInt32: String] {
    try perform { (state, connection) throws(StorageError) in
      var table = state.names
      try table.read(from: connection)
      state.names = table
      return table.texts
    }
  }

  /// The numbers of these names. Touches the file only for names that are new to this storage, and
  /// asks it again before it gives out a number, so that all processes agree.
  ///
  /// No number is given out twice in the life of a file, not even after ``removeAll()``: a record
  /// that somebody writes with an old number can become unreadable, but never mean another name.
  public func register(_ names: [String]) throws(StorageError) -> [UInt32] {
    try perform { (state, connection) throws(StorageError) in
      let known = names.compactMap { state.names.number(of: $0) }
      if known.count == names.count { return known }
      // A copy: what is rolled back must not be remembered.
      var table = state.names
      let numbers = try connection.writing { () throws(StorageError) in
        var fileState = try FileState(from: connection)
        try table.settle(in: connection, &fileState)
        try table.read(from: connection)
        let numbers = try table.register(names, &fileState, in: connection)
        try fileState.write(to: connection)
        return numbers
      }
      state.names = table
      return numbers
    }
  }

  /// Removes all records, names and document-cache results, overwrites what they took in the file
  /// with zeros, empties the write-ahead log, and deletes files that were set aside as damaged.
  ///
  /// If the medium has no room for that (each page that changes goes through the log), the files are
  /// overwritten and deleted, and a new file takes their place.
  ///
  /// What it cannot reach: copies that the medium itself keeps (flash memory does), backups, and a
  /// log that another process is reading just now; then it throws `StorageError.Code.busy`, with
  /// everything removed but perhaps still in the log.
  public func removeAll() throws(StorageError) {
    do throws(StorageError) {
      try removeEverything()
    } catch {
      guard error.code == .full else { throw error }
      try beginAnew()
    }
    OpenStorages.shared.nudge(file, except: feed)
  }

  private func removeEverything() throws(StorageError) {
    try perform { (state, connection) throws(StorageError) in
      try connection.execute("PRAGMA secure_delete = ON")
      let fileState = try connection.writing { () throws(StorageError) in
        var fileState = try FileState(from: connection)
        for sql in [SQL.clear(.records), .clear(.documents), .clearNames, .clearChanges] {
          try connection.statement(sql).run()
        }
        fileState.records = 0
        fileState.bytes = 0
        fileState.epoch += 1
        fileState.sequence += 1
        fileState.isClean = false
        try ChangeLog.append(nil, origin: self.origin, fileState.sequence, to: connection)
        try fileState.write(to: connection)
        return fileState
      }
      state.emptied(fileState)
      self.file.deleteQuarantined()
      try connection.execute("PRAGMA incremental_vacuum")
      guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
        throw StorageError(.busy, "Everything is removed; somebody still reads the log")
      }
    }
  }
}

extension StorageState {
  /// Nothing is in the file any more.
  mutating func emptied(_ fileState: FileState) {
    openFile?.state = fileState
    names.removeAll(fileState)
    uses.removeAll()
    candidates = CollectionCandidates()
  }
}
