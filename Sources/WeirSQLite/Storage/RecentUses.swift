import Weir
import WeirNormalized

/// The times of recent reads that are not in the file yet.
///
/// A read never writes to the file. Each later commit writes a few of the stamps; a collection and
/// the closing of the storage write all of them.
struct RecentUses {
  /// The stamps in the order of the reads; a record may occur several times.
  private var stamps: [(key: String, stamp: Int64)] = []
  /// The number of records above which reads are not recorded until some stamps have been written.
  private static let limit = 20_000
  private var isFull = false

  var isEmpty: Bool { stamps.isEmpty }

  mutating func add(_ key: String, at stamp: Int64) {
    if stamps.count == 2 * Self.limit, !isFull { dropRepeated() }
    if stamps.count < 2 * Self.limit { stamps.append((key, stamp)) }
  }

  /// Keeps only the last stamp of each record, or stops recording if that does not make room.
  private mutating func dropRepeated() {
    let last = Dictionary(stamps.map { (ExactString($0.key), $0.stamp) }, uniquingKeysWith: max)
    isFull = last.count > Self.limit
    if !isFull { stamps = last.map { ($0.key.text, $0.value) } }
  }

  mutating func removeAll() {
    self = RecentUses()
  }

  /// Writes up to `limit` stamps. Call it in a write transaction.
  mutating func write(atMost limit: Int, to connection: Connection) throws(StorageError) {
    guard !stamps.isEmpty, limit > 0 else { return }
    let statement = try connection.statement(.touch(.records))
    isFull = false
    var left = limit
    while left > 0, let (key, stamp) = stamps.popLast() {
      try statement.run(Array(key.utf8), stamp)
      left -= 1
    }
  }
}
