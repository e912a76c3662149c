import CSQLite
import WeirNormalized

/// The tables, and the two numbers in the file's header by which a file is known.
enum Schema {
  /// "Weir" in ASCII.
  static let applicationID: UInt32 = 0x5765_6972
  /// Raised with every change that an older version of this library could not live with.
  static let version: UInt32 = 1

  /// The two tables of values are alike, so that they are written, checked and salvaged alike.
  private static let tables = [
    """
    CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER, sequence INTEGER,
    records INTEGER, bytes INTEGER, nextname INTEGER, epoch INTEGER, clean INTEGER, sum INTEGER)
    """,
    "CREATE TABLE names (number INTEGER PRIMARY KEY, name BLOB NOT NULL, sum INTEGER NOT NULL)",
    """
    CREATE TABLE records (key BLOB PRIMARY KEY NOT NULL, type INTEGER NOT NULL,
    used INTEGER NOT NULL, sum INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID
    """,
    """
    CREATE TABLE documents (key BLOB PRIMARY KEY NOT NULL, type INTEGER NOT NULL,
    used INTEGER NOT NULL, sum INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID
    """,
    "CREATE TABLE fingerprints (type TEXT PRIMARY KEY NOT NULL, fingerprint TEXT NOT NULL)",
    """
    CREATE TABLE changes (slot INTEGER PRIMARY KEY, sequence INTEGER NOT NULL,
    origin INTEGER NOT NULL, keys BLOB)
    """,
  ]

  /// Makes the tables if the file is empty; two processes may do so at once.
  ///
  /// - Returns: whether the file was empty.
  static func create(on connection: Connection, state: FileState) throws(StorageError) -> Bool {
    guard try connection.integer("SELECT count(*) FROM sqlite_master") == 0 else { return false }
    return try connection.writing { () throws(StorageError) in
      guard try connection.integer("SELECT count(*) FROM sqlite_master") == 0 else { return false }
      for table in tables { try connection.execute(table) }
      try connection.execute("INSERT INTO state (id) VALUES (1)")
      try state.write(to: connection)
      try connection.execute("PRAGMA application_id = \(applicationID)")
      try connection.execute("PRAGMA user_version = \(version)")
      return true
    }
  }

  /// A damaged definition can still be SQL, but for other tables.
  static func check(_ connection: Connection) throws(StorageError) {
    let statement = try connection.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    defer { sqlite3_finalize(statement.pointer) }
    var found: Set<String> = []
    while try statement.step() { found.insert(statement.text(0)) }
    guard found == Set(tables) else {
      throw StorageError(.corrupt, "The definitions of the tables are damaged")
    }
  }
}
