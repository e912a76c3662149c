import CSQLite

/// The SQLite that the system brings.
public enum SQLiteLibrary {
  /// Its version, such as `3.46.1`.
  public static var version: String { String(cString: sqlite3_libversion()) }
}
