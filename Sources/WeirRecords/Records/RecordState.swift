/// All records at one moment.
///
/// A value type: a copy is a snapshot that later writes do not affect, and costs a few reference
/// counts. Writing while a snapshot exists first copies the affected chunks.
@usableFromInline
package struct RecordState: Sendable {
  @usableFromInline package var tables: ContiguousArray<RecordTable> = []
  /// When pages were last written that have changed since; see ``order(of:)``.
  var pageOrders: [RecordReference: PageOrder] = [:]
  /// Differs in each store; see `RecordKey`.
  package let seed: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    for root in RootType.allCases {
      ensureTable(root.table)
      _ = self[root.table].makeRow(RowHeader(version: 1, type: root.type))
    }
  }

  mutating func ensureTable(_ table: TableID) {
    while tables.count <= table.index { tables.append(RecordTable()) }
  }

  @usableFromInline package subscript(table: TableID) -> RecordTable {
    @inlinable _read { yield tables[table.index] }
    @inlinable _modify { yield &tables[table.index] }
  }

  /// The chunk of a record.
  @inline(__always)
  // Other modules must not call the accessors: a coroutine has a frame on the heap.
  @usableFromInline package subscript(record: RecordReference) -> RowChunk {
    @inlinable _read { yield tables[record.table.index].chunks[record.chunk] }
    @inlinable _modify { yield &tables[record.table.index].chunks[record.chunk] }
  }

  @inlinable @inline(__always)
  package func header(_ record: RecordReference) -> RowHeader {
    tables[record.table.index].chunks[record.chunk].header(record.rowInChunk)
  }

  /// The header word of a record; 0 if this state has no such row.
  @inline(__always)
  package func headerIfPresent(_ record: RecordReference) -> UInt64 {
    hasRow(of: record) ? header(record).bits : 0
  }

  @inlinable @inline(__always)
  package func hasRow(of record: RecordReference) -> Bool {
    record.table.index < tables.count && record.row.index < tables[record.table.index].rowCount
  }

  @inline(__always)
  package func cell(_ record: RecordReference, _ place: FieldPlace) -> Cell {
    tables[record.table.index].chunks[record.chunk].cell(record.rowInChunk, place)
  }

  /// The record of a key in a table; nil if there is none.
  ///
  /// Proof: the key is only compared; the pointer is not kept.
  package func record(table: TableID, key: UnsafeBufferPointer<UInt8>) -> RecordReference? {
    guard table.index < tables.count else { return nil }
    return self[table].row(of: key, seed: seed).map { RecordReference(table: table, row: $0) }
  }

  /// The number of records that have fields or a key, including roots.
  package var count: Int { tables.reduce(0) { $0 + $1.liveCount } }
}

extension RootType {
  /// The root's record.
  package var reference: RecordReference { RecordReference(table: table, row: RowID(rawValue: 0)) }
}

extension RecordReference {
  /// Whether the record is a root, not an entity or an embedded object.
  package var isRoot: Bool { table.rawValue <= RootType.subscription.rawValue }
}

/// The changes that a batch of writes has made.
package struct ChangeSet {
  package struct Change {
    package let record: RecordReference
    /// A bit for each slot; slots from 63 on share the last bit.
    package var slots: UInt64
    /// The fields that have no slot.
    package var fields: [FieldID]
    package var isNew = false
    package var isRemoved = false
    /// Whether the type of the object has changed. Then other fields may be selected of it.
    package var changesType = false

    /// Whether no field has changed.
    var isEmpty: Bool { slots == 0 && fields.isEmpty }

    package init(
      record: RecordReference, slots: UInt64, fields: [FieldID], isNew: Bool = false,
      isRemoved: Bool = false, changesType: Bool = false
    ) {
      self.record = record
      self.slots = slots
      self.fields = fields
      self.isNew = isNew
      self.isRemoved = isRemoved
      self.changesType = changesType
    }
  }

  package var changes: ContiguousArray<Change> = []

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }

  /// The number of changed records. A record may appear in several changes.
  package var recordCount: Int {
    guard changes.count > 1 else { return changes.count }
    var records = RecordSet()
    var count = 0
    // By index, so that no change is copied.
    for index in changes.indices where records.insert(changes[index].record) { count += 1 }
    return count
  }
}
