import Weir

extension ChangeSet.Change {
  mutating func add(_ place: FieldPlace) {
    if place.slot >= 0 {
      slots |= place.slotBit
    } else {
      fields.append(place.field)
    }
  }

  func contains(_ place: FieldPlace) -> Bool {
    place.slot >= 0 ? slots & place.slotBit != 0 : fields.contains(place.field)
  }
}

extension FieldPlace {
  /// The bit of a slot in a ``ChangeSet/Change``.
  @inline(__always)
  var slotBit: UInt64 { 1 << UInt64(min(slot, 63)) }
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
