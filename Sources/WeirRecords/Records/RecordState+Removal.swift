extension RecordState {
  /// The places of the fields that a record has.
  package func places(of record: RecordReference, _ catalog: Catalog) -> [FieldPlace] {
    var places = unsortedPlaces(of: record, catalog)
    let beside = places.firstIndex { $0.slot == nil } ?? places.endIndex
    places[beside...].sort { $0.field.rawValue < $1.field.rawValue }
    return places
  }

  /// The same in any order: the root may have thousands.
  package func unsortedPlaces(of record: RecordReference, _ catalog: Catalog) -> [FieldPlace] {
    let (chunk, row) = (self[record], record.rowInChunk)
    return catalog.slotPlaces(record.table).filter { !chunk.cell(row, $0).isAbsent }
      + (chunk.overflow[row] ?? [:]).keys.map { FieldPlace(besideRow: $0) }
  }

  /// The pages of a list that a record has, in the order of the first request. Lists of other records
  /// may have many more.
  package func pages(
    of list: FieldID, on record: RecordReference, _ catalog: Catalog
  ) -> [FieldID] {
    guard let own = self[record].overflow[record.rowInChunk] else { return [] }
    return catalog.pages(of: list, among: own.keys)
  }

  /// Removes all fields of a record, and the records embedded in them. Entities keep their row, so
  /// that references to them remain dangling references.
  package mutating func removeFields(
    of record: RecordReference, removed: (RecordReference) -> Void
  ) {
    let row = record.rowInChunk
    var embedded: [RecordReference] = []
    self[record].forEachEmbedded(of: row) { embedded.append($0) }
    self[record].removeFields(of: row)
    for record in embedded { freeEmbedded(record, removed: removed) }
  }

  /// Removes one field of a record, and the records embedded in it.
  package mutating func removeField(
    _ place: FieldPlace, of record: RecordReference, removed: (RecordReference) -> Void
  ) {
    let cell = cell(record, place)
    let embedded = self[record].embeddedRecords(in: cell)
    self[record].release(cell)
    self[record].setCell(.absent, record.rowInChunk, place)
    self[record].ages.forget(record.rowInChunk, place.field)
    for record in embedded { freeEmbedded(record, removed: removed) }
  }

  /// Frees the row of an embedded record.
  package mutating func freeEmbedded(
    _ record: RecordReference, removed: (RecordReference) -> Void
  ) {
    guard !header(record).isFree else { return }
    removeFields(of: record, removed: removed)
    free(record)
    removed(record)
  }

  /// Frees the row of a record. No reference to it may remain.
  package mutating func free(_ record: RecordReference) {
    self[record.table].freeRow(record.row)
    if !pageOrders.isEmpty { pageOrders[record] = nil }
  }
}

extension RowChunk {
  /// Empties a row.
  mutating func removeFields(of row: ChunkRow) {
    for index in positions(of: row).dropFirst() where !cells[index].isAbsent {
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
    forEachElement(of: cell) { if $0.kind == .embedded { found.append($0.record) } }
    return found
  }

  /// Calls `body` with the embedded records that a row's fields refer to.
  package func forEachEmbedded(of row: ChunkRow, _ body: (RecordReference) -> Void) {
    forEachCell(row) { for record in embeddedRecords(in: $0) { body(record) } }
  }
}
