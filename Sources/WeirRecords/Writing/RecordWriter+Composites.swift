import Weir

/// Writes fields with objects.
extension RecordWriter {
  /// Writes objects into a field. Returns whether the value has changed.
  @inline(__always)
  mutating func writeComposite(
    _ value: TapeIndex, _ member: WriteLayout.Other, _ place: FieldPlace,
    of record: RecordReference,
    _ context: WriteContext, _ state: inout RecordState
  ) -> Bool {
    if member.isRare {
      return writeRareComposite(value, member, place, of: record, context, &state)
    }
    return writeOnce(value, member, place, of: record, context, &state)
  }

  /// Writes objects into a field that is not found again within its own value.
  @inline(__always)
  mutating func writeOnce(
    _ value: TapeIndex, _ member: WriteLayout.Other, _ place: FieldPlace,
    of record: RecordReference,
    _ context: WriteContext, _ state: inout RecordState
  ) -> Bool {
    let old = state.cell(record, place)
    let new = compositeCell(value, member, existing: old, owner: record, context, &state)
    guard new != old else { return false }
    replace(old, with: new, place, of: record, &state)
    return true
  }

  /// Writes objects into a field that may be found again within its own value.
  ///
  /// Nothing comes between looking at the field and setting it: the members of the objects are
  /// written afterwards. If the field is found again within them, it keeps its value. Objects in
  /// the same places are the same then, and are merged. Only an update may change it there, too.
  @inline(never)
  mutating func writeRecurring(
    _ value: TapeIndex, _ member: WriteLayout.Other, _ place: FieldPlace,
    of record: RecordReference,
    _ context: WriteContext, _ state: inout RecordState
  ) -> Bool {
    var context = context
    context.postpones = true
    let field = OpenField(record: record, field: place.field)
    let isOutermost = openFields.insert(field).inserted
    let first = postponed.count
    let old = state.cell(record, place)
    let new = compositeCell(value, member, existing: old, owner: record, context, &state)
    let isSet = isOutermost || before != nil && !hasChanged(place, of: record, state)
    if new != old {
      if isSet {
        replace(old, with: new, place, of: record, &state)
      } else {
        release(new, of: record, keeping: old, &state)
      }
    }
    let end = postponed.count
    for index in first..<end {
      let next = postponed[index]
      write(
        next.object, next.layout, into: next.record, isNew: next.isNew, wasPostponed: true,
        next.context, &state)
    }
    postponed.removeSubrange(first...)
    if isOutermost { openFields.remove(field) }
    return isSet && new != old
  }

  private mutating func replace(
    _ old: Cell, with new: Cell, _ place: FieldPlace, of record: RecordReference,
    _ state: inout RecordState
  ) {
    if old.isIndirect, old.kind != .reference { release(old, of: record, keeping: new, &state) }
    state[record].setCell(new, record.rowInChunk, place)
  }

  /// The cell of an object, a list or null; the existing cell if nothing has changed.
  @inline(__always)
  mutating func compositeCell(
    _ value: TapeIndex, _ member: WriteLayout.Other, existing: Cell, owner: RecordReference,
    _ context: WriteContext, _ state: inout RecordState
  ) -> Cell {
    switch tape[value].kind {
    case .object:
      return withLayout(of: value, member) { writer, layout in
        writer.writeObject(
          value, layout, member, existing: existing, owner: owner, context, &state)
      }
    case .array:
      if rules.keepsMistakenFields, !context.isElement, holdsScalars(value) {
        noteNoObject(member.field)
        return existing
      }
      return writeList(value, member, existing: existing, owner: owner, context, &state)
    case .null:
      return .null
    case .string, .number, .true, .false:
      noteNoObject(member.field)
      return rules.keepsMistakenFields && !context.isElement ? existing : .null
    }
  }

  /// Whether an element of a list is neither an object, a list nor null.
  private func holdsScalars(_ list: TapeIndex) -> Bool {
    tape.children(of: list).contains {
      let kind = tape[$0].kind
      return kind != .object && kind != .array && kind != .null
    }
  }

  private mutating func noteNoObject(_ field: ShapeField) {
    note(.noObject, "\(field.path) is not an object, although fields of it are selected.")
  }
}
