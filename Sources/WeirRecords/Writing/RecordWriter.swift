package import Weir

/// Merges one response, or data written by hand, into the records.
///
/// It passes over the tape once. Each object is looked at twice: first its leaves are written to
/// its row together, then its objects and lists. A write adds and replaces fields and removes none,
/// except that keyless elements of lists are replaced entirely: the server may have reordered them.
package struct RecordWriter {
  package let catalog: Catalog
  package var bindings: Bindings
  package let tape: JSONTape
  /// The cells that an error made null. They contain no data.
  package let skipped: Set<Int>
  /// The keys that closures have computed, by the objects' cells.
  let computedKeys: [Int: [UInt8]]
  package let version: UInt64
  /// When what is written becomes stale, if its type and field have no time to live.
  package var expiry = RowAges.never
  /// When all that is written becomes stale at the latest.
  package var latestExpiry = RowAges.never
  /// Milliseconds of the store's clock; ``RowAges/never`` for data that does not age, such as
  /// layers.
  package var now = RowAges.never
  /// Fields that a later request has already written, because its response arrived first.
  package var newer: [RecordReference: WrittenFields] = [:]
  /// Whether one of those fields is nevertheless stale, for example a list that was changed after
  /// its invalidation, or is missing because it was evicted.
  package var hasLeftStale = false
  /// Whether a field whose value is not an object, although it should be, stays as it was. Otherwise it
  /// becomes null, as a server has said.
  package var keepsMistakenFields = false
  /// Whether to note the written fields, because requests that were sent earlier are in flight.
  package var notesWrites = false
  package var writes: ContiguousArray<(record: RecordReference, fields: WrittenFields)> = []
  package var changes = ChangeSet()
  /// Whether to note data that was refreshed but may be unchanged: a storage must know of it.
  package var notesAges = false
  package var refreshed = ChangeSet()
  package var diagnostics: [StoreDiagnostic] = []

  /// The lists that were written.
  package var listFields = ListFields()
  /// The lists among them for which the schema's declaration was noted.
  var declaredLists: Set<ListFields.Field> = []

  var layouts = KnownLayouts()
  /// Keyless elements of lists that this batch has written. Written again, they are merged.
  package var written: Set<RecordReference> = []
  /// Fields of keyless elements that existed before and have not been written again.
  var leftovers: [RecordReference: Set<FieldPlace>] = [:]
  /// Embedded records without references. They are removed at the end: a write further out may
  /// still use them.
  var dropped: Set<RecordReference> = []
  /// Whether only the data itself has to be considered, which is nearly always the case.
  @inline(__always)
  var isPlain: Bool { newer.isEmpty && skipped.isEmpty && !limitsAge }

  /// The fields whose values are being written, of those that may be found again within them.
  var openFields: Set<OpenField> = []
  /// The objects in these fields whose members are still to be written, innermost field last.
  var postponed: [PostponedObject] = []

  package init(
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

  /// Writes an object's members into a known record: a root or an entity.
  package mutating func write(
    _ object: Int, node: SelectionNode, into record: RecordReference, type: TypeID, isRoot: Bool,
    _ state: inout RecordState
  ) {
    let keyList = tape.keyList(object)
    let layout = WriteLayout(
      shape: bindings.shape(node, type, isRoot: isRoot), table: record.table, tape: tape,
      keyList: keyList)
    layout.shape.assumptions?.learn(from: object, of: type, tape, bindings)
    noteUnknownMembers(layout)
    write(object, layout, into: record, isNew: false, WriteContext(), &state)
    removeLeftovers(&state)
  }
}

/// How a value that is being written belongs to the objects around it.
struct WriteContext {
  /// Whether it belongs to an element of a list, not to an entity.
  var isBelowElement = false
  /// Whether it is itself an element of a list.
  var isElement = false
  /// Whether its field was just written with a key, under another alias.
  var isSelectedWithKey = false
  /// Whether the members of the field's objects are written when the field has its value.
  var postpones = false
}

/// A field whose value is being written.
struct OpenField: Hashable {
  let record: RecordReference
  let field: FieldID
}

/// An object whose record is known, and whose members are still to be written.
struct PostponedObject {
  let object: Int
  let layout: WriteLayout
  let record: RecordReference
  let isNew: Bool
  let context: WriteContext
}

// MARK: - Objects

extension RecordWriter {
  /// Writes an object and returns the cell that refers to it.
  ///
  /// `existing` is the current value in that place: an object without a key continues the existing
  /// object, or becomes part of the owner's field.
  @inline(__always)
  mutating func writeObject(
    _ object: Int, _ layout: WriteLayout, _ member: WriteLayout.Other, existing: Cell,
    owner: RecordReference, _ context: WriteContext, _ state: inout RecordState
  ) -> Cell {
    if let (record, isNew) = entity(of: object, layout, likely: existing, &state) {
      if context.postpones || isNew || !isStored(object, layout, in: record, state) {
        writeMembers(
          of: object, layout, to: record, isNew: isNew, context, WriteContext(), &state)
      }
      return Cell(.reference, low: record.bits)
    }
    if context.isSelectedWithKey, existing.kind == .reference, existing.record.table == layout.table
    {
      writeMembers(
        of: object, layout, to: existing.record, isNew: false, context, WriteContext(), &state)
      return existing
    }
    return writeEmbedded(
      object, layout, member, existing: existing, owner: owner, context, &state)
  }

  /// Writes the members of an object now or, if its field asks for it, later.
  @inline(__always)
  private mutating func writeMembers(
    of object: Int, _ layout: WriteLayout, to record: RecordReference, isNew: Bool,
    _ context: WriteContext, _ inner: WriteContext, _ state: inout RecordState
  ) {
    if context.postpones {
      postponed.append(
        PostponedObject(
          object: object, layout: layout, record: record, isNew: isNew, context: inner))
    } else {
      write(object, layout, into: record, isNew: isNew, inner, &state)
    }
  }

  /// Whether a comparison is enough to see that an object contains nothing new.
  @inline(__always)
  private mutating func isStored(
    _ object: Int, _ layout: WriteLayout, in record: RecordReference,
    _ state: borrowing RecordState
  ) -> Bool {
    layout.others.isEmpty && layout.isPlain && isPlain && !notesWrites && leftovers.isEmpty
      && state[record].holdsLeaves(of: object, layout, row: record.rowInChunk, tape)
  }

  private mutating func writeEmbedded(
    _ object: Int, _ layout: WriteLayout, _ member: WriteLayout.Other, existing: Cell,
    owner: RecordReference, _ context: WriteContext, _ state: inout RecordState
  ) -> Cell {
    let type = layout.shape.type
    let inner = WriteContext(isBelowElement: context.isBelowElement || context.isElement)
    if existing.kind == .embedded, state.header(existing.record).type == type {
      if inner.isBelowElement, written.insert(existing.record).inserted {
        noteLeftovers(object, layout, existing.record, state)
      }
      writeMembers(
        of: object, layout, to: existing.record, isNew: false, context, inner, &state)
      return existing
    }
    guard let place = place(of: member, in: owner) else { return .null }
    let record = state.makeEmbedded(
      RowHeader(version: version, type: type), table: layout.table, owner: owner, place.field)
    if inner.isBelowElement { written.insert(record) }
    writeMembers(of: object, layout, to: record, isNew: true, context, inner, &state)
    return Cell(.embedded, low: record.bits)
  }

  /// The record of an object that has a key or is a root.
  ///
  /// `likely` is the previous cell in the object's place, which often refers to the same entity.
  @inline(__always)
  package mutating func entity(
    of object: Int, _ layout: WriteLayout, likely: Cell = .absent, _ state: inout RecordState
  ) -> (RecordReference, isNew: Bool)? {
    if layout.keyPosition >= 0, !layout.isRoot {
      let cell = tape[tape.value(object, at: layout.keyPosition)]
      guard cell.isKey else { return nil }
      if !cell.isMarked {
        return find(RecordKey(cell, tape), layout, likely: likely, &state)
      }
    }
    return slowEntity(of: object, layout, &state)
  }

  @inline(never)
  private mutating func slowEntity(
    of object: Int, _ layout: WriteLayout, _ state: inout RecordState
  ) -> (RecordReference, isNew: Bool)? {
    if layout.isRoot {
      return (RecordReference(table: Int(layout.shape.type.rawValue), row: 0), false)
    }
    // Proof: the key lives until the closure returns, and the table copies it.
    return slowKey(of: object, layout)?.withUnsafeBufferPointer {
      find(RecordKey($0), layout, likely: .absent, &state)
    }
  }

  @inline(__always)
  private mutating func find(
    _ key: RecordKey, _ layout: WriteLayout, likely: Cell, _ state: inout RecordState
  ) -> (RecordReference, isNew: Bool) {
    if likely.isPlain(.reference), likely.record.table == layout.table,
      state.tables[layout.table].isRow(likely.record.row, of: key)
    {
      return (likely.record, false)
    }
    if layout.table >= state.tables.count { state.ensureTable(layout.table) }
    let (row, isNew) = state.tables[layout.table].findOrMakeRow(
      of: key, seed: state.seed, header: RowHeader(version: version, type: layout.shape.type))
    return (RecordReference(table: layout.table, row: row), isNew)
  }

  package func hasKey(_ object: Int, _ layout: WriteLayout) -> Bool {
    if layout.keyPosition >= 0 { return tape[tape.value(object, at: layout.keyPosition)].isKey }
    return slowKey(of: object, layout) != nil
  }

  /// A key of several fields, of a closure, or with escapes. Components are written as JSON, so
  /// that two entities never share a key.
  func slowKey(of object: Int, _ layout: WriteLayout) -> [UInt8]? {
    if layout.shape.keyClosure != nil { return computedKeys[object] }
    guard !layout.keyPositions.isEmpty else { return nil }
    let values = layout.keyPositions.map { tape[tape.value(object, at: $0)] }
    return EntityKeyText.make(values.map { EntityKeyText.component($0, tape) })
  }
}

extension JSONCell {
  /// Whether the value can be a key by itself.
  @inline(__always)
  fileprivate var isKey: Bool { (kind == .string || kind == .number) && length > 0 }
}
