import WeirNormalized

/// The least recently used records, as of the last scan of all records.
///
/// The table has no index by use, because an index would double the cost of a write and add a tenth
/// to the file. Instead, a scan finds some thousands of candidates. A candidate that was used since
/// the scan has a new stamp and is skipped; all other records are younger than every candidate.
struct CollectionCandidates {
  struct Candidate {
    let key: String
    let used: Int64
    let bytes: Int
  }

  /// Oldest first.
  private(set) var queue: ArraySlice<Candidate> = []

  static let capacity = 4096
  /// The number of rows that a scan reads while it holds the lock.
  static let stepRows: Int64 = 4096

  mutating func replace(with candidates: [Candidate]) {
    queue = candidates[...]
  }

  mutating func popFirst() -> Candidate? {
    queue.popFirst()
  }

  /// Returns candidates to the front of the queue.
  mutating func putBack(_ kept: [Candidate]) {
    if !kept.isEmpty { queue = kept + queue }
  }
}

/// A scan for the least recently used records, in steps.
struct CandidateScan {
  private(set) var oldest: [CollectionCandidates.Candidate] = []
  private var position: [UInt8] = []

  /// Reads the next rows; returns false at the end.
  mutating func step(
    _ connection: Connection, keeping: Set<String>
  ) throws(StorageError) -> Bool {
    let statement = try connection.statement(.scan)
    statement.bind(position, at: 1)
    statement.bind(CollectionCandidates.stepRows, at: 2)
    defer { statement.reset() }
    var rows: Int64 = 0
    while try statement.step() {
      rows += 1
      position = statement.bytes(0)
      let key = statement.text(0)
      guard !keeping.contains(key) else { continue }
      oldest.append(
        .init(
          key: key, used: statement.integer(1), bytes: position.count + Int(statement.integer(2))))
    }
    if oldest.count > CollectionCandidates.capacity { shorten() }
    guard rows == CollectionCandidates.stepRows else {
      shorten()
      return false
    }
    return true
  }

  private mutating func shorten() {
    oldest.sort { ($0.used, $0.key) < ($1.used, $1.key) }
    oldest.removeLast(max(0, oldest.count - CollectionCandidates.capacity))
  }
}
