import WeirNormalized

/// One of the least recently used records, as of the last scan of all records.
///
/// The table has no index by use, because an index would double the cost of a write and add a tenth
/// to the file. Instead, a scan finds some thousands of candidates. A candidate that was used since
/// the scan has a new stamp and is skipped; all other records are younger than every candidate.
struct CollectionCandidate {
  let key: String
  let used: Int64
}

/// A scan for the least recently used records, in steps.
struct CandidateScan {
  private(set) var oldest: [CollectionCandidate] = []
  private var position: [UInt8] = []

  private static let capacity = 4096
  /// The number of rows that a scan reads while it holds the lock.
  private static let stepRows = 4096

  /// Reads the next rows; returns false at the end.
  mutating func step(
    _ connection: Connection, keeping: Set<String>
  ) throws(StorageError) -> Bool {
    let statement = try connection.statement(.scan)
    statement.bind(position, at: 1)
    statement.bind(Int64(Self.stepRows), at: 2)
    let rows = try statement.map { (key: $0.bytes(0), used: $0.integer(1)) }
    position = rows.last?.key ?? position
    for row in rows {
      let key = String(decoding: row.key, as: UTF8.self)
      if !keeping.contains(key) { oldest.append(CollectionCandidate(key: key, used: row.used)) }
    }
    if oldest.count > Self.capacity { shorten() }
    guard rows.count == Self.stepRows else {
      shorten()
      return false
    }
    return true
  }

  private mutating func shorten() {
    oldest.sort { ($0.used, $0.key) < ($1.used, $1.key) }
    oldest.removeLast(max(0, oldest.count - Self.capacity))
  }
}
