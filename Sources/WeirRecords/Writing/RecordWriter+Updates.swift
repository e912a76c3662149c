import Weir

/// Handles updates, which write everything back that they have read.
extension RecordWriter {
  /// Takes back what an update has done to fields whose values are the same as before: they keep their
  /// ages, and responses in flight may still change them.
  package mutating func keepUnchanged(since before: RecordState, _ state: inout RecordState) {
    var changed: [RecordReference: [ChangeSet.Change]] = [:]
    for change in changes.changes { changed[change.record, default: []].append(change) }
    for (index, (record, fields)) in writes.enumerated() {
      let changes = changed[record] ?? []
      guard !changes.contains(where: \.isNew) else { continue }
      let unchanged = fields.places(in: record.table, catalog).filter { place in
        !changes.contains { $0.contains(place) }
      }
      keepAges(of: unchanged, in: record, since: before, &state)
      writes[index].fields.remove(
        // Objects without keys must not be merged by position with those of another list.
        unchanged.filter { !state.holdsEmbeddedElements(state.cell(record, $0), of: record) })
    }
    writes.removeAll { $0.fields.isEmpty }
    // The ages of unchanged fields are those of before, too.
    refreshed = ChangeSet()
  }

  /// The fields that were written and are not the same as before.
  package var changedWrites: ContiguousArray<(record: RecordReference, fields: WrittenFields)> {
    ContiguousArray(
      changes.changes.map { change in
        var fields = WrittenFields()
        for place in change.places(in: change.record.table, catalog) { fields.insert(place) }
        return (change.record, fields)
      })
  }

  private func keepAges(
    of places: [FieldPlace], in record: RecordReference, since before: RecordState,
    _ state: inout RecordState
  ) {
    guard before.hasRow(of: record),
      !before[record].ages.isEmpty || !state[record].ages.isEmpty
    else { return }
    for place in places {
      let expiry = before[record].ages.expiry(record.rowInChunk, place.field)
      state[record].ages.set(expiry, record.rowInChunk, place.field)
    }
  }
}

extension RecordState {
  /// Whether a list, or a list within it, has elements without keys.
  fileprivate func holdsEmbeddedElements(_ list: Cell, of owner: RecordReference) -> Bool {
    elements(list, of: owner).contains {
      $0.kind == .embedded || $0.kind == .list && holdsEmbeddedElements($0, of: owner)
    }
  }
}
