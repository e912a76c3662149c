import WeirNormalized

/// The records that were not used for the longest time, as of the last look at all of them.
///
/// There is no index by use: it would cost each write about as much again, and the file a tenth.
/// One scan finds some thousands of candidates instead. A candidate that was used since has a new
/// stamp and is passed over; all other records are younger than every candidate.
struct CollectionCandidates {
  struct Candidate {
    let key: String
    let used: Int64
    let bytes: Int
  }

  /// Oldest first.
  private(set) var queue: ArraySlice<Candidate> = []

  static let capacity = 4096
  /// How many rows are looked at while the lock is held.
  static let stepRows: Int64 = 4096

  mutating func take(_ candidates: [Candidate]) {
    queue = candidates[...]
  }

  mutating func popFirst() -> Candidate? {
    queue.popFirst()
  }

  /// For those that must not go now.
  mutating func putBack(_ kept: [Candidate]) {
    if !kept.isEmpty { queue = kept + queue }
  }
}

/// A scan of all records for the oldest ones, in steps.
struct CandidateScan {
  private(set) var oldest: [CollectionCandidates.Candidate] = []
  private var position: [UInt8] = []

  /// Looks at the next rows; false at the end.
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
