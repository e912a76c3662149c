extension RecordState {
  /// The record of an entity that is named by its type or its key space.
  package func record(of entity: Entity, _ catalog: Catalog) -> RecordReference? {
    if let root = RootType.allCases.first(where: { $0.key == entity.typename }) {
      return root.reference
    }
    let table =
      catalog.knownType(named: entity.typename).map(catalog.table)
      ?? catalog.table(named: entity.typename)
    guard let table else { return nil }
    var id = entity.id
    return id.withUTF8 { record(table: table, key: $0) }
  }

  /// The entity that a record is; nil for embedded records, and for rows that are unused or not there.
  package func entity(_ record: RecordReference, _ catalog: Catalog) -> Entity? {
    if let root = record.table.root { return Entity(root.key, id: "") }
    guard hasRow(of: record), !header(record).isFree else { return nil }
    let key = self[record].key(record.rowInChunk)
    guard key.kind == .string else { return nil }
    let id = self[record].withText(key) { String(decoding: $0, as: UTF8.self) }
    return Entity(catalog.tableName(record.table), id: id)
  }

  /// Whether a table has records with keys.
  package func hasKeys(in table: TableID) -> Bool {
    table.index < tables.count && tables[table.index].hasKeys
  }

  /// The record of an entity that has data; nil otherwise.
  package func liveRecord(of entity: Entity, _ catalog: Catalog) -> RecordReference? {
    record(of: entity, catalog).flatMap { header($0).type == .removed ? nil : $0 }
  }

  /// Whether a list that leaves out dangling references does without an element. An evicted entity is
  /// missing instead, because the server still has it.
  func isLeftOut(_ element: Cell) -> Bool {
    guard element.isReference, header(element.record).type == .removed else { return false }
    return !self[element.record].isEvicted(element.record.rowInChunk)
  }

  /// The elements of a list of a record; empty if the cell is not a list.
  package func elements(_ cell: Cell, of record: RecordReference) -> ContiguousArray<Cell> {
    cell.kind == .list ? self[record][cell.list] : []
  }
}
