import WeirNormalized

/// The tables, and the two numbers in the file's header that identify the format.
enum Schema {
  /// "Weir" in ASCII.
  static let applicationID: UInt32 = 0x5765_6972
  /// Increases with every change that an older version of this library cannot handle.
  static let version: UInt32 = 2

  /// The tables `records` and `documents` have the same columns, so the same code writes, checks and
  /// salvages both.
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

  /// Creates the tables if the file is empty. Two processes may call this at once.
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

  /// Returns the names of the tables whose definitions are those of this library.
  static func intactTables(of connection: Connection) throws(StorageError) -> Set<String> {
    try connection.withStatement(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
    ) { (statement) throws(StorageError) in
      var found: Set<String> = []
      while try statement.step() {
        let (name, sql) = (statement.text(0), statement.text(1))
        if tables.contains(sql), sql.hasPrefix("CREATE TABLE \(name) ") { found.insert(name) }
      }
      return found
    }
  }

  /// Checks the definitions of the tables, which may be damaged and still be valid SQL.
  static func check(_ connection: Connection) throws(StorageError) {
    let found = try connection.withStatement(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
    ) { (statement) throws(StorageError) in
      var found: [String] = []
      // A hostile schema may be long.
      while found.count <= tables.count, try statement.step() { found.append(statement.text(0)) }
      return found
    }
    guard found.count == tables.count, Set(found) == Set(tables) else {
      throw StorageError(.corrupt, "The definitions of the tables are damaged")
    }
  }
}
