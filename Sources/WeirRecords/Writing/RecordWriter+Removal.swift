import Weir

extension RecordWriter {
  /// Frees what a replaced cell referred to, except what the new cell refers to.
  mutating func release(
    _ old: Cell, of record: RecordReference, keeping new: Cell, _ state: inout RecordState
  ) {
    switch old.kind {
    case .embedded where old != new:
      dropped.insert(old.record)
    case .list:
      let kept = new.kind == .list ? state[record].embeddedRecords(in: new) : []
      dropped.formUnion(Set(state[record].embeddedRecords(in: old)).subtracting(kept))
      // Nested lists that are still in use are shared by value, so only this list is freed.
      releaseList(old, of: record, keeping: new, &state)
    default:
      state[record].release(old)
    }
    state[record].compactText()
  }

  func releaseList(
    _ old: Cell, of record: RecordReference, keeping new: Cell, _ state: inout RecordState
  ) {
    var inner: Set<ListID> = []
    if new.kind == .list { collectLists(new, of: record, into: &inner, state) }
    releaseLists(old, of: record, keeping: inner, &state)
  }

  func collectLists(
    _ list: Cell, of record: RecordReference, into lists: inout Set<ListID>, _ state: RecordState
  ) {
    lists.insert(list.list)
    for element in state[record][list.list] where element.kind == .list {
      collectLists(element, of: record, into: &lists, state)
    }
  }

  func releaseLists(
    _ list: Cell, of record: RecordReference, keeping kept: Set<ListID>,
    _ state: inout RecordState
  ) {
    guard !kept.contains(list.list) else { return }
    for element in state[record][list.list] where element.kind == .list {
      releaseLists(element, of: record, keeping: kept, &state)
    }
    state[record].releaseOnly(list)
  }

  /// Notes the fields of a list's element that the new element does not have.
  mutating func noteLeftovers(
    _ object: TapeIndex, _ layout: WriteLayout, _ record: RecordReference, _ state: RecordState
  ) {
    let others = Set(state.places(of: record, catalog))
      .subtracting(places(of: object, layout, record))
    if !others.isEmpty { leftovers[record] = others }
  }

  /// Updates the noted fields when the element is written again, with other fields.
  mutating func keepLeftovers(
    _ object: TapeIndex, _ layout: WriteLayout, _ record: RecordReference
  ) {
    guard let others = leftovers[record] else { return }
    let remaining = others.subtracting(places(of: object, layout, record))
    leftovers[record] = remaining.isEmpty ? nil : remaining
  }

  /// The places of all members that an object has, except those that an error made null.
  mutating func places(
    of object: TapeIndex, _ layout: WriteLayout, _ record: RecordReference
  ) -> [FieldPlace] {
    var places: [FieldPlace] = []
    var member = MemberCursor(object, tape)
    for leaf in layout.leaves where !isSkipped(member.move(to: leaf.position, tape)) {
      places.append(leaf.place)
    }
    member = MemberCursor(object, tape)
    for other in layout.others where !isSkipped(member.move(to: other.position, tape), other) {
      if let place = place(of: other, in: record) { places.append(place) }
    }
    return places
  }

  /// Removes fields that elements no longer have, and embedded records without references.
  mutating func removeLeftovers(_ state: inout RecordState) {
    guard !leftovers.isEmpty || !dropped.isEmpty else { return }
    for (record, places) in leftovers where !dropped.contains(record) {
      var change = ChangeSet.Change(record: record, slots: 0, fields: [])
      for place in places {
        release(state.cell(record, place), of: record, keeping: .absent, &state)
        state[record].setCell(.absent, record.rowInChunk, place)
        change.add(place)
      }
      state.touch(record, version: version)
      changes.changes.append(change)
    }
    leftovers = [:]
    for record in dropped where !state.header(record).isFree {
      state.freeEmbedded(record) { changes.append(removed: $0) }
    }
    dropped = []
  }
}
