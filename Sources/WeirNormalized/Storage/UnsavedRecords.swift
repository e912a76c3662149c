/// Changes that are not committed yet, each key with what has been said of it last.
struct UnsavedRecords {
  private var changes: [[UInt8]: Change] = [:]
  /// Of keys and values.
  private(set) var bytes = 0

  private struct Change {
    let key: String
    /// Nil if it is to be removed.
    var record: StoredRecord?
    var cost: Int { key.utf8.count + (record?.value.count ?? 0) }
  }

  var isEmpty: Bool { changes.isEmpty }
  var count: Int { changes.count }

  mutating func add(_ batch: RecordBatch) {
    for key in batch.removedKeys { set(Change(key: key)) }
    for record in batch.records { set(Change(key: record.key, record: record)) }
  }

  /// Takes back what could not be committed; what was said since counts more.
  mutating func addOlder(_ older: UnsavedRecords) {
    for (key, change) in older.changes where changes[key] == nil {
      changes[key] = change
      bytes += change.cost
    }
  }

  private mutating func set(_ change: Change) {
    let old = changes.updateValue(change, forKey: Array(change.key.utf8))
    bytes += change.cost - (old?.cost ?? 0)
  }

  /// What is known of a key: nil if nothing is, `.some(nil)` if it is removed.
  subscript(key: String) -> StoredRecord?? {
    guard !changes.isEmpty, let change = changes[Array(key.utf8)] else { return nil }
    return .some(change.record)
  }

  var batch: RecordBatch {
    var batch = RecordBatch()
    for change in changes.values {
      if let record = change.record {
        batch.records.append(record)
      } else {
        batch.removedKeys.append(change.key)
      }
    }
    return batch
  }
}
