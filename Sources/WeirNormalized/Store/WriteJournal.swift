import Weir

/// The fields that have been written since the oldest request in flight was sent.
struct WriteJournal {
  private var writes: ContiguousArray<Write> = []

  private struct Write {
    let record: RecordReference
    let fields: WrittenFields
    let sentAt: LogicalInstant
    /// When a mutation ended; its write is newer than every query that was sent before.
    let completedAt: LogicalInstant?
    /// Whether the fields came with a response.
    let isResult: Bool
  }

  var isEmpty: Bool { writes.isEmpty }

  mutating func note(
    _ written: ContiguousArray<(record: RecordReference, fields: WrittenFields)>,
    sentAt: LogicalInstant?, completedAt: LogicalInstant?
  ) {
    let order = sentAt ?? .next()
    for (record, fields) in written {
      writes.append(
        Write(
          record: record, fields: fields, sentAt: order, completedAt: completedAt,
          isResult: sentAt != nil))
    }
  }

  /// The fields written by mutations that were sent after an instant.
  func newerMutations(than sentAt: LogicalInstant) -> [RecordReference: WrittenFields] {
    fields { $0.isResult && $0.completedAt != nil && $0.sentAt > sentAt }
  }

  /// The fields that a response must not overwrite.
  func newer(
    than sentAt: LogicalInstant, isMutation: Bool
  ) -> [RecordReference: WrittenFields] {
    fields { write in
      isMutation
        ? write.completedAt != nil && write.sentAt > sentAt
        : write.completedAt ?? write.sentAt > sentAt
    }
  }

  private func fields(where isNewer: (Write) -> Bool) -> [RecordReference: WrittenFields] {
    var newer: [RecordReference: WrittenFields] = [:]
    for write in writes where isNewer(write) {
      newer[write.record, default: WrittenFields()].formUnion(write.fields)
    }
    return newer
  }

  /// Forgets records whose rows are free, before other records get these rows.
  mutating func forget(_ changes: ChangeSet, freeIn records: RecordState) {
    guard !writes.isEmpty else { return }
    let free = Set(changes.changes.filter(\.isRemoved).map(\.record))
      .filter { records.header($0).isFree }
    if !free.isEmpty { writes.removeAll { free.contains($0.record) } }
  }

  /// Forgets writes that every request in flight is newer than.
  mutating func prune(oldest: LogicalInstant?) {
    guard !writes.isEmpty else { return }
    guard let oldest else { return writes.removeAll(keepingCapacity: writes.count < 10_000) }
    if let first = writes.first, (first.completedAt ?? first.sentAt) < oldest {
      writes.removeAll { ($0.completedAt ?? $0.sentAt) < oldest }
    }
  }
}

/// The requests in flight, and what has happened since they were sent.
struct RequestHistory {
  private var requests = RequestLog()
  var journal = WriteJournal()
  var arrivals = Arrivals()
  var invalidations = InvalidationLog()

  /// When the oldest request in flight was sent; nil if there is none.
  var oldest: LogicalInstant? { requests.oldest }

  mutating func begin(isMutation: Bool) -> LogicalInstant {
    let sentAt = requests.begin()
    if isMutation { arrivals.beginMutation(sentAt) }
    return sentAt
  }

  mutating func end(_ sentAt: LogicalInstant) {
    requests.end(sentAt)
    arrivals.endMutation(sentAt)
    journal.prune(oldest: oldest)
    invalidations.prune(oldest: oldest)
  }

  /// Forgets what concerns records; the requests remain in flight.
  mutating func removeAll() {
    journal = WriteJournal()
    arrivals.removeAll()
    invalidations = InvalidationLog()
  }
}
