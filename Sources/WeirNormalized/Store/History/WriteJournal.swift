import Weir

/// The fields that have been written since the oldest request in flight was sent.
struct WriteJournal {
  private var writes: ContiguousArray<Write> = []
  /// How many writes there may be before they are merged.
  private var limit = Self.minimumLimit
  private static let minimumLimit = 16

  private struct Write {
    var record: RecordReference
    var fields: WrittenFields
    var sentAt: LogicalInstant
    /// When a mutation ended; its write is newer than every query that was sent before.
    var completedAt: LogicalInstant?
    /// Whether the fields came with a response.
    let isResult: Bool

    /// From when on a query's response is newer.
    var instant: LogicalInstant { completedAt ?? sentAt }

    mutating func merge(_ later: Write) {
      fields.formUnion(later.fields)
      sentAt = max(sentAt, later.sentAt)
      if completedAt != nil { completedAt = max(instant, later.instant) }
    }
  }

  var isEmpty: Bool { writes.isEmpty }

  mutating func note(
    _ written: ContiguousArray<(record: RecordReference, fields: WrittenFields)>,
    sentAt: LogicalInstant?, completedAt: LogicalInstant?, _ requests: RequestLog
  ) {
    let order = sentAt ?? .next()
    for (record, fields) in written {
      writes.append(
        Write(
          record: record, fields: fields, sentAt: order, completedAt: completedAt,
          isResult: sentAt != nil))
    }
    if writes.count > limit { merge(requests.inFlight) }
  }

  /// Merges the writes of each record that no request in flight can tell apart. So the journal does
  /// not grow with each write while one request takes long.
  private mutating func merge(_ requests: [LogicalInstant]) {
    var merged: ContiguousArray<Write> = []
    var positions: [Era: Int] = [:]
    for write in writes {
      let era = Era(write, requests)
      // Every request in flight is newer.
      if era.instant == 0 { continue }
      if let position = positions[era] {
        merged[position].merge(write)
      } else {
        positions[era] = merged.count
        merged.append(write)
      }
    }
    writes = merged
    limit = max(Self.minimumLimit, 2 * merged.count)
  }

  /// When a record was written, in numbers of requests in flight that were sent before.
  private struct Era: Hashable {
    let record: RecordReference
    let isResult: Bool
    let isComplete: Bool
    let sentAt: Int
    let instant: Int
    /// Whether the request that brought it is in flight: it is a part of the result.
    let isPart: Bool

    init(_ write: Write, _ requests: [LogicalInstant]) {
      record = write.record
      isResult = write.isResult
      isComplete = write.completedAt != nil
      sentAt = requests.partitioningIndex { $0 >= write.sentAt }
      instant = requests.partitioningIndex { $0 >= write.instant }
      isPart = sentAt < requests.count && requests[sentAt] == write.sentAt
    }
  }

  /// The fields written by mutations that were sent after an instant, and by parts of the result of the
  /// one that was sent then; and all that was removed since by hand or by an event.
  func mutations(since sentAt: LogicalInstant) -> [RecordReference: WrittenFields] {
    var mutations = fields { $0.isResult && $0.completedAt != nil && $0.sentAt >= sentAt }
    for write in writes where !write.isResult && write.fields.isRemoval && write.instant > sentAt {
      mutations[write.record, default: WrittenFields()].isRemoval = true
    }
    return mutations
  }

  /// The fields that a response must not overwrite.
  func newer(
    than sentAt: LogicalInstant, isMutation: Bool
  ) -> [RecordReference: WrittenFields] {
    fields { write in
      isMutation
        ? write.completedAt != nil && write.sentAt > sentAt
        : write.instant > sentAt
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
    follow([:], freed: records.freeRows(of: changes))
  }

  /// Follows objects without keys to the rows that a reload has given them, and forgets those that it has
  /// not brought again.
  mutating func follow(_ rows: [RecordReference: RecordReference], freed: Set<RecordReference>) {
    guard !writes.isEmpty, !freed.isEmpty else { return }
    writes = ContiguousArray(
      writes.lazy.compactMap { write in
        guard freed.contains(write.record) else { return write }
        guard let row = rows[write.record] else { return nil }
        var write = write
        write.record = row
        return write
      })
  }

  /// Forgets writes that every request in flight is newer than.
  mutating func prune(oldest: LogicalInstant?) {
    guard !writes.isEmpty else { return }
    guard let oldest else {
      limit = Self.minimumLimit
      return writes.removeAll(keepingCapacity: writes.count < 10_000)
    }
    if let first = writes.first, first.instant < oldest {
      writes.removeAll { $0.instant < oldest }
    }
  }
}

extension RecordState {
  /// The removed records whose rows are free for others.
  func freeRows(of changes: ChangeSet) -> Set<RecordReference> {
    Set(changes.changes.lazy.filter(\.isRemoved).map(\.record).filter { header($0).isFree })
  }
}
