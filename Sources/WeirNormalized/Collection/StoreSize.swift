import Weir

/// How much a store holds, kept up to date with every batch, and what must not be let go.
struct StoreSize {
  /// The most that records and results may take together.
  var limit = Int.max
  /// What the records take, in bytes.
  var records = 0
  /// What the results take that are kept beside them.
  var results = 0
  /// Where to look again whether anything can be let go; above the limit if last time too little
  /// could.
  var nextCheck = Int.max
  /// The operations that are pinned, with how often.
  var pins: [OperationIdentity: (operation: GraphQLOperation, count: Int)] = [:]
  /// The versions of the last uses of the query root's fields.
  var rootUses: [FieldID: UInt64] = [:]
  /// The bytes of each chunk as they were counted last, by table.
  private var chunks: ContiguousArray<ContiguousArray<Int>> = []
  /// How many records were let go in all.
  var collected = 0

  private static let fewChanges = 4

  init(limit: Int) {
    self.limit = limit
    nextCheck = limit
  }

  var total: Int { records + results }

  /// Counts the chunks anew in which something has changed.
  mutating func count(_ changes: ChangeSet, in state: RecordState) {
    // To count the chunk of one twice takes less than to note that it was counted.
    guard changes.changes.count > Self.fewChanges else {
      for change in changes.changes { count(change.record, in: state) }
      return
    }
    var last = RecordReference(bits: .max)
    var counted: ContiguousArray<ContiguousArray<Bool>> = []
    for change in changes.changes {
      let record = change.record
      if record.table == last.table, record.chunk == last.chunk { continue }
      last = record
      while counted.count <= record.table { counted.append([]) }
      while counted[record.table].count <= record.chunk { counted[record.table].append(false) }
      if counted[record.table][record.chunk] { continue }
      counted[record.table][record.chunk] = true
      count(record, in: state)
    }
  }

  private mutating func count(_ record: RecordReference, in state: RecordState) {
    guard record.table < state.tables.count,
      record.chunk < state.tables[record.table].chunks.count
    else { return }
    while chunks.count <= record.table { chunks.append([]) }
    while chunks[record.table].count <= record.chunk { chunks[record.table].append(0) }
    let bytes = state[record].liveBytes
    records += bytes - chunks[record.table][record.chunk]
    chunks[record.table][record.chunk] = bytes
  }

  /// Everything was forgotten; pins stay.
  mutating func clear() {
    var cleared = StoreSize(limit: limit)
    cleared.pins = pins
    cleared.collected = collected
    self = cleared
  }
}

extension OperationEntry.Reading {
  /// What keeping it takes, about: data, cells and trace.
  var bytes: Int {
    let document = payload?.data?.document
    return (document?.bytes.count ?? 0) + (document?.tapeSize ?? 0)
      + trace.entries.count * MemoryLayout<ReadTrace.Entry>.stride
  }
}
