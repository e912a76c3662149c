import CSQLite

/// Counts the rows that a transaction replaces or removes, and their bytes.
///
/// An upsert does not report the row that it replaces, and a query before each upsert would search
/// the tree a second time. So the statements call the SQL function `note` with the size of the old
/// row, which costs nothing if there is none.
struct ReplacedRows {
  var count = 0
  var bytes = 0

  /// Defines the SQL function `note(size)`, which adds to `rows` and returns 1.
  static func install(
    on connection: OpaquePointer, countingIn rows: UnsafeMutablePointer<ReplacedRows>
  ) {
    sqlite3_create_function_v2(
      connection, "note", 1, SQLITE_UTF8, rows,
      { context, _, arguments in
        // Proof: the user data is `rows`, whose memory the connection frees after it has closed
        // itself. Only one thread at a time uses a connection.
        let rows = sqlite3_user_data(context)?.assumingMemoryBound(to: ReplacedRows.self)
        if let argument = arguments?[0] {
          rows?.pointee.count += 1
          rows?.pointee.bytes += Int(sqlite3_value_int64(argument))
        }
        sqlite3_result_int(context, 1)
      }, nil, nil, nil)
  }
}
