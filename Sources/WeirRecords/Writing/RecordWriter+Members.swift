import Weir

extension RecordWriter {
  mutating func write(
    _ object: TapeIndex, _ layout: WriteLayout, into record: RecordReference, isNew: Bool,
    wasPostponed: Bool = false, _ context: WriteContext, _ state: inout RecordState
  ) {
    if !rules.newer.isEmpty, wasRemoved(record, state) {
      return leaveRemoved(object, layout, context, &state)
    }
    if !leftovers.isEmpty { keepLeftovers(object, layout, record) }
    let leaves = writeLeaves(
      of: object, layout, into: record, isNew: isNew, wasPostponed: wasPostponed, &state)
    var slots = leaves.slots
    var fields: [FieldID] = []
    var cursor = MemberCursor(object, tape)
    for member in layout.others {
      let value = cursor.move(to: member.position, tape)
      writeOther(value, member, of: record, leaves, context, &slots, &fields, &state)
    }
    if rules.notesWrites { noteWrite(of: record, object, layout) }
    if rules.notesAges, leaves.hadAges || !state[record].ages.isEmpty {
      noteRefresh(of: record, object, layout)
    }
    guard leaves.isDifferent || slots != 0 || !fields.isEmpty else { return }
    if !leaves.isDifferent {
      state.touch(record, version: version, type: type(of: record, layout, state))
    }
    changes.changes.append(
      ChangeSet.Change(
        record: record, slots: slots, fields: fields, isNew: leaves.isNew,
        changesType: leaves.changesType))
  }

  /// The place of a member other than a leaf with a slot; nil if the member is not stored.
  @inline(__always)
  mutating func place(of member: WriteLayout.Other, in record: RecordReference)
    -> FieldPlace?
  {
    member.fixedPlace ?? bindings.place(member.field.place, table: record.table)
  }

  /// Writes the leaves of an object. Leaves of new records and unchanged leaves take fast paths.
  @inline(__always)
  private mutating func writeLeaves(
    of object: TapeIndex, _ layout: WriteLayout, into record: RecordReference, isNew: Bool,
    wasPostponed: Bool, _ state: inout RecordState
  ) -> WrittenLeaves {
    // The row of a postponed object is not empty if it was found again meanwhile.
    if isPlain, layout.isPlain, !isNew || !wasPostponed {
      if isNew {
        state[record].fill(record.rowInChunk, withLeavesOf: object, layout, tape)
        return WrittenLeaves(
          slots: layout.leafSlots, isNew: true, changesType: false, hadAges: false)
      }
      if state[record].holdsLeaves(of: object, layout, row: record.rowInChunk, tape) {
        return WrittenLeaves(slots: 0, isNew: false, changesType: false, hadAges: false)
      }
    }
    return writeAnyLeaves(of: object, layout, into: record, isNew: isNew, &state)
  }

  @inline(never)
  private mutating func writeAnyLeaves(
    of object: TapeIndex, _ layout: WriteLayout, into record: RecordReference, isNew: Bool,
    _ state: inout RecordState
  ) -> WrittenLeaves {
    let newer = rules.newer[record]
    guard newer != nil || !skipped.isEmpty || before != nil else {
      return writeLeaves(layout.leaves, of: object, layout, into: record, isNew: isNew, &state)
    }
    // Proof: the array of leaves lives until the closure returns, and the pointer is not kept.
    return leaves(of: object, layout, of: record, notIn: newer, state).withUnsafeBufferPointer {
      writeLeaves($0, of: object, layout, into: record, isNew: isNew, &state)
    }
  }

  private mutating func writeLeaves(
    _ leaves: UnsafeBufferPointer<WriteLayout.Leaf>, of object: TapeIndex, _ layout: WriteLayout,
    into record: RecordReference, isNew: Bool, _ state: inout RecordState
  ) -> WrittenLeaves {
    let written = state[record].write(
      leaves, of: object, layout,
      RowHeader(version: version, type: type(of: record, layout, state)), row: record.rowInChunk,
      isNew: isNew, tape, dropped: &dropped)
    if written.hadAges || limitsAge || layout.hasTimeToLive {
      let earlier = state[record].setAges(of: leaves, row: record.rowInChunk) {
        expiry(after: $0)
      }
      if earlier != 0, !written.isNew {
        noteShortened(ChangeSet.Change(record: record, slots: earlier, fields: []), &state)
      }
    }
    return written
  }

  /// The type that a record has from now on: that of a later request stays, as its fields do.
  @inline(__always)
  private func type(
    of record: RecordReference, _ layout: WriteLayout, _ state: borrowing RecordState
  ) -> TypeID {
    guard !rules.newer.isEmpty, rules.newer[record] != nil else { return layout.shape.type }
    let type = state.header(record).type
    return type == .removed ? layout.shape.type : type
  }

  /// The leaves that contain data, that no later request has written, and that an update has changed.
  private mutating func leaves(
    of object: TapeIndex, _ layout: WriteLayout, of record: RecordReference,
    notIn newer: WrittenFields?,
    _ state: borrowing RecordState
  ) -> [WriteLayout.Leaf] {
    var member = MemberCursor(object, tape)
    var leaves: [WriteLayout.Leaf] = []
    for leaf in layout.leaves {
      let value = member.move(to: leaf.position, tape)
      if isSkipped(value) || isUnchanged(value, leaf.place, of: record) { continue }
      if (newer?.slots ?? 0) & leaf.bit == 0 {
        leaves.append(leaf)
      } else {
        noteLeft(leaf.place, of: record, state)
      }
    }
    return leaves
  }

  /// Notes that a field keeps the value of a later request. That value may be stale or removed.
  private mutating func noteLeft(
    _ place: FieldPlace, of record: RecordReference, _ state: borrowing RecordState
  ) {
    hasLeftNewer = true
    if state[record].ages.expiry(record.rowInChunk, place.field) == 0
      || state.cell(record, place).isAbsent
    {
      hasLeftStale = true
    }
  }

  /// Leaves a member other than a leaf with a slot as it is stored, if it contains no data, is older or
  /// incomplete, or is what an update has changed elsewhere. The objects within are written.
  private mutating func leavesAsStored(
    _ value: TapeIndex, _ member: WriteLayout.Other, _ place: FieldPlace,
    of record: RecordReference,
    _ context: WriteContext, _ state: inout RecordState
  ) -> Bool {
    if rules.mayLackItems, member.isStreamed {
      writeOlder(value, member, context, &state)
      return true
    }
    if isSkipped(value, member) { return true }
    if before != nil, keepsChange(value, member, place, of: record, context, &state) { return true }
    guard let newer = rules.newer[record], newer.contains(place) else { return false }
    noteLeft(place, of: record, state)
    let embedded = newer.embeddedType(place.field)
    let existing = embedded == nil ? .absent : state.cell(record, place)
    writeOlder(value, member, existing: existing, type: embedded, context, &state)
    return true
  }

  /// Writes a member other than a leaf with a slot, and notes its field if the value has changed.
  @inline(__always)
  private mutating func writeOther(
    _ value: TapeIndex, _ member: WriteLayout.Other, of record: RecordReference,
    _ leaves: WrittenLeaves,
    _ context: WriteContext, _ slots: inout UInt64, _ fields: inout [FieldID],
    _ state: inout RecordState
  ) {
    guard let place = place(of: member, in: record) else { return }
    if !isPlain, leavesAsStored(value, member, place, of: record, context, &state) { return }
    guard writeValue(value, member, place, of: record, leaves, context, &state) else { return }
    if let slot = place.slot { slots |= slot.bit } else { fields.append(place.field) }
  }

  /// Writes a member other than a leaf with a slot. Returns whether the value has changed.
  @inline(__always)
  private mutating func writeValue(
    _ value: TapeIndex, _ member: WriteLayout.Other, _ place: FieldPlace,
    of record: RecordReference, _ leaves: WrittenLeaves, _ context: WriteContext,
    _ state: inout RecordState
  ) -> Bool {
    let isChanged =
      member.node >= 0
      ? writeComposite(value, member, place, of: record, context, &state)
      : writeLeaf(value, place, of: record, &state)
    if leaves.hadAges || limitsAge || member.timeToLive >= 0 {
      let isEarlier = state[record].ages.set(
        expiry(after: member.timeToLive), record.rowInChunk, place.field)
      if isEarlier, !leaves.isNew {
        var change = ChangeSet.Change(record: record, slots: 0, fields: [])
        change.add(place)
        noteShortened(change, &state)
      }
    }
    return isChanged
  }

  private mutating func writeLeaf(
    _ value: TapeIndex, _ place: FieldPlace, of record: RecordReference, _ state: inout RecordState
  ) -> Bool {
    let old = state.cell(record, place)
    if old.isReference || old.kind == .list {
      release(old, of: record, keeping: .absent, &state)
      state[record].setCell(.absent, record.rowInChunk, place)
    }
    return state[record].writeLeaf(tape[value], tape, record.rowInChunk, place)
  }
}

// MARK: - Ages

extension RecordWriter {
  /// Whether the data becomes stale, whatever is configured.
  @inline(__always)
  var limitsAge: Bool { min(rules.expiry, rules.latestExpiry) != RowAges.never }

  /// Notes fields that become stale earlier than before. A result that shows them is not current any more.
  @inline(never)
  private mutating func noteShortened(_ change: ChangeSet.Change, _ state: inout RecordState) {
    shortened.changes.append(change)
    state.touch(change.record, version: version)
  }

  /// Lets the fields of an object without a key become stale when the field that shows the object would
  /// have. That field is about to get a new age, although the write may bring only a part of the object.
  @inline(never)
  mutating func keepAge(
    of record: RecordReference, _ object: TapeIndex, _ layout: WriteLayout,
    _ member: WriteLayout.Other, owner: RecordReference, _ state: inout RecordState
  ) {
    guard let place = place(of: member, in: owner) else { return }
    let old = state[owner].ages.expiry(owner.rowInChunk, place.field)
    guard old < expiry(after: member.timeToLive) else { return }
    var limited = state.places(of: record, catalog)
    limited.removeAll { !state[record].ages.limit(to: old, record.rowInChunk, $0.field) }
    guard !limited.isEmpty else { return }
    // An update writes only what it has changed.
    let written = before == nil ? Set(places(of: object, layout, record)) : []
    var kept = ChangeSet.Change(record: record, slots: 0, fields: [])
    for place in limited where !written.contains(place) { kept.add(place) }
    if !kept.isEmpty { noteShortened(kept, &state) }
  }

  /// When data with a configured time to live becomes stale; without one if that is negative.
  private func expiry(after timeToLive: Int64) -> Int64 {
    min(RowAges.expiry(timeToLive, now: rules.now) ?? rules.expiry, rules.latestExpiry)
  }
}
