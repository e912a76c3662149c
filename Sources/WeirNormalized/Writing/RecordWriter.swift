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
  var writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)> = []
  var changes = ChangeSet()
  /// Whether to note what is younger now, and perhaps the same: a storage has to hear of it.
  var notesAges = false
  var refreshed = ChangeSet()
  var diagnostics: [StoreDiagnostic] = []

  /// The lists that it has met.
  var listFields = ListFields()

  var memos: ContiguousArray<WriteMemo> = []
  var earlierMemos = EarlierMemos()
  /// Objects without keys in lists, as far as this batch has written them: written once more, they
  /// merge.
  var written: Set<RecordReference> = []
  /// Whether what is written belongs to an element of a list, not to an entity.
  var isBelowElement = false
  /// Fields of such objects that were there before and have not been written again.
  var leftovers: [RecordReference: Set<FieldPlace>] = [:]
  /// Embedded records that nothing refers to any more. They go at the end: an object may lie within
  /// itself, and whoever writes it further out still has them in hand.
  var dropped: Set<RecordReference> = []
  /// Records that the response has said different things of. What became of their rows and lists is
  /// looked at in the end.
  var contradicted: Set<RecordReference> = []

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
    layout.shape.assumptions?.learn(from: object, of: type, tape, bindings)
    write(object, layout, into: record, isNew: false, replaces: false, &state)
    removeLeftovers(&state)
  }
}

// MARK: - Objects

extension RecordWriter {
  /// Writes an object and answers with the cell that refers to it.
  ///
  /// `existing` is what the place holds that the object is written to: an object without key goes
  /// on where the last one was, or becomes a part of the owner's field.
  mutating func writeObject(
    _ object: Int, _ layout: WriteLayout, existing: Cell, owner: RecordReference,
    field: ShapeField, isElement: Bool, _ state: inout RecordState
  ) -> Cell {
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
    guard let place = bindings.place(field.place, table: owner.table) else { return .null }
    let record = state.makeEmbedded(
      RowHeader(version: version, type: type), table: layout.table, owner: owner, place.field)
    if isBelowElement { written.insert(record) }
    write(object, layout, into: record, isNew: true, replaces: false, &state)
    return Cell(.embedded, low: record.bits)
  }

  /// The record of an object that has a key.
  @inline(__always)
  mutating func entity(
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

  func hasKey(_ object: Int, _ layout: WriteLayout) -> Bool {
    if layout.keyPositions.count == 1 {
      let cell = tape[tape.value(object, at: layout.keyPositions[0])]
      return (cell.kind == .string || cell.kind == .number) && cell.length > 0
    }
    return slowKey(of: object, layout) != nil
  }

  /// A key of several fields, of a closure, or with escapes. Components are written as JSON, so
  /// that no two entities can collide.
  func slowKey(of object: Int, _ layout: WriteLayout) -> [UInt8]? {
    if layout.shape.keyClosure != nil { return computedKeys[object] }
    guard !layout.keyPositions.isEmpty else { return nil }
    let values = layout.keyPositions.map { tape[tape.value(object, at: $0)] }
    return EntityKeyText.make(values.map { EntityKeyText.component($0, tape) })
  }

  mutating func layout(
    of object: Int, node: SelectionNode, parent: Shape, field: ShapeField
  ) -> WriteLayout {
    if hasKnownLayout(object, node), let layout = memos[node.number].layout { return layout }
    if let memo = earlierMemos.memo(of: object, node: node.number, tape), let layout = memo.layout {
      memos[node.number] = memo
      return layout
    }
    return makeLayout(
      of: object, keyList: tape.keyList(object), node: node, parent: parent, field: field)
  }

  /// Whether an object has the keys and the type of the last one of its node.
  @inline(__always)
  func hasKnownLayout(_ object: Int, _ node: SelectionNode) -> Bool {
    node.number < memos.count && memos[node.number].fits(object, tape)
  }

  @inline(never)
  mutating func makeLayout(
    of object: Int, keyList: Int, node: SelectionNode, parent: Shape, field: ShapeField
  ) -> WriteLayout {
    var memo = WriteMemo()
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
          StoreDiagnostic(
            code: .noTypename,
            message: "An object in \(parent.typename).\(field.name) has no __typename."))
      }
    }
    let layout = WriteLayout(
      shape: bindings.shape(node, type), table: catalog.table(of: type), tape: tape,
      keyList: keyList)
    if layout.keyPositions.isEmpty, type != .nameless, type.rawValue > 3,
      catalog.configuration.onDiagnostic != nil, catalog.expectsKey(of: layout.shape.typename)
    {
      diagnostics.append(
        StoreDiagnostic(
          code: .noKey,
          message: "\(parent.typename).\(field.name) has an object of the type "
            + "\(layout.shape.typename) without a key."))
    }
    if let assumptions = layout.shape.assumptions {
      assumptions.learn(from: object, of: type, tape, bindings)
    } else {
      // What was assumed may become known with the next object; only the certain is kept.
      memo.keyList = keyList
      memo.layout = layout
    }
    while memos.count <= node.number { memos.append(WriteMemo()) }
    memos[node.number] = memo
    earlierMemos.keep(memo, node: node.number)
    return layout
  }

  /// The member that is the type's name, under whichever alias.
  func typename(
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
