/// The number of an object type's name in one store.
struct TypeID: Hashable {
  var rawValue: UInt16
}

/// The number of a field's storage key in one store: the field's name with its canonical arguments.
struct FieldID: Hashable {
  var rawValue: UInt32
}

/// Where a record keeps a field: in a slot of its row, or, without one, beside the row.
struct FieldPlace: Hashable {
  var field: FieldID
  /// Negative if there is none.
  var slot: Int
}
