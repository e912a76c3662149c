import CSQLite

/// Counts the rows that a transaction replaces or removes, and their bytes.
///
/// An upsert does not tell what it has replaced. Asking before each would take a second search of
/// the tree for each record; so the statements call a function with the size of the row that goes,
/// which costs nothing where there was none.
struct ReplacedRows {
  var count = 0
  var bytes = 0

  /// Makes `note(size)` known to SQL: it counts in `rows` and returns 1.
  static func install(
    on connection: OpaquePointer, countingIn rows: UnsafeMutablePointer<ReplacedRows>
  ) {
    sqlite3_create_function_v2(
      connection, "note", 1, SQLITE_UTF8, rows,
      { context, _, arguments in
        // Proof: the pointer is the one given above, which lives as long as the connection; a
        // connection is used by one thread at a time.
        let rows = sqlite3_user_data(context)?.assumingMemoryBound(to: ReplacedRows.self)
        if let argument = arguments?[0] {
          rows?.pointee.count += 1
          rows?.pointee.bytes += Int(sqlite3_value_int64(argument))
        }
        sqlite3_result_int(context, 1)
      }, nil, nil, nil)
  }
}
