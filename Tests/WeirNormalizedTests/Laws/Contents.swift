@testable import Weir
@testable import WeirNormalized
@testable import WeirRecords

extension NormalizedStore {
  /// Everything that a store holds, independent of its rows and numbers: by record, then storage
  /// key.
  var contents: [String: [String: JSONValue]] { state.withLock { $0.records.contents(catalog) } }
}

extension RecordState {
  fileprivate func contents(_ catalog: Catalog) -> [String: [String: JSONValue]] {
    var contents: [String: [String: JSONValue]] = [:]
    for table in tableIDs {
      for row in self[table].rows {
        let record = RecordReference(table: table, row: row)
        guard header(record).type != .removed, let entity = entity(record, catalog) else {
          continue
        }
        contents["\(entity)"] = fields(of: record, catalog)
      }
    }
    return contents
  }

  private func fields(of record: RecordReference, _ catalog: Catalog) -> [String: JSONValue] {
    var fields = ["__typename": JSONValue.string(catalog.typename(header(record).type))]
    for place in places(of: record, catalog) {
      fields[catalog.info(place.field).storageKey] = value(cell(record, place), record, catalog)
    }
    return fields
  }

  private func value(_ cell: Cell, _ record: RecordReference, _ catalog: Catalog) -> JSONValue {
    switch cell.kind {
    case .absent: ["absent": true]
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .number, .string, .json:
      .string("\(cell.kind) \(self[record].withText(cell) { String(decoding: $0, as: UTF8.self) })")
    case .reference: .string("-> \(entity(cell.record, catalog).map { "\($0)" } ?? "nothing")")
    case .embedded: .object(JSONObject(fields(of: cell.record, catalog).sorted { $0.key < $1.key }))
    case .list: .array(self[record][cell.list].map { value($0, record, catalog) })
    }
  }

  /// Defects of the structure: every record without a key must be held by exactly one field, and
  /// every list by one cell of its chunk.
  var defects: [String] {
    var holders: [RecordReference: Int] = [:]
    var defects: [String] = []
    for (table, records) in tables.enumerated() {
      for (number, chunk) in records.chunks.enumerated() {
        var lists: [ListID: Int] = [:]
        func visit(_ cell: Cell) {
          if cell.kind == .embedded { holders[cell.record, default: 0] += 1 }
          guard cell.kind == .list else { return }
          lists[cell.list, default: 0] += 1
          for element in chunk[cell.list] where lists[cell.list] == 1 { visit(element) }
        }
        for cell in chunk.cells { visit(cell) }
        for fields in chunk.overflow.values { for cell in fields.values { visit(cell) } }
        let place = "chunk \(table).\(number)"
        if lists.values.contains(where: { $0 != 1 }) { defects.append("\(place): a shared list") }
        for (index, list) in chunk.lists.enumerated()
        where !list.isEmpty && lists[ListID(index: index)] == nil {
          defects.append("\(place): an orphaned list")
        }
      }
    }
    for table in tableIDs where table.root == nil {
      for row in self[table].rows {
        let record = RecordReference(table: table, row: row)
        let count = holders.removeValue(forKey: record) ?? 0
        let isKeyed = self[record].key(record.rowInChunk).kind == .string
        if count != (header(record).isFree || isKeyed ? 0 : 1) {
          defects.append("record \(table).\(row) is held \(count) times")
        }
      }
    }
    return defects
  }
}
