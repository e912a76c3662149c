import Weir

extension RecordState {
  /// Where a record keeps the fields that it has.
  func places(of record: RecordReference, _ catalog: Catalog) -> [FieldPlace] {
    let chunk = self[record]
    let row = record.rowInChunk
    var places: [FieldPlace] = []
    for (slot, field) in catalog.slotFields(record.table).enumerated()
    where !chunk.cell(row, slot: slot).isAbsent {
      places.append(FieldPlace(field: field, slot: slot))
    }
    for field in (chunk.overflow[row] ?? [:]).keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      places.append(FieldPlace(field: field, slot: -1))
    }
    return places
  }

  /// Removes all fields of a record; what is embedded in them goes, too. Entities keep their row,
  /// so that references to them stay what they are: dangling.
  mutating func removeFields(
    of record: RecordReference, removed: (RecordReference) -> Void
  ) {
    let row = record.rowInChunk
    var embedded: [RecordReference] = []
    self[record].takeFields(of: row) { embedded.append($0) }
    for record in embedded { freeEmbedded(record, removed: removed) }
  }

  /// Gives an embedded record's row back.
  mutating func freeEmbedded(
    _ record: RecordReference, removed: (RecordReference) -> Void
  ) {
    guard !header(record).isFree else { return }
    removeFields(of: record, removed: removed)
    tables[record.table].freeRow(record.row)
    removed(record)
  }
}

extension RowChunk {
  /// Empties a row and tells the embedded records that it referred to.
  mutating func takeFields(of row: Int, embedded: (RecordReference) -> Void) {
    for index in row * width + 1..<(row + 1) * width {
      tellEmbedded(cells[index], embedded)
      release(cells[index])
      cells[index] = .absent
    }
    for cell in (overflow.removeValue(forKey: row) ?? [:]).values {
      tellEmbedded(cell, embedded)
      release(cell)
    }
    ages.forget(row)
    compactText()
  }

  private func tellEmbedded(_ cell: Cell, _ body: (RecordReference) -> Void) {
    if cell.kind == .embedded { body(cell.record) }
    if cell.kind == .list { for element in lists[cell.list] { tellEmbedded(element, body) } }
  }
}
