import Weir

/// How much a store holds, and what must not be evicted. Every batch of changes updates it.
struct MemoryUse {
  /// The most that records and results may take together.
  var limit = Int.max
  /// The bytes of the records.
  var records = 0
  /// The bytes of the results that are kept beside them.
  var results = 0
  /// The size at which the next collection is tried; above the limit if the last one has freed too little.
  var nextCheck = Int.max
  /// Whether the last collection has left too much because it was not saved yet.
  var awaitsSaving = false
  /// The operations and fragments that are pinned, and how often.
  private(set) var pins: [OperationIdentity: (target: ReadTarget, count: Int)] = [:]
  /// The versions of the last uses of the query root's fields.
  private(set) var rootUses: [FieldID: UInt64] = [:]
  /// The bytes of the names of those that have arguments.
  private(set) var names = 0
  private var nameLengths: [FieldID: Int] = [:]
  /// The number of fields at which names are forgotten that nothing uses.
  var nextForgetting = 1_000
  /// The bytes of each chunk when it was last counted, by table.
  private var chunks: ContiguousArray<ContiguousArray<Int>> = []
  /// How many records were evicted in all.
  var collected = 0

  private static let fewChanges = 4

  init(limit: Int) {
    self.limit = limit
    nextCheck = limit
  }

  var total: Int { records + names + results }

  mutating func pin(_ operation: GraphQLOperation) {
    // Without the context, whose values are the app's: they must not be released under the lock.
    pins[operation.identity, default: (ReadTarget(inCurrentSession: operation), 0)].count += 1
  }

  mutating func pin(_ target: ReadTarget) {
    pins[target.identity, default: (target, 0)].count += 1
  }

  mutating func unpin(_ operation: OperationIdentity) {
    guard let pin = pins[operation] else { return }
    pins[operation] = pin.count > 1 ? (pin.target, pin.count - 1) : nil
  }

  /// Notes the use of a field of the query root, whose name counts from the first one on.
  mutating func noteUse(of field: FieldID, version: UInt64, _ catalog: Catalog) {
    guard rootUses.updateValue(version, forKey: field) == nil else { return }
    let info = catalog.info(field)
    guard info.storageKey != info.name else { return }
    nameLengths[field] = info.storageKey.utf8.count
    names += info.storageKey.utf8.count
  }

  /// - Returns: the bytes of the name.
  @discardableResult
  mutating func forgetUse(of field: FieldID) -> Int {
    rootUses[field] = nil
    let length = nameLengths.removeValue(forKey: field) ?? 0
    names -= length
    return length
  }

  /// Counts the chunks again in which something has changed.
  mutating func count(_ changes: ChangeSet, in state: RecordState) {
    // Counting a chunk twice costs less than noting that it was counted.
    guard changes.changes.count > Self.fewChanges else {
      for change in changes.changes { count(change.record, in: state) }
      return
    }
    var last = RecordReference(bits: .max)
    var counted = RecordSet()
    for change in changes.changes {
      let record = change.record
      if record.table == last.table, record.chunk == last.chunk { continue }
      last = record
      let chunk = RecordReference(table: record.table, row: RowID(index: record.chunk))
      if counted.insert(chunk) { count(record, in: state) }
    }
  }

  private mutating func count(_ record: RecordReference, in state: RecordState) {
    let (table, chunk) = (record.table.index, record.chunk)
    guard let bytes = state.liveBytes(ofChunkOf: record) else { return }
    while chunks.count <= table { chunks.append([]) }
    while chunks[table].count <= chunk { chunks[table].append(0) }
    records += bytes - chunks[table][chunk]
    chunks[table][chunk] = bytes
  }

  /// Everything was removed; pins stay.
  mutating func clear() {
    var cleared = MemoryUse(limit: limit)
    cleared.pins = pins
    cleared.collected = collected
    self = cleared
  }
}

extension OperationEntry {
  /// About how many bytes it takes: the reading, and what the key has of its own. 0 without a reading.
  var bytes: Int { reading.map { $0.bytes + target.identity.footprint } ?? 0 }
}

extension OperationEntry.Reading {
  /// About how many bytes it takes: data, cells and trace.
  fileprivate var bytes: Int {
    let document = payload?.data?.document
    return (document?.bytes.count ?? 0) + (document?.tapeSize ?? 0)
      + trace.entries.count * MemoryLayout<ReadTrace.Entry>.stride
      + trace.footprintOfOthers
  }
}
