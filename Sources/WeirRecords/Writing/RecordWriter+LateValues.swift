import Weir

/// Writes the fields whose objects a response shows with their keys in some places and without in others.
///
/// Values without keys are written last. If the field has an object with a key in the same place by then, it
/// is the same object.
extension RecordWriter {
  /// Writes objects into a field that may be found again within its own value, or whose objects may lack
  /// their keys elsewhere.
  @inline(never)
  mutating func writeRareComposite(
    _ value: TapeIndex, _ member: WriteLayout.Other, _ place: FieldPlace,
    of record: RecordReference, _ context: WriteContext, _ state: inout RecordState
  ) -> Bool {
    let isWithin = openFields.contains(OpenField(record: record, field: place.field))
    let late = LateValue(
      value: value, field: member.field, place: place, record: record, context: context,
      isWithin: isWithin)
    guard member.mixesKeys else { return write(late, member, &state) }
    if isKeyless(value, member) {
      lateValues.append(late)
      return false
    }
    guard isWithin else { return writeKeyed(late, member, &state) }
    // The value that is being written around this one stays, but it is the same object.
    if keyed[late.target] == nil { lateValues.append(late) }
    return write(late, member, &state)
  }

  /// Writes the values without keys. They may contain values with keys, for which others have waited.
  mutating func writeLateValues(_ state: inout RecordState) {
    var next = 0
    while next < lateValues.count {
      let late = lateValues[next]
      next += 1
      let member = WriteLayout.Other(late.field, position: 0)
      let isChanged: Bool
      if isKeyless(late.value, member) {
        keyless[late.target, default: []].append(late)
        isChanged =
          late.isWithin ? writeWithin(late, member, &state) : write(late, member, &state)
      } else {
        isChanged = writeKeyed(late, member, &state)
      }
      if isChanged {
        state.touch(late.record, version: version)
        changes.append(late.record, late.place)
      }
    }
    (lateValues, keyless, keyed) = ([], [:], [:])
  }

  private mutating func write(
    _ late: LateValue, _ member: WriteLayout.Other, _ state: inout RecordState
  ) -> Bool {
    if before != nil,
      keepsChange(late.value, member, late.place, of: late.record, late.context, &state)
    {
      return false
    }
    return member.mayRecur
      ? writeRecurring(late.value, member, late.place, of: late.record, late.context, &state)
      : writeOnce(late.value, member, late.place, of: late.record, late.context, &state)
  }

  /// Writes the objects of a value that was found within the value of its own field, which stays.
  private mutating func writeWithin(
    _ late: LateValue, _ member: WriteLayout.Other, _ state: inout RecordState
  ) -> Bool {
    openFields.insert(late.target)
    defer { openFields.remove(late.target) }
    return write(late, member, &state)
  }

  /// Writes a value with keys. Those without that have taken its place already are written again.
  private mutating func writeKeyed(
    _ late: LateValue, _ member: WriteLayout.Other, _ state: inout RecordState
  ) -> Bool {
    if keyed[late.target] == nil {
      keyed[late.target] = []
      lateValues += keyless.removeValue(forKey: late.target) ?? []
    }
    return write(late, member, &state)
  }

  /// Whether a value is an object without a key, or a list that begins with one.
  private mutating func isKeyless(_ value: TapeIndex, _ member: WriteLayout.Other) -> Bool {
    switch tape[value].kind {
    case .object:
      return withLayout(of: value, member) { writer, layout in
        !layout.isRoot && !writer.hasKey(value, layout)
      }
    case .array:
      var element = tape.firstChild(value)
      for _ in 0..<tape.count(value) {
        if tape[element].kind != .null { return isKeyless(element, member) }
        element = tape.next(element)
      }
      return false
    case .null, .false, .true, .number, .string:
      return false
    }
  }

  /// Notes that a field has an entity by its key.
  @inline(never)
  mutating func noteKey(
    _ entity: RecordReference, _ member: WriteLayout.Other, of owner: RecordReference
  ) {
    guard let place = place(of: member, in: owner) else { return }
    keyed[OpenField(record: owner, field: place.field)]?.insert(entity)
  }

  /// Whether an object without a key is the entity that is in its place.
  @inline(never)
  mutating func isSame(
    as existing: Cell, _ layout: WriteLayout, _ member: WriteLayout.Other, of owner: RecordReference
  ) -> Bool {
    guard let entity = existing.entity, entity.table == layout.table,
      let place = place(of: member, in: owner)
    else { return false }
    return keyed[OpenField(record: owner, field: place.field)]?.contains(entity) ?? false
  }
}

/// The value of a field that may be written at the end.
struct LateValue {
  let value: TapeIndex
  // Retained: the layout that the member belongs to may be gone by then.
  let field: ShapeField
  let place: FieldPlace
  let record: RecordReference
  let context: WriteContext
  /// Whether it was found within the value of its own field.
  let isWithin: Bool

  var target: OpenField { OpenField(record: record, field: place.field) }
}
