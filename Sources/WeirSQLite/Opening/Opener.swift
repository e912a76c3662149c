import CSQLite
import WeirNormalized

/// An open file.
struct OpenFile {
  let connection: Connection
  let identity: DatabaseFile.Identity?
  var state: FileState
  /// Whether other processes cannot use the file while it is open.
  var isExclusive = false
  /// Whether a check has found no damage, and no damage was seen since.
  var isChecked = false
}

extension OpenFile {
  /// Checks the whole file once, unless it is larger than `limit` bytes.
  ///
  /// The check precedes the first change, because a damaged page can misdirect a search: then a write
  /// would leave an old version of a record elsewhere, and a removal would miss it, and later reads
  /// could find it. (`quick_check` would not detect rows that are out of order.)
  mutating func check(_ file: DatabaseFile, upTo limit: Int) throws(StorageError) {
    guard !isChecked else { return }
    if file.size("") + file.size("-wal") <= limit {
      let isIntact = try connection.withStatement("PRAGMA integrity_check(1)") {
        (statement) throws(StorageError) in try statement.step() && statement.text(0) == "ok"
      }
      guard isIntact else { throw StorageError(.corrupt, "The structure of the file is damaged") }
    }
    isChecked = true
  }
}

/// Opens a file. A damaged file is set aside and rebuilt.
struct Opener {
  let file: DatabaseFile
  let configuration: SQLiteConfiguration
  /// The problems to report.
  private(set) var diagnostics: [StorageDiagnostic] = []

  init(_ file: DatabaseFile, _ configuration: SQLiteConfiguration) {
    self.file = file
    self.configuration = configuration
  }

  /// Opens the file, and creates or rebuilds it if necessary; rebuilds a file that was found to be
  /// damaged while it was open.
  mutating func open(
    settingAside damaged: (identity: DatabaseFile.Identity?, error: StorageError)? = nil
  ) throws(StorageError) -> OpenFile {
    guard !file.path.isEmpty else {
      throw StorageError(.notPermitted, "The URL does not name a file; pass a file URL")
    }
    guard !file.isDirectory else {
      throw StorageError(.notPermitted, "The path is that of a directory")
    }
    try file.createDirectory()
    let lock = try FileLock(of: file, timeout: configuration.busyTimeout)
    defer { withExtendedLifetime(lock) {} }
    if let unfinished = file.unfinishedQuarantine { try file.undoQuarantine(of: unfinished) }
    if let damaged {
      // Another process may already have set it aside.
      if file.identity == damaged.identity { return try rebuild(after: damaged.error) }
    }
    do throws(StorageError) {
      return try openWithFallback()
    } catch {
      guard error.code == .corrupt else { throw error }
      return try rebuild(after: error)
    }
  }

  /// Deletes a file that cannot be opened, if it is one of a storage.
  func removeFile() throws(StorageError) {
    guard file.isOurs else { return }
    let lock = try FileLock(of: file, timeout: configuration.busyTimeout)
    defer { withExtendedLifetime(lock) {} }
    try file.delete()
    file.deleteQuarantined()
  }

  /// Deletes the file and opens a new one in its place.
  mutating func openReplacement(nextName: Int64) throws(StorageError) -> OpenFile {
    let lock = try FileLock(of: file, timeout: configuration.busyTimeout)
    defer { withExtendedLifetime(lock) {} }
    try file.delete()
    file.deleteQuarantined()
    var opened = try openWithFallback()
    opened.state = try FileState.change(in: opened.connection) { $0.nextName = nextName }.state
    return opened
  }

  /// Opens the file; exclusively, if the disk has no room for the index of the log.
  ///
  /// Processes share the index in a file. An exclusive connection has it in memory.
  private mutating func openWithFallback() throws(StorageError) -> OpenFile {
    do throws(StorageError) {
      return try openFile()
    } catch {
      guard error.code == .full else { throw error }
      return try openFile(exclusively: true)
    }
  }

  private mutating func openFile(
    exclusively isExclusive: Bool = false
  ) throws(StorageError) -> OpenFile {
    let hasLog = file.size("-wal") > 0
    file.create()
    let connection = try Connection(path: file.path, busyTimeout: configuration.busyTimeout)
    connection.limitSteps(forBytes: file.size("") + file.size("-wal"))
    if isExclusive { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
    try checkOwner(of: connection)
    try configure(connection)
    let isReadOnly = sqlite3_db_readonly(connection.handle, "main") == 1
    let isNew = isReadOnly ? false : try Schema.create(on: connection, state: .new())
    try Schema.check(connection)
    let state = try FileState(from: connection)
    var opened = OpenFile(
      connection: connection, identity: file.identity, state: state, isExclusive: isExclusive,
      isChecked: isNew)
    if hasLog || !state.isClean {
      try opened.check(file, upTo: configuration.maximumCheckedBytes)
    }
    if isReadOnly {
      try checkFingerprints(in: connection)
    } else {
      try applyFingerprints(to: connection, &opened.state)
      file.markAsOurs()
    }
    return opened
  }

  /// Checks, before anything is changed, that this version of this library can use the file.
  private func checkOwner(of connection: Connection) throws(StorageError) {
    let owner = try connection.integer("PRAGMA application_id").map(
      UInt32.init(truncatingIfNeeded:))
    guard owner == Schema.applicationID else {
      let tables = try connection.integer("SELECT count(*) FROM sqlite_master") ?? 0
      let own = try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE name IN ('state', 'records', 'names')")
      if tables == 0 { return }
      if own == 3 { throw StorageError(.corrupt, "The header of the file is damaged") }
      throw StorageError(
        .notPermitted, "The file is another program's database; choose another path")
    }
    let version = try connection.integer("PRAGMA user_version") ?? 0
    guard version <= Schema.version else {
      throw StorageError(
        .newerVersion,
        "A newer app has written the file: it has version \(version), and this app can read version "
          + "\(Schema.version)")
    }
    guard version == Schema.version else {
      throw StorageError(.corrupt, "The file has an unknown version, \(version)")
    }
  }

  private func configure(_ connection: Connection) throws(StorageError) {
    if let bytes = configuration.maximumFileBytes {
      try connection.execute("PRAGMA max_page_count = \(max(1, bytes / 4096))")
    }
    let secureDelete = configuration.overwritesRemovedData ? "ON" : "OFF"
    try connection.execute("PRAGMA secure_delete = \(secureDelete)")
    if try connection.integer("SELECT count(*) FROM sqlite_master") == 0 {
      // Lets the file shrink in small steps; it can only be set for an empty file.
      try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    }
    try connection.execute("PRAGMA journal_mode = WAL")
    for statement in configuration.durability { try connection.execute(statement) }
    // What is left of a longer log, once it starts over, may be data that was removed meanwhile.
    let logLimit = configuration.overwritesRemovedData ? 0 : 4 << 20
    try connection.execute("PRAGMA journal_size_limit = \(logLimit)")
  }

  private mutating func applyFingerprints(
    to connection: Connection, _ state: inout FileState
  ) throws(StorageError) {
    let dropped = try Fingerprints.apply(configuration.fingerprints, to: connection)
    guard !dropped.isEmpty else { return }
    state = try FileState(from: connection)
    diagnostics.append(StorageDiagnostic(.typesDropped, file, types: dropped))
  }

  /// Checks that no record has to be dropped, for a file in which that is impossible.
  private func checkFingerprints(in connection: Connection) throws(StorageError) {
    let types = try Fingerprints.outdated(by: configuration.fingerprints, in: connection)
    guard !types.isEmpty else { return }
    throw StorageError(
      .notPermitted,
      "The file can only be read, and has records of types with new fingerprints "
        + "(\(types.joined(separator: ", "))). Allow writing to the file, so that they are dropped, or "
        + "choose another path")
  }

  private mutating func rebuild(after error: StorageError) throws(StorageError) -> OpenFile {
    guard file.isOurs else {
      throw StorageError(
        .notPermitted, "The file is not a file of this library; choose another path")
    }
    let damaged = try file.quarantine()
    do throws(StorageError) {
      let (rebuilt, count) = try openFile(salvaging: damaged)
      file.finishQuarantine(of: damaged)
      diagnostics.append(
        StorageDiagnostic(.quarantined, damaged, error: error, count: count))
      return rebuilt
    } catch {
      // A later attempt may have room. If this fails, the next one to open the file does it.
      try? file.undoQuarantine(of: damaged)
      throw error
    }
  }

  /// Opens a new file, and copies the intact records of a damaged one into it.
  private mutating func openFile(
    salvaging damaged: DatabaseFile
  ) throws(StorageError) -> (OpenFile, count: Int) {
    var rebuilt = try openFile()
    guard let source = Salvage.open(damaged) else { return (rebuilt, 0) }
    // The new file is empty, and gets as much as the damaged one has.
    rebuilt.connection.limitSteps(forBytes: damaged.size("") + damaged.size("-wal"))
    // After a failure, as of a full disk, the file that was set aside still has all its data. An empty one
    // works: if the damaged one took its place again, each call would search and copy it again.
    let count = (try? Salvage.copy(from: source, to: rebuilt.connection)) ?? 0
    rebuilt.state = try FileState(from: rebuilt.connection)
    try applyFingerprints(to: rebuilt.connection, &rebuilt.state)
    return (rebuilt, count)
  }
}
