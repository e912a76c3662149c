import Weir

extension RecordWriter {
  /// Writes an object and returns the cell that refers to it.
  ///
  /// `existing` is the current value in that place: an object without a key continues the existing
  /// object, or becomes part of the owner's field.
  @inline(__always)
  mutating func writeObject(
    _ object: TapeIndex, _ layout: WriteLayout, _ member: WriteLayout.Other, existing: Cell,
    owner: RecordReference, _ context: WriteContext, _ state: inout RecordState
  ) -> Cell {
    if let (record, isNew) = entity(of: object, layout, likely: existing, &state) {
      if member.mixesKeys { noteKey(record, member, of: owner) }
      if context.postpones || isNew || !isStored(object, layout, in: record, state) {
        writeMembers(
          of: object, layout, to: record, isNew: isNew, context, WriteContext(), &state)
      }
      return Cell(.reference, low: record.bits)
    }
    if member.mixesKeys, isSame(as: existing, layout, member, of: owner) {
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
    of object: TapeIndex, _ layout: WriteLayout, to record: RecordReference, isNew: Bool,
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
    _ object: TapeIndex, _ layout: WriteLayout, in record: RecordReference,
    _ state: borrowing RecordState
  ) -> Bool {
    layout.others.isEmpty && layout.isPlain && isPlain && !rules.notesWrites && leftovers.isEmpty
      && state[record].holdsLeaves(of: object, layout, row: record.rowInChunk, tape)
  }

  @inline(never)
  private mutating func writeEmbedded(
    _ object: TapeIndex, _ layout: WriteLayout, _ member: WriteLayout.Other, existing: Cell,
    owner: RecordReference, _ context: WriteContext, _ state: inout RecordState
  ) -> Cell {
    let type = layout.shape.type
    let inner = WriteContext(isBelowElement: context.isBelowElement || context.isElement)
    if existing.kind == .embedded, state.header(existing.record).type == type {
      if inner.isBelowElement, written.insert(existing.record).inserted {
        noteLeftovers(object, layout, existing.record, state)
      }
      if !state[owner].ages.isEmpty, !inner.isBelowElement {
        keepAge(of: existing.record, object, layout, member, owner: owner, &state)
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
  mutating func entity(
    of object: TapeIndex, _ layout: WriteLayout, likely: Cell = .absent, _ state: inout RecordState
  ) -> (RecordReference, isNew: Bool)? {
    if layout.keyPosition >= 0, !layout.isRoot {
      let cell = tape[tape.value(object, at: layout.keyPosition)]
      if cell.isKey, !cell.isIrregular {
        return find(RecordKey(cell, tape), layout, likely: likely, &state)
      }
    }
    return slowEntity(of: object, layout, &state)
  }

  @inline(never)
  private mutating func slowEntity(
    of object: TapeIndex, _ layout: WriteLayout, _ state: inout RecordState
  ) -> (RecordReference, isNew: Bool)? {
    if layout.isRoot, let root = layout.table.root { return (root.reference, false) }
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
      state[layout.table].isRow(likely.record.row, of: key)
    {
      return (likely.record, false)
    }
    if layout.table.index >= state.tables.count { state.ensureTable(layout.table) }
    let (row, isNew) = state[layout.table].findOrMakeRow(
      of: key, seed: state.seed, header: RowHeader(version: version, type: layout.shape.type))
    return (RecordReference(table: layout.table, row: row), isNew)
  }

  func hasKey(_ object: TapeIndex, _ layout: WriteLayout) -> Bool {
    layout.keyPosition >= 0 && tape[tape.value(object, at: layout.keyPosition)].isKey
      || slowKey(of: object, layout) != nil
  }

  /// A key of several fields, of a closure, or with escapes. Components are written as JSON, so
  /// that two entities never share a key.
  func slowKey(of object: TapeIndex, _ layout: WriteLayout) -> [UInt8]? {
    if layout.shape.keyClosure != nil { return computedKeys[object] }
    guard !layout.keyPositions.isEmpty else { return nil }
    let values = layout.keyPositions.map { tape[tape.value(object, at: $0)] }
    return EntityKeyText.make(values.map { EntityKeyText.component($0, tape) })
  }
}

extension JSONCell {
  /// Whether the value's text is a key by itself, apart from escapes. A Boolean may be a key, too.
  @inline(__always)
  fileprivate var isKey: Bool { (kind == .string || kind == .number) && length > 0 }
}
