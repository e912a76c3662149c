import Weir

extension RecordWriter {
  package mutating func write(
    _ object: Int, _ layout: WriteLayout, into record: RecordReference, isNew: Bool,
    replaces: Bool, _ state: inout RecordState
  ) {
    if replaces {
      noteLeftovers(object, layout, record, state)
    } else if !leftovers.isEmpty {
      keepLeftovers(object, layout, record)
    }
    let leaves = writeLeaves(of: object, layout, into: record, isNew: isNew, &state)
    var slots = leaves.slots
    var fields: [FieldID] = []
    if layout.shape.repeatsFields {
      writeRepeated(object, layout, into: record, leaves, &slots, &fields, &state)
    } else {
      var cursor = MemberCursor(object, tape)
      for member in layout.others {
        let value = cursor.move(to: member.position, tape)
        writeOther(value, member, of: record, leaves, &slots, &fields, &state)
      }
    }
    if notesWrites { noteWrite(of: record, object, layout) }
    if notesAges, leaves.hadAges || !state[record].ages.isEmpty {
      noteRefresh(of: record, object, layout)
    }
    guard leaves.isDifferent || slots != 0 || !fields.isEmpty else { return }
    if !leaves.isDifferent {
      state[record].setHeader(
        RowHeader(version: version, type: layout.shape.type), of: record.rowInChunk)
    }
    changes.changes.append(
      ChangeSet.Change(
        record: record, slots: slots, fields: fields, isNew: leaves.isNew,
        changesType: leaves.changesType))
  }

  /// Where a record keeps a member that is no leaf with a slot; nil if the member is not kept.
  @inline(__always)
  package mutating func place(of member: WriteLayout.Other, in record: RecordReference) -> FieldPlace? {
    member.fixedPlace ?? bindings.place(member.field.place, table: record.table)
  }

  /// Writes the leaves of an object. Those of a new record, and those that stay what they are, take
  /// less than others.
  @inline(__always)
  private mutating func writeLeaves(
    of object: Int, _ layout: WriteLayout, into record: RecordReference, isNew: Bool,
    _ state: inout RecordState
  ) -> WrittenLeaves {
    if isPlain, layout.isPlain {
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
    of object: Int, _ layout: WriteLayout, into record: RecordReference, isNew: Bool,
    _ state: inout RecordState
  ) -> WrittenLeaves {
    let newer = newer[record]
    guard newer != nil || !skipped.isEmpty else {
      return writeLeaves(layout.leaves, of: object, layout, into: record, isNew: isNew, &state)
    }
    return leaves(of: object, layout, of: record, notIn: newer, state).withUnsafeBufferPointer {
      writeLeaves($0, of: object, layout, into: record, isNew: isNew, &state)
    }
  }

  private mutating func writeLeaves(
    _ leaves: UnsafeBufferPointer<WriteLayout.Leaf>, of object: Int, _ layout: WriteLayout,
    into record: RecordReference, isNew: Bool, _ state: inout RecordState
  ) -> WrittenLeaves {
    let written = state[record].write(
      leaves, of: object, layout, RowHeader(version: version, type: layout.shape.type),
      row: record.rowInChunk, isNew: isNew, tape, dropped: &dropped)
    if written.hadAges || expiry != RowAges.never || layout.hasTimeToLive {
      state[record].setAges(of: leaves, row: record.rowInChunk, expiry: expiry, now: now)
    }
    return written
  }

  /// The leaves that say something, and that no later request has written.
  private mutating func leaves(
    of object: Int, _ layout: WriteLayout, of record: RecordReference, notIn newer: WrittenFields?,
    _ state: borrowing RecordState
  ) -> [WriteLayout.Leaf] {
    var member = MemberCursor(object, tape)
    var leaves: [WriteLayout.Leaf] = []
    for leaf in layout.leaves where !skipped.contains(member.move(to: leaf.position, tape)) {
      if (newer?.slots ?? 0) & 1 << UInt64(leaf.slot) == 0 {
        leaves.append(leaf)
      } else {
        noteLeft(FieldPlace(field: leaf.field, slot: leaf.slot), of: record, state)
      }
    }
    return leaves
  }

  /// A field is left as it is because a later request has written it; it may be stale all the same, or
  /// gone since.
  private mutating func noteLeft(
    _ place: FieldPlace, of record: RecordReference, _ state: borrowing RecordState
  ) {
    if state[record].ages.expiry(record.rowInChunk, place.field) == 0
      || state.cell(record, place).isAbsent
    {
      hasLeftStale = true
    }
  }

  /// Whether a member that is no leaf with a slot says nothing, or less than a later request.
  private mutating func passesOver(
    _ value: Int, _ member: WriteLayout.Other, _ place: FieldPlace, of record: RecordReference,
    _ state: inout RecordState
  ) -> Bool {
    if skipped.contains(value) { return true }
    guard let newer = newer[record], newer.contains(place) else { return false }
    noteLeft(place, of: record, state)
    let embedded = newer.embeddedType(place.field)
    let existing = embedded == nil ? .absent : state.cell(record, place)
    writeOlder(value, member, existing: existing, type: embedded, &state)
    return true
  }

  /// Writes a member that is no leaf with a slot, and notes its field if that has changed.
  @inline(__always)
  private mutating func writeOther(
    _ value: Int, _ member: WriteLayout.Other, of record: RecordReference, _ leaves: WrittenLeaves,
    _ slots: inout UInt64, _ fields: inout [FieldID], _ state: inout RecordState
  ) {
    guard let place = place(of: member, in: record),
      isPlain || !passesOver(value, member, place, of: record, &state),
      isChanged(byWriting: value, member, place, of: record, hadAges: leaves.hadAges, &state)
    else { return }
    if place.slot >= 0 { slots |= place.slotBit } else { fields.append(place.field) }
  }

  /// Writes the members of an object some of which are one field under several aliases.
  ///
  /// What comes with a key goes first: what comes without it, in the same place, is the same entity.
  private mutating func writeRepeated(
    _ object: Int, _ layout: WriteLayout, into record: RecordReference, _ leaves: WrittenLeaves,
    _ slots: inout UInt64, _ fields: inout [FieldID], _ state: inout RecordState
  ) {
    let members = layout.others.map { ($0, value: tape.value(object, at: $0.position)) }
    let keyed = members.map { hasKeys($0.value, $0.0) }
    var places: Set<FieldPlace> = []
    for ((member, value), isKeyed) in zip(members, keyed) where isKeyed {
      writeOther(value, member, of: record, leaves, &slots, &fields, &state)
      if let place = place(of: member, in: record) { places.insert(place) }
    }
    for ((member, value), isKeyed) in zip(members, keyed) where !isKeyed {
      isSelectedWithKey = place(of: member, in: record).map(places.contains) ?? false
      writeOther(value, member, of: record, leaves, &slots, &fields, &state)
      isSelectedWithKey = false
    }
  }

  /// Whether a value is an entity, or a list that begins with one.
  private mutating func hasKeys(_ value: Int, _ member: WriteLayout.Other) -> Bool {
    guard member.node >= 0 else { return false }
    switch tape[value].kind {
    case .object:
      return withLayout(of: value, member) { $0.hasKey(value, $1) }
    case .array:
      var element = tape.firstChild(value)
      for _ in 0..<tape.count(value) {
        if tape[element].kind != .null { return hasKeys(element, member) }
        element = tape.next(element)
      }
      return false
    case .null, .false, .true, .number, .string:
      return false
    }
  }

  /// Writes a member that is no leaf with a slot, and says whether its field has changed.
  @inline(__always)
  private mutating func isChanged(
    byWriting value: Int, _ member: WriteLayout.Other, _ place: FieldPlace,
    of record: RecordReference,
    hadAges: Bool, _ state: inout RecordState
  ) -> Bool {
    let isChanged =
      member.node >= 0
      ? writeComposite(value, member, place, of: record, &state)
      : writeLeaf(value, place, of: record, &state)
    if hadAges || expiry != RowAges.never || member.timeToLive >= 0 {
      let expiry = RowAges.expiry(member.timeToLive, now: now) ?? expiry
      state[record].ages.set(expiry, record.rowInChunk, place.field)
    }
    return isChanged
  }

  private mutating func writeLeaf(
    _ value: Int, _ place: FieldPlace, of record: RecordReference, _ state: inout RecordState
  ) -> Bool {
    let old = state.cell(record, place)
    if old.isReference || old.kind == .list {
      release(old, of: record, keeping: .absent, &state)
      state[record].setCell(.absent, record.rowInChunk, place)
    }
    return state[record].writeLeaf(tape[value], tape, record.rowInChunk, place)
  }

  /// Writes objects into a field and says whether it has changed.
  ///
  /// If the field's own record lies within the value, the field may have been written further in by
  /// then. Both say the same of it, so the outer one is merged into what the inner one has made; if
  /// they contradict each other, it stays.
  @inline(__always)
  private mutating func writeComposite(
    _ value: Int, _ member: WriteLayout.Other, _ place: FieldPlace, of record: RecordReference,
    _ state: inout RecordState
  ) -> Bool {
    var old = state.cell(record, place)
    for _ in 0..<3 {
      let changeCount = changes.changes.count
      let new = compositeCell(value, member, existing: old, owner: record, &state)
      // Whoever changes a record notes so.
      let current = changes.changes.count == changeCount ? old : state.cell(record, place)
      if current == old {
        guard new != old else { return false }
        if old.holdsMore, old.kind != .reference {
          release(old, of: record, keeping: new, &state)
        }
        state[record].setCell(new, record.rowInChunk, place)
        return true
      }
      // What was made is not needed. It may share rows and lists with what stays.
      contradicted.insert(record)
      dropped.formUnion(state[record].embeddedRecords(in: new))
      old = current
    }
    // Whoever changed it has noted so.
    return false
  }

  /// An object, a list, or null, as a cell; that of before if nothing is different.
  @inline(__always)
  private mutating func compositeCell(
    _ value: Int, _ member: WriteLayout.Other, existing: Cell, owner: RecordReference,
    isElement: Bool = false, _ state: inout RecordState
  ) -> Cell {
    switch tape[value].kind {
    case .object:
      return withLayout(of: value, member) { writer, layout in
        writer.writeObject(
          value, layout, member, existing: existing, owner: owner, isElement: isElement, &state)
      }
    case .array:
      return writeList(value, member, existing: existing, owner: owner, &state)
    case .null:
      return .null
    case .string, .number, .true, .false:
      noteNoObject(member.field)
      return .null
    }
  }

  private mutating func noteNoObject(_ field: ShapeField) {
    diagnostics.append(
      StoreDiagnostic(
        code: .noObject,
        message: "\(field.typename).\(field.name) is no object although fields of it are selected"))
  }
}

// MARK: - Lists

extension RecordWriter {
  private mutating func writeList(
    _ array: Int, _ member: WriteLayout.Other, existing: Cell, owner: RecordReference,
    _ state: inout RecordState
  ) -> Cell {
    let count = tape.count(array)
    let old =
      existing.kind == .list ? state[owner].lists[existing.list] : ContiguousArray<Cell>()
    var elements: ContiguousArray<Cell> = []
    elements.reserveCapacity(count)
    makeRoom(for: count, array, member, isNew: old.isEmpty, &state)
    var value = tape.firstChild(array)
    var failed: [Int] = []
    while elements.count < count {
      let index = elements.count
      let before = index < old.count ? old[index] : .absent
      if !skipped.isEmpty, skipped.contains(value) {
        failed.append(index)
        // An element without key may be another one than before.
        elements.append(isBelowElement ? .absent : before)
      } else if tape[value].kind == .object {
        value = withLayout(of: value, member) { writer, layout in
          writer.writeElements(
            value, layout, member, old, count: count, owner: owner, &elements, &state)
        }
        continue
      } else {
        elements.append(
          compositeCell(
            value, member, existing: before, owner: owner, isElement: true, &state))
      }
      value = tape.next(value)
    }
    var isSame = existing.kind == .list && elements == old
    // What an error made null is what it was, if it is the same list of entities.
    if !failed.isEmpty,
      !isSame || !elements.allSatisfy({ $0.kind == .reference || $0.kind == .null })
    {
      for index in failed { elements[index] = .absent }
      isSame = existing.kind == .list && elements == old
    }
    if isSame { return existing }
    if catalog.policies.schema != nil { noteDeclaredList(member.field, of: owner) }
    listFields.note(
      ListFields.Field(table: owner.table, name: member.field.name), elements, state)
    return state[owner].addList(elements)
  }

  /// Writes the elements of a list from one on, as long as they are objects of one layout.
  ///
  /// - Returns: the first one that is not.
  private mutating func writeElements(
    _ first: Int, _ layout: WriteLayout, _ member: WriteLayout.Other, _ old: ContiguousArray<Cell>,
    count: Int, owner: RecordReference, _ elements: inout ContiguousArray<Cell>,
    _ state: inout RecordState
  ) -> Int {
    var value = first
    repeat {
      let before = elements.count < old.count ? old[elements.count] : .absent
      elements.append(
        writeObject(
          value, layout, member, existing: before, owner: owner, isElement: true, &state))
      value = tape.next(value)
    } while elements.count < count && tape[value].kind == .object && layout.fits(value, tape)
      && (skipped.isEmpty || !skipped.contains(value))
    return value
  }

  /// Makes room for a list's entities, as far as the first element tells where they go.
  private mutating func makeRoom(
    for count: Int, _ array: Int, _ member: WriteLayout.Other, isNew: Bool,
    _ state: inout RecordState
  ) {
    let first = tape.firstChild(array)
    guard count > 256, tape[first].kind == .object else { return }
    // The elements, and some that they refer to.
    if isNew { changes.changes.reserveCapacity(changes.changes.count + count * 3 / 2) }
    let layout = layout(of: first, member)
    guard hasKey(first, layout) else { return }
    state.ensureTable(layout.table)
    state.tables[layout.table].reserveKeys(count)
  }
}
