public import Weir
public import WeirNormalized

extension SQLiteStorage {
  /// Makes the file hold these results of a document cache, and no others, in one transaction.
  ///
  /// ```swift
  /// try storage.save(cache.snapshot())                    // when the app goes to the background
  /// cache.restore(try storage.documentCacheSnapshot())    // when it starts
  /// ```
  ///
  /// Only what has changed since the last time is written: results that were received since, and
  /// the removal of those that are gone. A result that was invalidated after the last save comes
  /// back if the process is killed before the next one; save after mutations that matter.
  public func save(_ snapshot: DocumentCacheSnapshot) throws(StorageError) {
    let stored = try change { (_, connection) throws(StorageError) in
      try SavedDocument.all(in: connection)
    }
    var change = DocumentChange(from: stored, to: snapshot)
    try seal(&change.rows)
    let final = change
    guard !final.isEmpty else { return }
    try perform { (_, connection) throws(StorageError) in
      try connection.writing { () throws(StorageError) in
        try final.write(to: connection)
        var state = try FileState(from: connection)
        state.isClean = false
        try state.write(to: connection)
      }
    }
  }

  /// The results that were saved last, to be restored into a document cache. Damaged ones are left
  /// out, and told as a diagnostic.
  public func documentCacheSnapshot() throws(StorageError) -> DocumentCacheSnapshot {
    let rows = try perform { (_, connection) throws(StorageError) in
      let statement = try connection.statement(.documents)
      defer { statement.reset() }
      var rows: [ValueRow] = []
      while try statement.step() { rows.append(ValueRow(statement)) }
      return rows
    }
    let entries = rows.compactMap { row -> DocumentCacheSnapshot.Entry? in
      guard row.isIntact else { return nil }
      guard let transform = configuration.valueTransform else {
        return DocumentCoder.decode(row.value)
      }
      return (try? transform.open(row.value, row.key)).flatMap(DocumentCoder.decode)
    }
    if entries.count < rows.count {
      var diagnostic = StorageDiagnostic(.damagedValues, file)
      diagnostic.count = rows.count - entries.count
      tell([diagnostic])
    }
    return DocumentCacheSnapshot(entries: entries)
  }

  private func seal(_ rows: inout [ValueRow]) throws(StorageError) {
    guard let transform = configuration.valueTransform else { return }
    do {
      rows = try rows.map { row in
        ValueRow(
          key: row.key, type: row.type, used: row.used,
          value: try transform.seal(row.value, row.key))
      }
    } catch {
      throw StorageError(.failed, "The value transform cannot seal: \(type(of: error))")
    }
  }
}

/// What is known of a saved result without reading it.
struct SavedDocument {
  var reception: Int64
  var used: Int64

  static func all(in connection: Connection) throws(StorageError) -> [[UInt8]: SavedDocument] {
    let statement = try connection.statement(.savedDocuments)
    defer { statement.reset() }
    var saved: [[UInt8]: SavedDocument] = [:]
    while try statement.step() {
      saved[statement.bytes(0)] = SavedDocument(
        reception: statement.integer(1), used: statement.integer(2))
    }
    return saved
  }
}

/// What is to be written so that the file holds a snapshot.
struct DocumentChange {
  var rows: [ValueRow] = []
  private var uses: [(key: [UInt8], used: Int64)] = []
  private var removed: [[UInt8]] = []

  var isEmpty: Bool { rows.isEmpty && uses.isEmpty && removed.isEmpty }

  init(from saved: [[UInt8]: SavedDocument], to snapshot: DocumentCacheSnapshot) {
    var rest = saved
    var newest = saved.values.reduce(0) { max($0, $1.used) }
    // What was used since the last time stands at the end and gets a new stamp there; what is
    // before it keeps its own.
    var last: Int64 = -1
    for entry in snapshot.entries {
      let key = DocumentCoder.key(of: entry)
      let reception = DocumentCoder.reception(of: entry)
      let old = rest.removeValue(forKey: key)
      if let old, old.reception == reception, old.used > last {
        last = old.used
        continue
      }
      newest += 1
      last = newest
      if let old, old.reception == reception {
        uses.append((key, newest))
      } else {
        rows.append(
          ValueRow(
            key: key, type: reception ?? 0, used: newest, value: DocumentCoder.encode(entry)))
      }
    }
    removed = Array(rest.keys)
  }

  /// Within a write transaction.
  func write(to connection: Connection) throws(StorageError) {
    let remove = try connection.statement(.remove(.documents))
    for key in removed {
      remove.bind(key, at: 1)
      try remove.run()
    }
    let touch = try connection.statement(.touch(.documents))
    for (key, used) in uses {
      touch.bind(key, at: 1)
      touch.bind(used, at: 2)
      try touch.run()
    }
    let put = try connection.statement(.put(.documents))
    for row in rows {
      row.bind(to: put)
      try put.run()
    }
  }
}
