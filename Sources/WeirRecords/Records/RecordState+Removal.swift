import Weir

extension RecordState {
  /// Where a record keeps the fields that it has.
  package func places(of record: RecordReference, _ catalog: Catalog) -> [FieldPlace] {
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
  package mutating func removeFields(
    of record: RecordReference, removed: (RecordReference) -> Void
  ) {
    let row = record.rowInChunk
    var embedded: [RecordReference] = []
    self[record].forEachEmbedded(of: row) { embedded.append($0) }
    self[record].removeFields(of: row)
    for record in embedded { freeEmbedded(record, removed: removed) }
  }

  /// Removes one field of a record; what is embedded in it goes, too.
  package mutating func removeField(
    _ place: FieldPlace, of record: RecordReference, removed: (RecordReference) -> Void
  ) {
    let cell = cell(record, place)
    let embedded = self[record].embeddedRecords(in: cell)
    self[record].release(cell)
    self[record].setCell(.absent, record.rowInChunk, place)
    for record in embedded { freeEmbedded(record, removed: removed) }
  }

  /// Gives an embedded record's row back.
  package mutating func freeEmbedded(
    _ record: RecordReference, removed: (RecordReference) -> Void
  ) {
    guard !header(record).isFree else { return }
    removeFields(of: record, removed: removed)
    free(record)
    removed(record)
  }

  /// Gives a record's row back. Nothing may refer to it any more.
  package mutating func free(_ record: RecordReference) {
    tables[record.table].freeRow(record.row)
    if !loadedOrders.isEmpty { loadedOrders[record] = nil }
  }
}

extension RowChunk {
  /// Empties a row.
  package mutating func removeFields(of row: Int) {
    for index in row * width + 1..<(row + 1) * width where !cells[index].isAbsent {
      release(cells[index])
      cells[index] = .absent
    }
    if !overflow.isEmpty {
      for cell in (overflow.removeValue(forKey: row) ?? [:]).values { release(cell) }
    }
    ages.forget(row)
    compactText()
  }

  /// The embedded records that a cell refers to directly.
  package func embeddedRecords(in cell: Cell) -> [RecordReference] {
    var found: [RecordReference] = []
    tellEmbedded(cell) { found.append($0) }
    return found
  }

  /// Tells the embedded records that a row's fields refer to.
  package func forEachEmbedded(of row: Int, _ body: (RecordReference) -> Void) {
    forEachCell(row) { tellEmbedded($0, body) }
  }

  @inline(__always)
  private func tellEmbedded(_ cell: Cell, _ body: (RecordReference) -> Void) {
    if cell.kind == .embedded {
      body(cell.record)
    } else if cell.kind == .list {
      tellElements(cell, body)
    }
  }

  private func tellElements(_ list: Cell, _ body: (RecordReference) -> Void) {
    for element in lists[list.list] { tellEmbedded(element, body) }
  }
}
