/// The number of an object type's name, in one store.
@usableFromInline
package struct TypeID: Hashable, Sendable {
  @usableFromInline package var rawValue: UInt16

  @inlinable
  package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// The number of a table of records, in one store.
@usableFromInline
package struct TableID: Hashable, Sendable {
  @usableFromInline package var rawValue: UInt32

  @inlinable
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  init(index: Int) { rawValue = UInt32(index) }

  /// The table's position in arrays that have an element for each table.
  @inlinable
  package var index: Int { Int(truncatingIfNeeded: rawValue) }
}

/// The number of a field's storage key, in one store: the field's name with canonical arguments.
package struct FieldID: Hashable {
  var rawValue: UInt32
}

/// The number of a slot in the rows of a table.
package struct Slot: Hashable {
  var rawValue: UInt8

  init(index: Int) { rawValue = UInt8(index) }

  /// The slot's position in arrays that have an element for each slot.
  var index: Int { Int(rawValue) }

  /// The slot's bit in a ``ChangeSet/Change``; slots from 63 on share the last one.
  package var bit: UInt64 { 1 << UInt64(min(rawValue, 63)) }
}

/// Where a record stores a field: in a slot of its row, or beside the row.
package struct FieldPlace: Hashable {
  package var field: FieldID
  /// The slot; nil for a place beside the row.
  package var slot: Slot?

  init(field: FieldID, slot: Slot?) {
    self.field = field
    self.slot = slot
  }
}

extension TypeID {
  /// The type of objects whose type is unknown.
  static let nameless = TypeID(rawValue: 3)
  /// The type of entities that have no fields: they were removed, or are only referred to.
  package static let removed = TypeID(rawValue: .max - 1)
}

extension FieldPlace {
  /// The place of a field without a slot.
  package init(besideRow field: FieldID) {
    self.init(field: field, slot: nil)
  }
}
