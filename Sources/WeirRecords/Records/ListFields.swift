/// Which fields hold lists of which tables' records, as learned from responses.
///
/// It determines which lists may have to change when an entity is created.
package struct ListFields {
  package struct Field: Hashable {
    /// The table of the records that have the field.
    package let table: Int
    /// The field's name without arguments.
    package let name: String

    package init(table: Int, name: String) {
      self.table = table
      self.name = name
    }
  }

  /// The fields, by the table of their elements.
  package private(set) var fields: [Int: Set<Field>] = [:]

  package init() {}

  package mutating func note(_ field: Field, elementTable: Int) {
    fields[elementTable, default: []].insert(field)
  }

  /// Notes what a list holds: entities, or objects such as edges that refer to entities.
  package mutating func note(
    _ field: Field, _ elements: ContiguousArray<Cell>, _ state: RecordState
  ) {
    // Nearly all lists have elements of one type, which is noted once.
    var last = -1
    for element in elements where element.isReference {
      if element.kind == .embedded {
        state[element.record].forEachCell(element.record.rowInChunk) { cell in
          if cell.kind == .reference { noteNext(cell.record.table) }
        }
      } else {
        noteNext(element.record.table)
      }
    }
    func noteNext(_ table: Int) {
      guard table != last else { return }
      last = table
      note(field, elementTable: table)
    }
  }

  /// The fields whose lists hold records of a table.
  package func holding(_ elementTable: Int) -> Set<Field> { fields[elementTable] ?? [] }

  /// All fields.
  package var all: Set<Field> { Set(fields.values.joined()) }

  /// Whether a field is known to hold anything.
  package func isKnown(_ field: Field) -> Bool { fields.values.contains { $0.contains(field) } }

  package mutating func formUnion(_ other: ListFields) {
    for (table, others) in other.fields { fields[table, default: []].formUnion(others) }
  }

  package var isEmpty: Bool { fields.isEmpty }
}

extension RecordState {
  /// Every cached variant of a field.
  package func variants(
    of field: ListFields.Field, _ catalog: Catalog
  ) -> [(record: RecordReference, place: FieldPlace)] {
    guard field.table < tables.count else { return [] }
    var variants: [(record: RecordReference, place: FieldPlace)] = []
    for row in 0..<tables[field.table].rowCount {
      let record = RecordReference(table: field.table, row: row)
      guard !header(record).isFree else { continue }
      for place in places(of: record, catalog) where catalog.info(place.field).name == field.name {
        variants.append((record, place))
      }
    }
    return variants
  }
}
