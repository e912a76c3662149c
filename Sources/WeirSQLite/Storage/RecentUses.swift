import WeirNormalized

/// Which records were read since they were last stamped, and when.
///
/// A read never writes. The stamps go into the file with later commits, a few with each, and all of
/// them before records are collected and when the storage is closed.
struct RecentUses {
  private var stamps: [String: Int64] = [:]
  /// Beyond this many, further reads leave no trace until some were written.
  private static let limit = 20_000

  var isEmpty: Bool { stamps.isEmpty }

  mutating func add(_ key: String, at stamp: Int64) {
    guard stamps.count < Self.limit || stamps[key] != nil else { return }
    stamps[key] = stamp
  }

  mutating func removeAll() {
    stamps = [:]
  }

  /// Stamps up to `limit` records; within a write transaction.
  mutating func write(atMost limit: Int, to connection: Connection) throws(StorageError) {
    guard !stamps.isEmpty, limit > 0 else { return }
    let statement = try connection.statement(.touch(.records))
    var left = limit
    while left > 0, let (key, stamp) = stamps.popFirst() {
      statement.bind(Array(key.utf8), at: 1)
      statement.bind(stamp, at: 2)
      try statement.run()
      left -= 1
    }
  }
}
