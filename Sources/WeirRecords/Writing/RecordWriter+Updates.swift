import Weir

/// Handles updates, which write everything back that they have read.
extension RecordWriter {
  /// Takes back what an update has done to fields whose values are the same as before: they keep their
  /// ages, and responses in flight may still change them.
  package mutating func keepUnchanged(since before: RecordState, _ state: inout RecordState) {
    keepSpellings(since: before, &state)
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
    (refreshed, shortened) = (ChangeSet(), ChangeSet())
  }

  /// Takes back what only spells an old value otherwise, or with the fewer digits of a `Double`:
  /// updates write trees and values of types, not the text of a server. So are lists that have got their
  /// elements back.
  private mutating func keepSpellings(since before: RecordState, _ state: inout RecordState) {
    var same = Set<RecordReference>()
    for (index, change) in changes.changes.enumerated() {
      guard !change.isNew, !change.isRemoved, !change.changesType, before.hasRow(of: change.record)
      else { continue }
      let places = change.places(in: change.record.table, catalog)
      let others = places.filter { !state.restore($0, of: change.record, from: before) }
      guard others.count < places.count else { continue }
      changes.changes[index].slots = 0
      changes.changes[index].fields = []
      for place in others { changes.changes[index].add(place) }
      if others.isEmpty { same.insert(change.record) }
    }
    guard !same.isEmpty else { return }
    changes.changes.removeAll {
      same.contains($0.record) && $0.slots == 0 && $0.fields.isEmpty && !$0.isNew && !$0.isRemoved
        && !$0.changesType
    }
    for change in changes.changes { same.remove(change.record) }
    for record in same { state[record].setHeader(before.header(record), of: record.rowInChunk) }
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
  /// Gives a field its old text back if that means the same. Returns whether it does, or is a list with the
  /// same elements.
  fileprivate mutating func restore(
    _ place: FieldPlace, of record: RecordReference, from before: RecordState
  ) -> Bool {
    let (old, new) = (before.cell(record, place), cell(record, place))
    if old.kind == .list, new.kind == .list {
      return before.elements(old, of: record) == elements(new, of: record)
    }
    // Other texts without escapes, points and exponents differ.
    guard old.isText, old.kind == new.kind, old.kind == .json || old.isIrregular || new.isIrregular,
      let one = before[record].json(of: old).flatMap({ try? JSON(parsing: $0) }),
      let other = self[record].json(of: new).flatMap({ try? JSON(parsing: $0) }), one == other
    else { return false }
    self[record].release(new)
    let restored = before[record].withText(old) {
      self[record].store(old.kind, isIrregular: old.isIrregular, $0)
    }
    self[record].setCell(restored, record.rowInChunk, place)
    return true
  }

  /// Whether a list, or a list within it, has elements without keys.
  fileprivate func holdsEmbeddedElements(_ list: Cell, of owner: RecordReference) -> Bool {
    elements(list, of: owner).contains {
      $0.kind == .embedded || $0.kind == .list && holdsEmbeddedElements($0, of: owner)
    }
  }
}
