/// Which fields hold lists of which tables' records, as learned from responses.
///
/// It determines which lists may have to change when an entity is created.
package struct ListFields {
  package struct Field: Hashable {
    /// The table of the records that have the field.
    package let table: TableID
    /// The field's name without arguments.
    package let name: String

    package init(table: TableID, name: String) {
      self.table = table
      self.name = name
    }

    /// Whether the elements are the edges of a connection.
    package var isEdges: Bool { name == "edges" }

    /// Whether an element stands for the entities that it refers to: an object without a key, or an edge,
    /// which may have a key.
    package func mayHold(edge element: Cell) -> Bool {
      element.kind == .embedded || element.kind == .reference && isEdges
    }
  }

  /// The fields, by the table of their elements.
  private(set) var fields = [TableID: Set<Field>]()
  /// Fields of lists of objects that are not, and do not refer to, any entity. Saved are only the others:
  /// until such a list comes again, nothing says what it holds.
  private var others: Set<Field> = []

  package init() {}

  package mutating func note(_ field: Field, elementTable: TableID) {
    fields[elementTable, default: []].insert(field)
  }

  /// Notes that a list holds objects, whatever these are.
  mutating func noteObjects(in field: Field) { others.insert(field) }

  /// Notes what a list holds: entities, or objects such as edges that refer to entities.
  package mutating func note(
    _ field: Field, _ elements: ContiguousArray<Cell>, _ state: RecordState
  ) {
    // Nearly all lists have elements of one type, which is noted once.
    var last: TableID?
    for element in elements where element.isReference {
      if element.kind == .reference { noteNext(element.record.table) }
      guard field.mayHold(edge: element) else { continue }
      state[element.record].forEachCell(element.record.rowInChunk) { cell in
        if cell.kind == .reference { noteNext(cell.record.table) }
      }
    }
    if last == nil, elements.contains(where: { $0.kind == .embedded }) { noteObjects(in: field) }
    func noteNext(_ table: TableID) {
      guard table != last else { return }
      last = table
      note(field, elementTable: table)
    }
  }

  /// The fields whose lists hold records of a table.
  package func holding(_ elementTable: TableID) -> Set<Field> { fields[elementTable] ?? [] }

  /// All fields.
  package var all: Set<Field> { Set(fields.values.joined()) }

  /// Whether a field is known to hold anything.
  package func isKnown(_ field: Field) -> Bool {
    others.contains(field) || fields.values.contains { $0.contains(field) }
  }

  package mutating func formUnion(_ other: ListFields) {
    for (table, others) in other.fields { fields[table, default: []].formUnion(others) }
    others.formUnion(other.others)
  }
}

extension RecordState {
  /// Every cached variant of a field. Costs next to nothing for the records that have none.
  package func variants(
    of field: ListFields.Field, _ catalog: Catalog
  ) -> [(record: RecordReference, place: FieldPlace)] {
    guard field.table.index < tables.count else { return [] }
    var variants: [(record: RecordReference, place: FieldPlace)] = []
    let slots = catalog.slotPlaces(field.table).filter { catalog.info($0.field).name == field.name }
    var names: [FieldID: Bool] = [:]
    func isVariant(_ other: FieldID) -> Bool {
      if let known = names[other] { return known }
      names[other] = catalog.info(other).name == field.name
      return names[other] == true
    }
    for (index, chunk) in self[field.table].chunks.enumerated() {
      if slots.isEmpty, chunk.overflow.isEmpty { continue }
      for row in chunk.rows where !chunk.header(row).isFree {
        let id = RowID(index: index << RowChunk.rowBits + row.index)
        let record = RecordReference(table: field.table, row: id)
        for slot in slots where !chunk.cell(row, slot).isAbsent { variants.append((record, slot)) }
        guard !chunk.overflow.isEmpty, let others = chunk.overflow[row] else { continue }
        let found = others.keys.filter(isVariant).sorted { $0.rawValue < $1.rawValue }
        variants += found.map { (record, FieldPlace(besideRow: $0)) }
      }
    }
    return variants
  }
}
