/// Which fields hold lists of which tables' records, as responses have shown.
///
/// From it follows which lists may have to change when an entity is made.
struct ListFields {
  struct Field: Hashable {
    /// The table of the records that have the field.
    let table: Int
    /// The field's name, whatever its arguments.
    let name: String
  }

  private var fields: [Int: Set<Field>] = [:]

  mutating func note(_ field: Field, elementTable: Int) {
    fields[elementTable, default: []].insert(field)
  }

  /// The fields whose lists hold records of a table.
  func holding(_ elementTable: Int) -> Set<Field> { fields[elementTable] ?? [] }

  mutating func formUnion(_ other: ListFields) {
    for (table, others) in other.fields { fields[table, default: []].formUnion(others) }
  }

  var isEmpty: Bool { fields.isEmpty }
}
