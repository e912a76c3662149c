extension RecordState {
  /// Makes a row for an object without a key. The row knows the field that it is the value of.
  package mutating func makeEmbedded(
    _ header: RowHeader, table: TableID, owner: RecordReference, _ field: FieldID
  ) -> RecordReference {
    ensureTable(table)
    let record = RecordReference(table: table, row: self[table].makeRow(header))
    self[record].setKey(Cell(owner: owner, field), of: record.rowInChunk)
    return record
  }

  /// The same for a record that this state may not have.
  package func ownerIfPresent(
    of record: RecordReference
  ) -> (record: RecordReference, field: FieldID?)? {
    hasRow(of: record) ? owner(of: record) : nil
  }

  /// The record and the field that an embedded record belongs to; nil for others.
  package func place(
    ofEmbedded record: RecordReference, _ catalog: Catalog
  ) -> (record: RecordReference, place: FieldPlace)? {
    let key = self[record].key(record.rowInChunk)
    guard key.kind == .reference else { return nil }
    return (key.record, catalog.place(key.ownerField, table: key.record.table))
  }

  /// The entity or root that a record is or is embedded in, and the field that leads to the record.
  package func owner(of record: RecordReference) -> (record: RecordReference, field: FieldID?)? {
    var record = record
    var field: FieldID?
    while true {
      guard !header(record).isFree else { return nil }
      let key = self[record].key(record.rowInChunk)
      guard key.kind == .reference else { return (record, field) }
      (record, field) = (key.record, key.ownerField)
    }
  }

  /// Whether a record is embedded in a list, or in an object that is: a write replaces the list as a whole.
  package func isWithinList(_ record: RecordReference, _ catalog: Catalog) -> Bool {
    var record = record
    while let (owner, place) = place(ofEmbedded: record, catalog) {
      if cell(owner, place).kind == .list { return true }
      record = owner
    }
    return false
  }
}

extension Cell {
  /// The key of an embedded record: its owner and the owner's field.
  init(owner: RecordReference, _ field: FieldID) {
    self.init(.reference, low: owner.bits)
    high |= UInt64(field.rawValue)
  }

  /// The field of ``record`` whose value it is.
  var ownerField: FieldID { FieldID(rawValue: UInt32(truncatingIfNeeded: high)) }
}
