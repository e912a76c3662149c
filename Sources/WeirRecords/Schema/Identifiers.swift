/// The number of an object type's name in one store.
package struct TypeID: Hashable {
  package var rawValue: UInt16
}

/// The number of a field's storage key in one store: the field's name with its canonical arguments.
package struct FieldID: Hashable {
  package var rawValue: UInt32
}

/// Where a record keeps a field: in a slot of its row, or, without one, beside the row.
package struct FieldPlace: Hashable {
  package var field: FieldID
  /// Negative if there is none.
  package var slot: Int

  package init(field: FieldID, slot: Int) {
    self.field = field
    self.slot = slot
  }
}

extension TypeID {
  /// Of objects whose type nobody knows.
  static let nameless = TypeID(rawValue: 3)
  /// Of entities that have been removed, or are only referred to: they have no fields.
  package static let removed = TypeID(rawValue: .max - 1)
}

extension FieldPlace {
  /// The bit of a slot in a ``ChangeSet/Change``.
  @inline(__always)
  package var slotBit: UInt64 { 1 << UInt64(min(slot, 63)) }
}
