import WeirNormalized

/// Which records were read since they were last stamped, and when.
///
/// A read never writes. The stamps go into the file with later commits, a few with each, and all of
/// them before records are collected and when the storage is closed.
struct RecentUses {
  /// In the order of the reads; a record that was read again may be there twice.
  private var stamps: [(key: String, stamp: Int64)] = []
  /// Beyond this many records, further reads leave no trace until some were written.
  private static let limit = 20_000
  private var isFull = false

  var isEmpty: Bool { stamps.isEmpty }

  mutating func add(_ key: String, at stamp: Int64) {
    if stamps.count == 2 * Self.limit, !isFull { forgetRepeated() }
    if stamps.count < 2 * Self.limit { stamps.append((key, stamp)) }
  }

  /// Leaves room for as many again, or none.
  private mutating func forgetRepeated() {
    let last = Dictionary(stamps.map { ($0.key, $0.stamp) }, uniquingKeysWith: max)
    isFull = last.count > Self.limit
    if !isFull { stamps = last.map { ($0.key, $0.value) } }
  }

  mutating func removeAll() {
    self = RecentUses()
  }

  /// Stamps up to `limit` records; within a write transaction.
  mutating func write(atMost limit: Int, to connection: Connection) throws(StorageError) {
    guard !stamps.isEmpty, limit > 0 else { return }
    let statement = try connection.statement(.touch(.records))
    isFull = false
    var left = limit
    while left > 0, let (key, stamp) = stamps.popLast() {
      statement.bind(Array(key.utf8), at: 1)
      statement.bind(stamp, at: 2)
      try statement.run()
      left -= 1
    }
  }
}
