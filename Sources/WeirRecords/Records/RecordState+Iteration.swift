extension RecordState {
  /// The tables, those of the roots first.
  package var tableIDs: [TableID] { tables.indices.map(TableID.init(index:)) }

  /// Calls `body` for each row of a table that is in use.
  package func forEachRecord(in table: TableID, _ body: (RecordReference, RowHeader) -> Void) {
    guard table.index < tables.count else { return }
    for row in self[table].rows {
      let record = RecordReference(table: table, row: row)
      let header = header(record)
      if !header.isFree { body(record, header) }
    }
  }

  /// The records with a key, of one table or of all; removed ones, whose rows are still referred to,
  /// included.
  package func entities(in table: TableID? = nil) -> [RecordReference] {
    var found: [RecordReference] = []
    for table in table.map({ [$0] }) ?? tableIDs.filter({ $0.root == nil }) {
      forEachRecord(in: table) { record, _ in
        if self[record].key(record.rowInChunk).kind == .string { found.append(record) }
      }
    }
    return found
  }

  /// Gives a record another version, and perhaps another type.
  package mutating func touch(_ record: RecordReference, version: UInt64, type: TypeID? = nil) {
    let header = RowHeader(version: version, type: type ?? header(record).type)
    self[record].setHeader(header, of: record.rowInChunk)
  }
}

extension ChangeSet {
  package mutating func append(_ record: RecordReference, _ place: FieldPlace) {
    var change = Change(record: record, slots: 0, fields: [])
    change.add(place)
    changes.append(change)
  }

  package mutating func append(removed record: RecordReference) {
    changes.append(Change(record: record, slots: .max, fields: [], isRemoved: true))
  }
}
