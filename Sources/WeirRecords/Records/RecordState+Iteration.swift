extension RecordState {
  /// Calls `body` for each row of a table that is in use.
  package func forEachRecord(in table: Int, _ body: (RecordReference, RowHeader) -> Void) {
    guard table < tables.count else { return }
    for row in 0..<tables[table].rowCount {
      let record = RecordReference(table: table, row: row)
      let header = header(record)
      if !header.isFree { body(record, header) }
    }
  }

  /// The records with a key, of one table or of all; removed ones, whose rows are still referred to,
  /// included.
  package func entities(in table: Int? = nil) -> [RecordReference] {
    var found: [RecordReference] = []
    let first = RootType.subscription.rawValue + 1
    for table in table.map({ $0..<$0 + 1 }) ?? first..<max(first, tables.count) {
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
