import Weir
import WeirNormalized

/// Copies the readable, undamaged rows of a damaged file into a new one.
///
/// It reads only tables whose definitions are those of this library: a hostile file could have a view
/// of that name, which never ends.
enum Salvage {
  /// Opens a damaged file for reading; returns nil if nothing of it can be read.
  static func open(_ file: DatabaseFile) -> Connection? {
    func source() throws(StorageError) -> Connection {
      let source = try Connection(path: file.path, readOnly: true, busyTimeout: .zero)
      let size = file.size("") + file.size("-wal")
      source.limitSteps(forBytes: size)
      source.limitValues(toBytes: size)
      return source
    }
    if let source = try? source(), (try? Schema.intactTables(of: source)) != nil { return source }
    // The end of the file may be missing.
    guard let source = try? source(), (try? source.allowTruncation()) != nil,
      (try? Schema.check(source)) != nil
    else { return nil }
    return source
  }

  /// Copies the rows, and returns the number of records; copies nothing if the state row is damaged.
  static func copy(from source: Connection, to target: Connection) throws(StorageError) -> Int {
    guard let tables = try? Schema.intactTables(of: source), tables.contains("state"),
      let old = try? FileState(from: source), old.nextName > 0, old.nextName <= Int64(UInt32.max)
    else { return 0 }
    return try FileState.change(in: target) { (state) throws(StorageError) in
      state.nextName = max(state.nextName, old.nextName)
      // A hostile file could have the largest number that is accepted.
      state.sequence = old.sequence < 1 << 59 ? old.sequence + 1 : 0
      if tables.contains("names") { try copyNames(from: source, to: target) }
      if tables.contains("fingerprints") { try copyFingerprints(from: source, to: target) }
      var copied = (count: 0, bytes: 0)
      if tables.contains("records") {
        copied = try copyRows(of: .records, from: source, to: target)
      }
      if tables.contains("documents") {
        _ = try copyRows(of: .documents, from: source, to: target)
      }
      (state.records, state.bytes) = (Int64(copied.count), Int64(copied.bytes))
      return copied.count
    }.result
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
      try Fingerprints.store(fingerprint.text, of: type.text, in: target)
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
      guard let rows = try? source.prepare("SELECT * FROM \(table.rawValue) ORDER BY key \(order)")
      else { continue }
      defer { rows.finalize() }
      var reachedEnd = false
      while let isRow = try? rows.step() {
        reachedEnd = !isRow
        if reachedEnd { break }
        let row = ValueRow(rows)
        if order == "DESC", let last, !last.lexicographicallyPrecedes(row.key) { break }
        if order == "ASC" { last = row.key }
        guard row.isIntact, row.isFound(by: search) else { continue }
        row.bind(to: insert)
        try insert.run()
        count += 1
        bytes += row.key.count + row.value.count
      }
      if reachedEnd { break }
    }
    // A row that both passes have copied has replaced itself.
    return (count - target.replacedRows.count, bytes - target.replacedRows.bytes)
  }
}
