extension RecordState {
  /// The fields in which a record differs from an older state; nil if there are none.
  package func difference(
    of record: RecordReference, from old: RecordState
  ) -> ChangeSet.Change? {
    let isHere = contains(record)
    guard isHere == old.contains(record) else {
      return ChangeSet.Change(
        record: record, slots: .max, fields: [], isNew: isHere, isRemoved: !isHere)
    }
    guard isHere, header(record).bits != old.header(record).bits else { return nil }
    let isOther = !self[record].hasSameKey(as: old[record], record.rowInChunk)
    if isOther || header(record).type != old.header(record).type {
      return ChangeSet.Change(
        record: record, slots: .max, fields: [],
        isNew: isOther || old.header(record).type == .removed, isRemoved: true)
    }
    let slots = self[record].slotsDiffering(from: old[record], record.rowInChunk)
    let fields = self[record].fieldsDiffering(from: old[record], record.rowInChunk)
    guard slots != 0 || !fields.isEmpty else { return nil }
    return ChangeSet.Change(record: record, slots: slots, fields: fields)
  }

  /// The fields of a record that become stale earlier than in an older state, but have not been invalidated;
  /// nil if there are none.
  package func shortening(
    of record: RecordReference, since old: RecordState, _ catalog: Catalog
  ) -> ChangeSet.Change? {
    guard contains(record), old.contains(record), !self[record].ages.isEmpty else { return nil }
    let (new, old, row) = (self[record].ages, old[record].ages, record.rowInChunk)
    var change = ChangeSet.Change(record: record, slots: 0, fields: [])
    for place in places(of: record, catalog) {
      let expiry = new.expiry(row, place.field)
      if expiry > 0, expiry < old.expiry(row, place.field) { change.add(place) }
    }
    return change.slots == 0 && change.fields.isEmpty ? nil : change
  }

  private func contains(_ record: RecordReference) -> Bool {
    hasRow(of: record) && !header(record).isFree
  }
}

extension RowChunk {
  /// Whether a row is the same record's: a free row is given to another one.
  fileprivate func hasSameKey(as old: RowChunk, _ row: ChunkRow) -> Bool {
    isEqual(key(row), old.key(row), in: old)
  }

  fileprivate func slotsDiffering(from old: RowChunk, _ row: ChunkRow) -> UInt64 {
    var slots: UInt64 = 0
    for slot in (0..<max(width, old.width) - 1).lazy.map(Slot.init(index:))
    where !isEqual(cell(row, slot), old.cell(row, slot), in: old) {
      slots |= slot.bit
    }
    return slots
  }

  fileprivate func fieldsDiffering(from old: RowChunk, _ row: ChunkRow) -> [FieldID] {
    let new = overflow[row] ?? [:]
    let before = old.overflow[row] ?? [:]
    return Set(new.keys).union(before.keys).filter {
      !isEqual(new[$0] ?? .absent, before[$0] ?? .absent, in: old)
    }
  }

  private func isEqual(_ cell: Cell, _ other: Cell, in chunk: RowChunk) -> Bool {
    if cell.kind != other.kind { return false }
    if cell.isText {
      return chunk.withText(other) { holds(cell, other.kind, isIrregular: other.isIrregular, $0) }
    }
    if cell.kind == .list {
      let mine = self[cell.list]
      let others = chunk[other.list]
      return mine.count == others.count
        && mine.indices.allSatisfy { isEqual(mine[$0], others[$0], in: chunk) }
    }
    return cell == other
  }
}
