import CSQLite
import WeirNormalized

/// A file that is open and has been found good.
struct OpenFile {
  let connection: Connection
  let identity: DatabaseFile.Identity?
  var state: FileState
  /// Whether nobody else can use it meanwhile.
  var isAlone = false
  /// Whether its structure has been found good, and nothing has been met since that casts doubt on
  /// it.
  var isChecked = false
}

extension OpenFile {
  /// Looks at all of the file, if that has not been done and it is not larger than `limit` bytes.
  ///
  /// Where a damaged page leads searches astray, an older version of what is written would stay
  /// elsewhere, and what is removed, too: both could be found again. So this comes before the first
  /// change. (`quick_check` would not notice rows that are out of order.)
  mutating func check(_ file: DatabaseFile, upTo limit: Int) throws(StorageError) {
    guard !isChecked else { return }
    if file.size("") + file.size("-wal") <= limit {
      let verdict = try connection.text("PRAGMA integrity_check(1)")
      guard verdict == "ok" else { throw StorageError(.corrupt, "The file's structure is damaged") }
    }
    isChecked = true
  }
}

/// Opens a file; sets it aside and rebuilds it if it is damaged.
struct Opener {
  let file: DatabaseFile
  let configuration: SQLiteConfiguration
  /// What there is to tell.
  private(set) var diagnostics: [StorageDiagnostic] = []

  init(_ file: DatabaseFile, _ configuration: SQLiteConfiguration) {
    self.file = file
    self.configuration = configuration
  }

  /// Opens the file as it is, or a new one in its place; `damaged` is a file that has been found
  /// damaged while it was open.
  mutating func open(
    settingAside damaged: (identity: DatabaseFile.Identity?, error: StorageError)? = nil
  ) throws(StorageError) -> OpenFile {
    guard !file.isDirectory else {
      throw StorageError(.notPermitted, "A directory is at \(file.path)")
    }
    try file.createDirectory()
    let lock = try DirectoryLock(of: file, timeout: configuration.busyTimeout)
    defer { withExtendedLifetime(lock) {} }
    if let damaged {
      // Somebody else may have set it aside meanwhile.
      if file.identity == damaged.identity { return try rebuild(after: damaged.error) }
    }
    do throws(StorageError) {
      return try openWithRoom()
    } catch {
      guard error.code == .corrupt else { throw error }
      return try rebuild(after: error)
    }
  }

  /// Deletes the file, and opens a new one in its place.
  mutating func openAnew(nextName: Int64) throws(StorageError) -> OpenFile {
    let lock = try DirectoryLock(of: file, timeout: configuration.busyTimeout)
    defer { withExtendedLifetime(lock) {} }
    try file.delete()
    file.deleteQuarantined()
    var opened = try openWithRoom()
    var state = opened.state
    state.nextName = nextName
    try opened.connection.writing { () throws(StorageError) in
      try state.write(to: opened.connection)
    }
    opened.state = state
    return opened
  }

  /// Where there is no room for the index of the log, which processes share, the file can still be
  /// read: by one connection alone, which has the index in memory.
  private mutating func openWithRoom() throws(StorageError) -> OpenFile {
    do throws(StorageError) {
      return try openAsIs()
    } catch {
      guard error.code == .full else { throw error }
      return try openAsIs(alone: true)
    }
  }

  private mutating func openAsIs(alone: Bool = false) throws(StorageError) -> OpenFile {
    let hasLog = file.size("-wal") > 0
    let connection = try Connection(path: file.path, busyTimeout: configuration.busyTimeout)
    if alone { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
    try checkOwner(of: connection)
    try configure(connection)
    let isReadOnly = sqlite3_db_readonly(connection.handle, "main") == 1
    let isNew = isReadOnly ? false : try Schema.create(on: connection, state: .new())
    try Schema.check(connection)
    let state = try FileState(from: connection)
    var opened = OpenFile(
      connection: connection, identity: file.identity, state: state, isAlone: alone,
      isChecked: isNew)
    if hasLog || !state.isClean {
      try opened.check(file, upTo: configuration.maximumCheckedBytes)
    }
    if !isReadOnly { try applyFingerprints(to: connection, &opened.state) }
    return opened
  }

  /// Before anything is changed: is it ours, and can this version read it?
  private func checkOwner(of connection: Connection) throws(StorageError) {
    let owner = try connection.integer("PRAGMA application_id").map(
      UInt32.init(truncatingIfNeeded:))
    guard owner == Schema.applicationID else {
      let tables = try connection.integer("SELECT count(*) FROM sqlite_master") ?? 0
      let own = try connection.integer(
        "SELECT count(*) FROM sqlite_master WHERE name IN ('state', 'records', 'names')")
      if tables == 0 { return }
      if own == 3 { throw StorageError(.corrupt, "The header is damaged") }
      throw StorageError(.notPermitted, "\(file.path) is another program's database")
    }
    let version = try connection.integer("PRAGMA user_version") ?? 0
    guard version <= Schema.version else {
      throw StorageError(
        .newerVersion, "\(file.path) has version \(version); \(Schema.version) is known")
    }
    guard version == Schema.version else { throw StorageError(.corrupt, "Version \(version)") }
  }

  private func configure(_ connection: Connection) throws(StorageError) {
    if let bytes = configuration.maximumFileBytes {
      try connection.execute("PRAGMA max_page_count = \(max(1, bytes / 4096))")
    }
    let secureDelete = configuration.overwritesRemovedData ? "ON" : "OFF"
    try connection.execute("PRAGMA secure_delete = \(secureDelete)")
    if try connection.integer("SELECT count(*) FROM sqlite_master") == 0 {
      // Only an empty file can be told to; it lets a file shrink in small steps later.
      try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    }
    try connection.execute("PRAGMA journal_mode = WAL")
    let synchronous = configuration.survivesPowerLoss ? "FULL" : "NORMAL"
    try connection.execute("PRAGMA synchronous = \(synchronous)")
    try connection.execute("PRAGMA journal_size_limit = \(4 << 20)")
  }

  private mutating func applyFingerprints(
    to connection: Connection, _ state: inout FileState
  ) throws(StorageError) {
    let dropped = try Fingerprints.apply(configuration.fingerprints, to: connection)
    guard !dropped.isEmpty else { return }
    state = try FileState(from: connection)
    var diagnostic = StorageDiagnostic(.typesDropped, file)
    diagnostic.types = dropped
    diagnostics.append(diagnostic)
  }

  private mutating func rebuild(after error: StorageError) throws(StorageError) -> OpenFile {
    let damaged = try file.quarantine()
    var rebuilt = try openAsIs()
    var diagnostic = StorageDiagnostic(.quarantined, damaged)
    diagnostic.error = error
    if let source = try? Connection(path: damaged.path, readOnly: true, busyTimeout: .zero) {
      var salvage = Salvage(from: source, to: rebuilt.connection)
      // What cannot be saved is lost to this file, not to the one set aside.
      try? salvage.run()
      diagnostic.count = salvage.records
      rebuilt.state = try FileState(from: rebuilt.connection)
      try applyFingerprints(to: rebuilt.connection, &rebuilt.state)
    }
    diagnostics.append(diagnostic)
    return rebuilt
  }
}
