import CSQLite

/// The SQLite library of the system.
public enum SQLiteLibrary {
  /// The version of the library, such as `3.46.1`.
  public static var version: String { String(cString: sqlite3_libversion()) }
}
