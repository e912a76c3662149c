import Weir

extension RecordWriter {
  mutating func write(
    _ object: Int, _ layout: WriteLayout, into record: RecordReference, isNew: Bool,
    replaces: Bool, _ state: inout RecordState
  ) {
    let isNew = isNew || state.header(record).type == .removed
    var change = ChangeSet.Change(record: record, slots: 0, fields: [], isNew: isNew)
    change.changesType = state.header(record).type != layout.shape.type
    if replaces {
      noteLeftovers(object, layout, record, state)
    } else if !leftovers.isEmpty {
      keepLeftovers(object, layout, record)
    }
    let newer = self.newer.isEmpty ? nil : self.newer[record]
    let hadAges = notesAges && !state[record].ages.isEmpty
    let (slots, displaced) = state[record].writeLeaves(
      of: object, layout, row: record.rowInChunk, tape: tape, skipped: skipped,
      except: newer?.slots ?? 0, expiry: expiry, now: now)
    change.slots |= slots
    if !displaced.isEmpty { dropped.formUnion(displaced) }
    var member = MemberCursor(object, tape)
    for other in layout.others {
      writeOther(
        member.move(to: other.position, tape), other.field, layout.shape, newer, &change, &state)
    }
    if notesWrites { noteWrite(of: record, object, layout) }
    if hadAges || notesAges && !state[record].ages.isEmpty {
      noteRefresh(of: record, object, layout)
    }
    guard
      change.slots != 0 || !change.fields.isEmpty || isNew || change.changesType
    else { return }
    state[record].setHeader(
      RowHeader(version: version, type: layout.shape.type), of: record.rowInChunk)
    changes.changes.append(change)
  }

  /// A member that is no leaf with a slot.
  mutating func writeOther(
    _ value: Int, _ field: ShapeField, _ shape: Shape, _ newer: WrittenFields?,
    _ change: inout ChangeSet.Change, _ state: inout RecordState
  ) {
    guard let place = bindings.place(field.place, table: change.record.table),
      !skipped.contains(value)
    else { return }
    let record = change.record
    if let newer, newer.contains(place) {
      if let node = field.child {
        let embedded = newer.embeddedType(place.field)
        let existing = embedded == nil ? .absent : state.cell(change.record, place)
        writeOlder(
          value, node: node, parent: shape, field: field, existing: existing, type: embedded,
          &state)
      }
      return
    }
    let isChanged: Bool
    if let node = field.child {
      isChanged = writeComposite(
        value, node: node, parent: shape, field: field, place, of: record, &state)
    } else {
      let old = state.cell(record, place)
      if old.isReference || old.kind == .list {
        release(old, of: record, keeping: .absent, &state)
        state[record].setCell(.absent, record.rowInChunk, place)
      }
      isChanged = state[record].writeLeaf(tape[value], tape, record.rowInChunk, place)
    }
    noteAge(of: record, place.field, timeToLive: field.timeToLive, &state)
    if isChanged { change.add(place) }
  }

  /// Writes objects into a field and says whether it has changed.
  ///
  /// If the field's own record lies within the value, the field may have been written further in by
  /// then. Both say the same of it, so the outer one is merged into what the inner one has made; if
  /// they contradict each other, it stays.
  mutating func writeComposite(
    _ value: Int, node: SelectionNode, parent: Shape, field: ShapeField, _ place: FieldPlace,
    of record: RecordReference, _ state: inout RecordState
  ) -> Bool {
    let first = state.cell(record, place)
    var old = first
    for _ in 0..<3 {
      let new = compositeCell(
        value, node: node, parent: parent, field: field, existing: old, owner: record, &state)
      let current = state.cell(record, place)
      if current == old {
        guard new != old else { return false }
        release(old, of: record, keeping: new, &state)
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

  /// Writes what is below a field whose own value is newer: entities may be new all the same, and
  /// an object without key that all later responses had there, too, may have more fields.
  mutating func writeOlder(
    _ value: Int, node: SelectionNode, parent: Shape, field: ShapeField, existing: Cell = .absent,
    type: TypeID? = nil, _ state: inout RecordState
  ) {
    if tape[value].kind == .array {
      var element = tape.firstChild(value)
      for _ in 0..<tape.count(value) {
        writeOlder(element, node: node, parent: parent, field: field, &state)
        element = tape.next(element)
      }
    }
    guard tape[value].kind == .object else { return }
    let layout = layout(of: value, node: node, parent: parent, field: field)
    if layout.shape.type.rawValue < 3 {
      let root = RecordReference(table: Int(layout.shape.type.rawValue), row: 0)
      write(value, layout, into: root, isNew: false, replaces: false, &state)
    } else if let (record, isNew) = entity(of: value, layout, &state) {
      write(value, layout, into: record, isNew: isNew, replaces: false, &state)
    } else if existing.kind == .embedded, type == layout.shape.type,
      state.header(existing.record).type == type
    {
      write(value, layout, into: existing.record, isNew: false, replaces: false, &state)
    } else {
      for other in layout.others {
        let inner = other.field
        guard let node = inner.child else { continue }
        writeOlder(
          tape.value(value, at: other.position), node: node, parent: layout.shape, field: inner,
          &state)
      }
    }
  }

  /// Notes which fields a response knows, so that older ones leave them alone.
  mutating func noteWrite(
    of record: RecordReference, _ object: Int, _ layout: WriteLayout
  ) {
    var fields = WrittenFields()
    var member = MemberCursor(object, tape)
    for leaf in layout.leaves where !skipped.contains(member.move(to: leaf.position, tape)) {
      fields.insert(FieldPlace(field: leaf.field, slot: leaf.slot))
    }
    member = MemberCursor(object, tape)
    for other in layout.others {
      let value = member.move(to: other.position, tape)
      let field = other.field
      guard !skipped.contains(value),
        let place = bindings.place(field.place, table: record.table)
      else { continue }
      fields.insert(place)
      guard let node = field.child, tape[value].kind == .object else { continue }
      let inner = self.layout(of: value, node: node, parent: layout.shape, field: field)
      if !hasKey(value, inner) {
        fields.noteEmbedded(inner.shape.type, in: place.field)
      }
    }
    writes.append((record, fields))
  }

  mutating func noteRefresh(
    of record: RecordReference, _ object: Int, _ layout: WriteLayout
  ) {
    var change = ChangeSet.Change(record: record, slots: 0, fields: [])
    for place in places(of: object, layout, record) { change.add(place) }
    refreshed.changes.append(change)
  }

  func noteAge(
    of record: RecordReference, _ field: FieldID, timeToLive: Int64, _ state: inout RecordState
  ) {
    let expiry = RowAges.expiry(timeToLive, now: now) ?? expiry
    if expiry != RowAges.never || !state[record].ages.isEmpty {
      state[record].ages.set(expiry, record.rowInChunk, field)
    }
  }

  /// An object, a list, or null, as a cell; that of before if nothing is different.
  mutating func compositeCell(
    _ value: Int, node: SelectionNode, parent: Shape, field: ShapeField, existing: Cell,
    owner: RecordReference, isElement: Bool = false, _ state: inout RecordState
  ) -> Cell {
    switch tape[value].kind {
    case .object:
      return writeObject(
        value, layout(of: value, node: node, parent: parent, field: field), existing: existing,
        owner: owner, field: field, isElement: isElement, &state)
    case .array:
      return writeList(
        value, node: node, parent: parent, field: field, existing: existing, owner: owner, &state)
    case .null:
      return .null
    case .string, .number, .true, .false:
      diagnostics.append(
        StoreDiagnostic(
          code: .noObject,
          message:
            "\(parent.typename).\(field.name) is no object although fields of it are selected"
        ))
      return .null
    }
  }

  mutating func writeList(
    _ array: Int, node: SelectionNode, parent: Shape, field: ShapeField, existing: Cell,
    owner: RecordReference, _ state: inout RecordState
  ) -> Cell {
    let count = tape.count(array)
    let old =
      existing.kind == .list ? state[owner].lists[existing.list] : ContiguousArray<Cell>()
    var elements: ContiguousArray<Cell> = []
    elements.reserveCapacity(count)
    reserveKeys(count, array, node: node, parent: parent, field: field, &state)
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
        let layout = layout(of: value, node: node, parent: parent, field: field)
        value = writeElements(
          value, layout, node: node, old, count: count, owner: owner, field: field, &elements,
          &state)
        continue
      } else {
        elements.append(
          compositeCell(
            value, node: node, parent: parent, field: field, existing: before, owner: owner,
            isElement: true, &state))
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
    listFields.note(
      ListFields.Field(table: owner.table, name: field.name), elements, state, catalog)
    return state[owner].addList(elements)
  }

  /// Writes the elements of a list from one on, as long as they are objects of one layout.
  ///
  /// - Returns: the first one that is not.
  private mutating func writeElements(
    _ first: Int, _ layout: WriteLayout, node: SelectionNode, _ old: ContiguousArray<Cell>,
    count: Int, owner: RecordReference, field: ShapeField,
    _ elements: inout ContiguousArray<Cell>,
    _ state: inout RecordState
  ) -> Int {
    var value = first
    repeat {
      let before = elements.count < old.count ? old[elements.count] : .absent
      elements.append(
        writeObject(
          value, layout, existing: before, owner: owner, field: field, isElement: true, &state))
      value = tape.next(value)
    } while elements.count < count && tape[value].kind == .object && hasKnownLayout(value, node)
      && (skipped.isEmpty || !skipped.contains(value))
    return value
  }

  /// Makes room for a list's entities, as far as the first element tells where they go.
  private mutating func reserveKeys(
    _ count: Int, _ array: Int, node: SelectionNode, parent: Shape, field: ShapeField,
    _ state: inout RecordState
  ) {
    let first = tape.firstChild(array)
    guard count > 256, tape[first].kind == .object else { return }
    let layout = layout(of: first, node: node, parent: parent, field: field)
    guard hasKey(first, layout) else { return }
    state.ensureTable(layout.table)
    state.tables[layout.table].reserveKeys(count)
  }
}
