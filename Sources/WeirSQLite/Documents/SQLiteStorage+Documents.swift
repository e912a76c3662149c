public import Weir
public import WeirNormalized

extension SQLiteStorage {
  /// Replaces the saved results of a document cache with these, in one transaction.
  ///
  /// ```swift
  /// try storage.save(cache.snapshot())                    // when the app goes to the background
  /// cache.restore(try storage.documentCacheSnapshot())    // when it starts
  /// ```
  ///
  /// Only the difference to the previous save is written. A result that your app invalidates after a
  /// save comes back if the process is killed before the next save, so save after mutations that
  /// matter. A snapshot that is older than the one that this storage has saved last has no effect: tasks
  /// that save at the same time may do so in any order.
  ///
  /// - Throws: `StorageError` if the file cannot be opened or written; the one that
  ///   ``SQLiteConfiguration/valueTransform`` throws; with the code `failed` if that throws another error, or
  ///   if ``removeAll()`` was called after the snapshot was made, by any storage of this process with the same file, because the results may belong to a user
  ///   who has signed out. If it throws, nothing is saved.
  public func save(_ snapshot: DocumentCacheSnapshot) throws(StorageError) {
    let (stored, epoch) = try change { (_, connection) throws(StorageError) in
      try connection.reading { () throws(StorageError) in
        (try SavedDocument.all(in: connection), try FileState(from: connection).epoch)
      }
    }
    var saved = stored
    while let newer = try save(snapshot, over: saved, epoch) { saved = newer }
  }

  /// Saves a snapshot, if no other save has changed anything since `saved` was read.
  ///
  /// - Returns: what is saved now, if the snapshot is not.
  private func save(
    _ snapshot: DocumentCacheSnapshot, over saved: [[UInt8]: SavedDocument], _ epoch: Int64
  ) throws(StorageError) -> [[UInt8]: SavedDocument]? {
    // Without the lock, because it calls the app's code.
    var change = try DocumentChange(from: saved, to: snapshot)
    if let transform = configuration.valueTransform {
      change.rows = try change.rows.map { (row) throws(StorageError) in
        ValueRow(
          key: row.key, type: row.type, used: row.used,
          value: try transform.sealed(row.value, key: row.key))
      }
    }
    return try perform { [change] (state, connection) throws(StorageError) in
      let isSuperseded = state.lastSave.map(snapshot.origin.precedes) ?? false
      func newer(than saved: [[UInt8]: SavedDocument], _ fileState: FileState) throws(StorageError)
        -> [[UInt8]: SavedDocument]?
      {
        guard !OpenStorages.shared.hasRemoved(file, since: snapshot.origin),
          fileState.epoch == epoch
        else {
          throw StorageError(
            .failed, "Everything was removed after the snapshot was made; make a new one")
        }
        if isSuperseded { return nil }
        let all = try SavedDocument.all(in: connection)
        return all == saved ? nil : all
      }
      let found: [[UInt8]: SavedDocument]?
      if isSuperseded || change.isEmpty {
        // Does not wait for other processes that write.
        found = try connection.reading { () throws(StorageError) in
          try newer(than: saved, FileState(from: connection))
        }
      } else {
        (_, found) = try FileState.change(in: connection) {
          (fileState) throws(StorageError) -> [[UInt8]: SavedDocument]? in
          if let newer = try newer(than: saved, fileState) { return newer }
          try change.write(to: connection)
          fileState.isClean = false
          return nil
        }
      }
      if found == nil, !isSuperseded { state.lastSave = snapshot.origin }
      return found
    }
  }

  /// Returns the results of the last ``save(_:)``, to restore them into a document cache.
  ///
  /// Damaged results are omitted and reported as a diagnostic.
  ///
  /// - Throws: `StorageError` if the file, or the key of ``SQLiteConfiguration/valueTransform``, cannot be read.
  ///   Try again before you save, because a save replaces all results.
  public func documentCacheSnapshot() throws(StorageError) -> DocumentCacheSnapshot {
    let origin = SnapshotOrigin()
    let rows = try perform { (_, connection) throws(StorageError) in
      try connection.statement(.documents).map(ValueRow.init)
    }
    var entries: [DocumentCacheSnapshot.Entry] = []
    for row in rows where row.isIntact {
      var value: [UInt8]? = row.value
      if let transform = configuration.valueTransform {
        value = try transform.opened(row.value, key: row.key)
      }
      if let entry = value.flatMap(DocumentCoder.decode) { entries.append(entry) }
    }
    if entries.count < rows.count {
      report([StorageDiagnostic(.damagedValues, file, count: rows.count - entries.count)])
    }
    return DocumentCacheSnapshot(entries: entries, origin: origin)
  }
}

/// The columns of a saved result that show whether it has changed.
struct SavedDocument: Equatable {
  var reception: Int64
  /// When it was used, counted in uses; nil if the number is damaged.
  var used: Int64?

  init(reception: Int64, used: Int64) {
    self.reception = reception
    // No file reaches more, so the numbers that follow cannot overflow.
    self.used = (0...1 << 60).contains(used) ? used : nil
  }

  static func all(in connection: Connection) throws(StorageError) -> [[UInt8]: SavedDocument] {
    let rows = try connection.statement(.savedDocuments).map { row in
      (row.bytes(0), SavedDocument(reception: row.integer(1), used: row.integer(2)))
    }
    return Dictionary(rows) { $1 }
  }
}

/// The difference between the saved results and a snapshot.
struct DocumentChange {
  var rows: [ValueRow] = []
  private var uses: [(key: [UInt8], used: Int64)] = []
  private var removed: [[UInt8]] = []

  var isEmpty: Bool { rows.isEmpty && uses.isEmpty && removed.isEmpty }

  init(
    from saved: [[UInt8]: SavedDocument], to snapshot: DocumentCacheSnapshot
  ) throws(StorageError) {
    var rest = saved
    var newest = saved.values.reduce(0) { max($0, $1.used ?? 0) }
    // Results that were used since the last save are at the end of the snapshot and get new stamps.
    // The results before them keep theirs. Rows with damaged stamps are written again.
    var last: Int64 = -1
    for entry in snapshot.entries {
      let key = DocumentCoder.key(of: entry)
      let reception = DocumentCoder.reception(of: entry)
      let old = rest.removeValue(forKey: key)
      let used = old?.reception == reception ? old?.used : nil
      if let used, used > last {
        last = used
        continue
      }
      newest += 1
      last = newest
      if used != nil {
        uses.append((key, newest))
      } else {
        rows.append(
          ValueRow(
            key: key, type: reception ?? 0, used: newest, value: try DocumentCoder.encode(entry)))
      }
    }
    removed = Array(rest.keys)
  }

  /// Writes the difference. Call it in a write transaction.
  func write(to connection: Connection) throws(StorageError) {
    let remove = try connection.statement(.remove(.documents))
    for key in removed { try remove.run(key) }
    let touch = try connection.statement(.touch(.documents))
    for (key, used) in uses { try touch.run(key, used) }
    let put = try connection.statement(.put(.documents))
    for row in rows {
      row.bind(to: put)
      try put.run()
    }
  }
}
