import WeirNormalized

/// Copies the readable, undamaged rows of a damaged file into a new one.
struct Salvage {
  let source: Connection
  let target: Connection
  private(set) var records = 0

  init(from source: Connection, to target: Connection) {
    self.source = source
    self.target = target
  }

  /// Copies the rows; copies nothing if the state row is damaged.
  mutating func run() throws(StorageError) {
    guard let old = try? FileState(from: source) else { return }
    guard old.nextName > 0, old.nextName <= Int64(UInt32.max) else { return }
    let (source, target) = (source, target)
    records = try target.writing { () throws(StorageError) in
      var state = try FileState(from: target)
      state.nextName = max(state.nextName, old.nextName)
      state.sequence = old.sequence + 1
      try Self.copyNames(from: source, to: target)
      try Self.copyFingerprints(from: source, to: target)
      let copied = try Self.copyRows(of: .records, from: source, to: target)
      _ = try Self.copyRows(of: .documents, from: source, to: target)
      (state.records, state.bytes) = (Int64(copied.count), Int64(copied.bytes))
      try state.write(to: target)
      return copied.count
    }
  }

  private static func copyNames(
    from source: Connection, to target: Connection
  ) throws(StorageError) {
    let read = try? source.statement(.names)
    let add = try target.statement(.addName)
    while let read, (try? read.step()) == true {
      guard let name = InternedName(row: read) else { continue }
      name.bind(to: add)
      try add.run()
    }
  }

  private static func copyFingerprints(
    from source: Connection, to target: Connection
  ) throws(StorageError) {
    guard let stored = try? Fingerprints.stored(in: source) else { return }
    for (type, fingerprint) in stored {
      try Fingerprints.store(fingerprint, of: type, in: target)
    }
  }

  /// Copies rows from both ends up to the damage, so that a bad page in the middle loses only itself.
  ///
  /// A row is copied only if a search for its key finds it, too. If damage has misdirected searches,
  /// a newer version may be elsewhere in the tree, or a removal may have missed the row.
  private static func copyRows(
    of table: SQL.Table, from source: Connection, to target: Connection
  ) throws(StorageError) -> (count: Int, bytes: Int) {
    var count = 0
    var bytes = 0
    var last: [UInt8]?
    guard let search = try? source.statement(.get(table)) else { return (0, 0) }
    let insert = try target.statement(.put(table))
    for order in ["ASC", "DESC"] {
      let rows = RowCursor(source, "SELECT * FROM \(table.rawValue) ORDER BY key \(order)")
      while let row = rows.next() {
        if order == "DESC", let last, !last.lexicographicallyPrecedes(row.key) { break }
        if order == "ASC" { last = row.key }
        guard row.isIntact, row.isFound(by: search) else { continue }
        row.bind(to: insert)
        try insert.run()
        count += 1
        bytes += row.key.count + row.value.count
      }
      if rows.reachedEnd { break }
    }
    // A row that both passes have copied has replaced itself.
    return (count - target.replacedRows.count, bytes - target.replacedRows.bytes)
  }
}
