import CSQLite

/// Bounds the work of a connection's calls.
///
/// In a hostile or damaged file, a tree can lead to its own pages again, so that a search never ends.
/// The limit counts SQLite's steps, not time: a slow disk, or a process that the system suspends, must
/// not make a good file count as damaged.
struct StepLimit {
  /// How many steps SQLite takes between two looks at the limit.
  private static let interval: Int32 = 10_000

  private var left = Int.max

  /// Allows 100 million steps, about a second, and 20 more for each byte of the file: to read all rows
  /// takes about one for two bytes.
  mutating func begin(forBytes bytes: Int) {
    left = 10_000 + bytes / 500
  }

  /// Returns whether the work has to end.
  private mutating func isExceeded() -> Bool {
    left -= 1
    return left < 0
  }

  /// Makes the calls of a connection fail with SQLITE_INTERRUPT when the limit is reached.
  static func install(
    on connection: OpaquePointer, counting limit: UnsafeMutablePointer<StepLimit>
  ) {
    sqlite3_progress_handler(
      connection, interval,
      { limit in
        // Proof: the argument is `limit`, whose memory the connection frees after it has closed
        // itself. Only one thread at a time uses a connection.
        let limit = limit?.assumingMemoryBound(to: StepLimit.self)
        return limit?.pointee.isExceeded() == true ? 1 : 0
      }, limit)
  }
}
