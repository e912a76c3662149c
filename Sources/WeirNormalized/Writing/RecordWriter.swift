import Weir

/// Merges one response, or one piece of data written by hand, into the records.
///
/// One pass over the tape. Each object is looked at twice: its leaves go to its row in one go, then
/// its objects and lists. A write adds and replaces fields and removes none, but for the elements
/// of lists that have no keys, which are replaced as a whole: the server may have reordered them.
struct RecordWriter {
  let catalog: Catalog
  var bindings: Bindings
  let tape: JSONTape
  /// Cells that an error made null: they say nothing about the data.
  let skipped: Set<Int>
  /// Keys that closures made, by the objects' cells.
  let computedKeys: [Int: [UInt8]]
  let version: UInt64
  /// When what is written becomes stale.
  var expiry = RowAges.never
  /// Milliseconds of the store's clock; ``RowAges/never`` for what does not age, such as layers.
  var now = RowAges.never
  /// Fields that a later request has written already: its response came first.
  var newer: [RecordReference: WrittenFields] = [:]
  /// Whether to note what is written, because requests that were sent earlier are still under way.
  var notesWrites = false
  private(set) var writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)> = []
  private(set) var changes = ChangeSet()
  private(set) var diagnostics: [WriteDiagnostic] = []

  /// The lists that it has met.
  private(set) var listFields = ListFields()

  private var memos: ContiguousArray<WriteMemo> = []
  /// The members of the objects that are being written, one after the other.
  private var members: ContiguousArray<Int> = []
  /// Objects without keys in lists, as far as this batch has written them: written once more, they
  /// merge.
  private var written: Set<RecordReference> = []
  /// Whether what is written belongs to an element of a list, not to an entity.
  private var isBelowElement = false
  /// Fields of such objects that were there before and have not been written again.
  private var leftovers: [RecordReference: Set<FieldPlace>] = [:]
  /// Embedded records that nothing refers to any more. They go at the end: an object may lie within
  /// itself, and whoever writes it further out still has them in hand.
  private var dropped: Set<RecordReference> = []

  init(
    catalog: Catalog, bindings: Bindings, tape: JSONTape, version: UInt64,
    skipped: Set<Int> = [], computedKeys: [Int: [UInt8]] = [:]
  ) {
    self.catalog = catalog
    self.bindings = bindings
    self.tape = tape
    self.version = version
    self.skipped = skipped
    self.computedKeys = computedKeys
  }

  /// Writes an object's members into a record that is known: a root, or an entity.
  mutating func write(
    _ object: Int, node: SelectionNode, into record: RecordReference, type: TypeID, isRoot: Bool,
    _ state: inout RecordState
  ) {
    let keyList = tape.keyList(object)
    let layout = WriteLayout(
      shape: bindings.shape(node, type, isRoot: isRoot), table: record.table, tape: tape,
      keyList: keyList)
    if layout.shape.assumedVersion != nil {
      layout.learn(from: tape, keyList: keyList, catalog: catalog)
    }
    write(object, layout, into: record, isNew: false, replaces: false, &state)
    removeLeftovers(&state)
  }
}

// MARK: - Objects

extension RecordWriter {
  /// Writes an object and answers with the cell that refers to it.
  ///
  /// `existing` is what the place holds that the object is written to: an object without key goes
  /// on where the last one was.
  private mutating func writeObject(
    _ object: Int, node: SelectionNode, parent: Shape, field: ShapeField, existing: Cell,
    isElement: Bool, _ state: inout RecordState
  ) -> Cell {
    let layout = layout(of: object, node: node, parent: parent, field: field)
    let type = layout.shape.type
    let wasBelowElement = isBelowElement
    defer { isBelowElement = wasBelowElement }
    if type.rawValue < 3 {
      isBelowElement = false
      let root = RecordReference(table: Int(type.rawValue), row: 0)
      write(object, layout, into: root, isNew: false, replaces: false, &state)
      return Cell(.reference, low: root.bits)
    }
    if let (record, isNew) = entity(of: object, layout, &state) {
      isBelowElement = false
      write(object, layout, into: record, isNew: isNew, replaces: false, &state)
      return Cell(.reference, low: record.bits)
    }
    if isElement { isBelowElement = true }
    if existing.kind == .embedded, state.header(existing.record).type == type {
      let isFirst = isBelowElement && written.insert(existing.record).inserted
      write(object, layout, into: existing.record, isNew: false, replaces: isFirst, &state)
      return existing
    }
    state.ensureTable(layout.table)
    let row = state.tables[layout.table].makeRow(RowHeader(version: version, type: type))
    let record = RecordReference(table: layout.table, row: row)
    if isBelowElement { written.insert(record) }
    write(object, layout, into: record, isNew: true, replaces: false, &state)
    return Cell(.embedded, low: record.bits)
  }

  /// The record of an object that has a key.
  @inline(__always)
  private mutating func entity(
    of object: Int, _ layout: WriteLayout, _ state: inout RecordState
  ) -> (RecordReference, isNew: Bool)? {
    let header = RowHeader(version: version, type: layout.shape.type)
    func find(_ key: UnsafeBufferPointer<UInt8>) -> (RecordReference, isNew: Bool) {
      state.ensureTable(layout.table)
      let (row, isNew) = state.tables[layout.table].findOrMakeRow(
        of: key, seed: state.seed, header: header)
      return (RecordReference(table: layout.table, row: row), isNew)
    }
    if layout.keyPositions.count == 1 {
      let cell = tape[tape.value(object, at: layout.keyPositions[0])]
      guard cell.kind == .string || cell.kind == .number, cell.length > 0 else { return nil }
      if !cell.isMarked { return find(tape.text(cell)) }
    }
    guard let key = slowKey(of: object, layout) else { return nil }
    return key.withUnsafeBufferPointer(find)
  }

  private func hasKey(_ object: Int, _ layout: WriteLayout) -> Bool {
    if layout.keyPositions.count == 1 {
      let cell = tape[tape.value(object, at: layout.keyPositions[0])]
      return (cell.kind == .string || cell.kind == .number) && cell.length > 0
    }
    return slowKey(of: object, layout) != nil
  }

  /// A key of several fields, of a closure, or with escapes. Components are written as JSON, so
  /// that no two entities can collide.
  private func slowKey(of object: Int, _ layout: WriteLayout) -> [UInt8]? {
    if layout.shape.keyClosure != nil { return computedKeys[object] }
    guard !layout.keyPositions.isEmpty else { return nil }
    let values = layout.keyPositions.map { tape[tape.value(object, at: $0)] }
    return EntityKeyText.make(values.map { EntityKeyText.component($0, tape) })
  }

  private mutating func layout(
    of object: Int, node: SelectionNode, parent: Shape, field: ShapeField
  ) -> WriteLayout {
    let keyList = tape.keyList(object)
    if node.number < memos.count, memos[node.number].keyList == keyList,
      let layout = memos[node.number].layout
    {
      let position = memos[node.number].typenamePosition
      if position < 0 { return layout }
      let cell = tape[tape.value(object, at: position)]
      let isSame = memos[node.number].typename.withUnsafeBufferPointer {
        tape.matches(cell, $0)
      }
      if isSame { return layout }
    }
    return makeLayout(of: object, keyList: keyList, node: node, parent: parent, field: field)
  }

  @inline(never)
  private mutating func makeLayout(
    of object: Int, keyList: Int, node: SelectionNode, parent: Shape, field: ShapeField
  ) -> WriteLayout {
    var memo = WriteMemo(keyList: keyList)
    let type: TypeID
    if let (position, name) = typename(of: object, keyList: keyList, node: node),
      let known = catalog.objectType(named: name)
    {
      memo.typenamePosition = position
      memo.typename = Array(name.utf8)
      type = known
    } else {
      type = catalog.declaredType(of: field.name, on: parent.typename)
      if type == .nameless {
        diagnostics.append(
          WriteDiagnostic(
            code: .nameless,
            message: "An object in \(parent.typename).\(field.name) has no __typename."))
      }
    }
    let layout = WriteLayout(
      shape: bindings.shape(node, type), table: catalog.table(of: type), tape: tape,
      keyList: keyList)
    if layout.shape.assumedVersion != nil {
      layout.learn(from: tape, keyList: keyList, catalog: catalog)
    } else {
      // What was assumed may become known with the next object; only the certain is kept.
      memo.layout = layout
    }
    while memos.count <= node.number { memos.append(WriteMemo()) }
    memos[node.number] = memo
    return layout
  }

  /// The member that is the type's name, under whichever alias.
  private func typename(
    of object: Int, keyList: Int, node: SelectionNode
  ) -> (position: Int, name: String)? {
    for key in node.typenameKeys {
      guard let position = key.withUnsafeBufferPointer({ tape.position(of: $0, in: keyList) })
      else { continue }
      let cell = tape[tape.value(object, at: position)]
      if cell.kind == .string, cell.length > 0 { return (position, tape.string(cell)) }
    }
    return nil
  }
}

// MARK: - Members

extension RecordWriter {
  private mutating func write(
    _ object: Int, _ layout: WriteLayout, into record: RecordReference, isNew: Bool,
    replaces: Bool, _ state: inout RecordState
  ) {
    let start = members.count
    var child = tape.firstChild(object)
    for _ in 0..<tape.keyCount(tape.keyList(object)) {
      members.append(child)
      child = tape.next(child)
    }
    let isNew = isNew || state.header(record).type == .removed
    var change = ChangeSet.Change(record: record, slots: 0, fields: [], isNew: isNew)
    change.changesType = state.header(record).type != layout.shape.type
    if replaces {
      noteLeftovers(layout, record, from: start, state)
    } else if !leftovers.isEmpty {
      keepLeftovers(layout, record, from: start)
    }
    let newer = self.newer.isEmpty ? nil : self.newer[record]
    writeLeaves(layout, from: start, except: newer?.slots ?? 0, &change, &state)
    for index in layout.others.indices {
      let other = layout.others[index]
      writeOther(
        members[start + other.position], layout.shape.fields[other.field], layout.shape, newer,
        &change, &state)
    }
    if notesWrites { noteWrite(of: record, layout, from: start) }
    members.removeSubrange(start...)
    guard
      change.slots != 0 || !change.fields.isEmpty || isNew || change.changesType
    else { return }
    state[record].setHeader(
      RowHeader(version: version, type: layout.shape.type), of: record.rowInChunk)
    changes.changes.append(change)
  }

  @inline(__always)
  private func writeLeaves(
    _ layout: WriteLayout, from start: Int, except newer: UInt64, _ change: inout ChangeSet.Change,
    _ state: inout RecordState
  ) {
    let row = change.record.rowInChunk
    let slots = state[change.record].writeLeaves(
      layout, row: row, tape: tape, members: members, from: start, skipped: skipped,
      except: newer, expiry: expiry, now: now)
    change.slots |= slots
  }

  /// A member that is no leaf with a slot.
  private mutating func writeOther(
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
  private mutating func writeComposite(
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
      if new != old { discard(new, of: record, &state) }
      old = current
    }
    // Whoever changed it has noted so.
    return false
  }

  /// A cell that was made and is not needed.
  private mutating func discard(
    _ cell: Cell, of record: RecordReference, _ state: inout RecordState
  ) {
    if cell.kind == .embedded { dropped.insert(cell.record) }
    guard cell.kind == .list else { return }
    var embedded: Set<UInt64> = []
    collectEmbedded(cell, of: record, into: &embedded, state)
    for bits in embedded { dropped.insert(RecordReference(bits: bits)) }
    state[record].vacateList(cell.list)
  }

  /// Writes what is below a field whose own value is newer: entities may be new all the same, and
  /// an object without key that all later responses had there, too, may have more fields.
  private mutating func writeOlder(
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
        let inner = layout.shape.fields[other.field]
        guard let node = inner.child else { continue }
        writeOlder(
          tape.value(value, at: other.position), node: node, parent: layout.shape, field: inner,
          &state)
      }
    }
  }

  /// Notes which fields a response knows, so that older ones leave them alone.
  private mutating func noteWrite(
    of record: RecordReference, _ layout: WriteLayout, from start: Int
  ) {
    var fields = WrittenFields()
    for leaf in layout.leaves where !skipped.contains(members[start + leaf.position]) {
      fields.insert(FieldPlace(field: leaf.field, slot: leaf.slot))
    }
    for other in layout.others {
      let value = members[start + other.position]
      let field = layout.shape.fields[other.field]
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

  private func noteAge(
    of record: RecordReference, _ field: FieldID, timeToLive: Int64, _ state: inout RecordState
  ) {
    let expiry = RowAges.expiry(timeToLive, now: now) ?? expiry
    if expiry != RowAges.never || !state[record].ages.isEmpty {
      state[record].ages.set(expiry, record.rowInChunk, field)
    }
  }

  /// An object, a list, or null, as a cell; that of before if nothing is different.
  private mutating func compositeCell(
    _ value: Int, node: SelectionNode, parent: Shape, field: ShapeField, existing: Cell,
    owner: RecordReference, isElement: Bool = false, _ state: inout RecordState
  ) -> Cell {
    switch tape[value].kind {
    case .object:
      return writeObject(
        value, node: node, parent: parent, field: field, existing: existing,
        isElement: isElement, &state)
    case .array:
      return writeList(
        value, node: node, parent: parent, field: field, existing: existing, owner: owner, &state)
    case .null:
      return .null
    case .string, .number, .true, .false:
      diagnostics.append(
        WriteDiagnostic(
          code: .noObject,
          message:
            "\(parent.typename).\(field.name) is no object although fields of it are selected"
        ))
      return .null
    }
  }

  private mutating func writeList(
    _ array: Int, node: SelectionNode, parent: Shape, field: ShapeField, existing: Cell,
    owner: RecordReference, _ state: inout RecordState
  ) -> Cell {
    let count = tape.count(array)
    let old =
      existing.kind == .list ? state[owner].lists[existing.list] : ContiguousArray<Cell>()
    var elements: ContiguousArray<Cell> = []
    elements.reserveCapacity(count)
    var value = tape.firstChild(array)
    var isSame = count == old.count && existing.kind == .list
    var failed: [Int] = []
    for index in 0..<count {
      let before = index < old.count ? old[index] : .absent
      let new: Cell
      if !skipped.isEmpty, skipped.contains(value) {
        new = before
        failed.append(index)
      } else {
        new = compositeCell(
          value, node: node, parent: parent, field: field, existing: before, owner: owner,
          isElement: true, &state)
      }
      if new != before { isSame = false }
      elements.append(new)
      value = tape.next(value)
    }
    // What an error made null is what it was, if it is the same list of entities.
    if !failed.isEmpty,
      !isSame || !elements.allSatisfy({ $0.kind == .reference || $0.kind == .null })
    {
      for index in failed { elements[index] = .absent }
      isSame = existing.kind == .list && elements == old
    }
    if isSame { return existing }
    noteList(elements, of: owner, field, state)
    return state[owner].addList(elements)
  }

  /// Notes what a list holds: entities, or objects such as edges that refer to entities.
  private mutating func noteList(
    _ elements: ContiguousArray<Cell>, of owner: RecordReference, _ field: ShapeField,
    _ state: RecordState
  ) {
    let list = ListFields.Field(table: owner.table, name: field.name)
    guard let first = elements.first(where: \.isReference) else { return }
    if first.kind == .reference {
      listFields.note(list, elementTable: first.record.table)
    } else {
      for place in state.places(of: first.record, catalog) {
        let cell = state.cell(first.record, place)
        if cell.kind == .reference { listFields.note(list, elementTable: cell.record.table) }
      }
    }
  }
}

// MARK: - Removal

extension RecordWriter {
  /// Gives back what a cell referred to that is replaced, but for what the new one refers to.
  private mutating func release(
    _ old: Cell, of record: RecordReference, keeping new: Cell, _ state: inout RecordState
  ) {
    switch old.kind {
    case .embedded where old != new:
      dropped.insert(old.record)
    case .list:
      var kept: Set<UInt64> = []
      if new.kind == .list { collectEmbedded(new, of: record, into: &kept, state) }
      var former: Set<UInt64> = []
      collectEmbedded(old, of: record, into: &former, state)
      for bits in former.subtracting(kept) { dropped.insert(RecordReference(bits: bits)) }
      // The lists of lists that are still in use are shared by value, so only this one goes.
      releaseList(old, of: record, keeping: new, &state)
    default:
      state[record].release(old)
    }
    state[record].compactText()
  }

  private func releaseList(
    _ old: Cell, of record: RecordReference, keeping new: Cell, _ state: inout RecordState
  ) {
    var inner: Set<UInt64> = []
    if new.kind == .list { collectLists(new, of: record, into: &inner, state) }
    releaseLists(old, of: record, keeping: inner, &state)
  }

  private func collectLists(
    _ list: Cell, of record: RecordReference, into places: inout Set<UInt64>, _ state: RecordState
  ) {
    places.insert(list.low)
    for element in state[record].lists[list.list] where element.kind == .list {
      collectLists(element, of: record, into: &places, state)
    }
  }

  private func releaseLists(
    _ list: Cell, of record: RecordReference, keeping kept: Set<UInt64>,
    _ state: inout RecordState
  ) {
    guard !kept.contains(list.low) else { return }
    for element in state[record].lists[list.list] where element.kind == .list {
      releaseLists(element, of: record, keeping: kept, &state)
    }
    state[record].releaseOnly(list)
  }

  private func collectEmbedded(
    _ cell: Cell, of record: RecordReference, into found: inout Set<UInt64>, _ state: RecordState
  ) {
    guard cell.kind == .list else { return }
    for element in state[record].lists[cell.list] {
      if element.kind == .embedded { found.insert(element.low) }
      if element.kind == .list { collectEmbedded(element, of: record, into: &found, state) }
    }
  }

  /// Notes the fields of a list's element that the new element does not have.
  private mutating func noteLeftovers(
    _ layout: WriteLayout, _ record: RecordReference, from start: Int, _ state: RecordState
  ) {
    let others = Set(state.places(of: record, catalog))
      .subtracting(places(of: layout, record, from: start))
    if !others.isEmpty { leftovers[record] = others }
  }

  /// The element is written once more, with other fields.
  private mutating func keepLeftovers(
    _ layout: WriteLayout, _ record: RecordReference, from start: Int
  ) {
    guard let others = leftovers[record] else { return }
    let remaining = others.subtracting(places(of: layout, record, from: start))
    leftovers[record] = remaining.isEmpty ? nil : remaining
  }

  /// The places of all members that an object has, but for those that an error made null.
  private mutating func places(
    of layout: WriteLayout, _ record: RecordReference, from start: Int
  ) -> [FieldPlace] {
    var places: [FieldPlace] = []
    for leaf in layout.leaves where !skipped.contains(members[start + leaf.position]) {
      places.append(FieldPlace(field: leaf.field, slot: leaf.slot))
    }
    for other in layout.others where !skipped.contains(members[start + other.position]) {
      if let place = bindings.place(layout.shape.fields[other.field].place, table: record.table) {
        places.append(place)
      }
    }
    return places
  }

  /// Removes what elements had before and have no more, and what nothing refers to any more.
  private mutating func removeLeftovers(_ state: inout RecordState) {
    for (record, places) in leftovers where !dropped.contains(record) {
      var change = ChangeSet.Change(record: record, slots: 0, fields: [])
      for place in places {
        release(state.cell(record, place), of: record, keeping: .absent, &state)
        state[record].setCell(.absent, record.rowInChunk, place)
        change.add(place)
      }
      state[record].setHeader(
        RowHeader(version: version, type: state.header(record).type), of: record.rowInChunk)
      changes.changes.append(change)
    }
    leftovers = [:]
    for record in dropped where !state.header(record).isFree {
      state.freeEmbedded(record) { removed in
        changes.changes.append(
          ChangeSet.Change(record: removed, slots: .max, fields: [], isRemoved: true))
      }
    }
    dropped = []
  }
}

extension ChangeSet.Change {
  mutating func add(_ place: FieldPlace) {
    if place.slot >= 0 {
      slots |= 1 << UInt64(min(place.slot, 63))
    } else {
      fields.append(place.field)
    }
  }
}

/// Which fields of a record a response has written.
struct WrittenFields {
  /// A bit for each slot.
  var slots: UInt64 = 0
  /// All of them, those with slots included.
  private var fields: Set<FieldID> = []
  /// Those that hold an object without key: of which type.
  private var embedded: [FieldID: TypeID] = [:]

  mutating func insert(_ place: FieldPlace) {
    if place.slot >= 0 { slots |= 1 << UInt64(place.slot) }
    fields.insert(place.field)
  }

  func contains(_ place: FieldPlace) -> Bool { fields.contains(place.field) }

  func contains(_ field: FieldID) -> Bool { fields.contains(field) }

  /// The field's value is an object without key.
  mutating func noteEmbedded(_ type: TypeID, in field: FieldID) { embedded[field] = type }

  /// The type of the object without key that every response had in the field; nil if any had
  /// something else.
  func embeddedType(_ field: FieldID) -> TypeID? { embedded[field] }

  mutating func formUnion(_ other: WrittenFields) {
    slots |= other.slots
    for (field, type) in embedded where other.contains(field) && other.embedded[field] != type {
      embedded[field] = nil
    }
    for (field, type) in other.embedded where !fields.contains(field) { embedded[field] = type }
    fields.formUnion(other.fields)
  }
}

/// Something about data that is probably a mistake: of the server, or of the configuration.
struct WriteDiagnostic {
  enum Code { case noObject, nameless }

  let code: Code
  let message: String
}
