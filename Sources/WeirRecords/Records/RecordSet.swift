/// A set of records: a flag for each row.
package struct RecordSet {
  private var flags: ContiguousArray<ContiguousArray<Bool>> = []

  package init() {}

  /// Creates an empty set with room for the records of a state.
  package init(_ state: RecordState) {
    for table in state.tables {
      flags.append(ContiguousArray(repeating: false, count: table.rowCount))
    }
  }

  package func contains(_ record: RecordReference) -> Bool {
    let (table, row) = (record.table.index, record.row.index)
    return table < flags.count && row < flags[table].count && flags[table][row]
  }

  /// Returns whether the record was not in the set before.
  @discardableResult
  package mutating func insert(_ record: RecordReference) -> Bool {
    let (table, row) = (record.table.index, record.row.index)
    if table >= flags.count || row >= flags[table].count { makeRoom(record) }
    guard !flags[table][row] else { return false }
    flags[table][row] = true
    return true
  }

  package mutating func remove(_ record: RecordReference) {
    if contains(record) { flags[record.table.index][record.row.index] = false }
  }

  /// Grows in proportion to the size, so that single insertions are cheap.
  private mutating func makeRoom(_ record: RecordReference) {
    let table = record.table.index
    while flags.count <= table { flags.append([]) }
    let count = flags[table].count
    let missing = max(record.row.index + 1 - count, min(max(count, 64), 4096))
    flags[table].append(contentsOf: repeatElement(false, count: missing))
  }
}

extension RecordState {
  /// Adds all records that can be reached from those in `pending`, which are in the set already.
  package func addReachable(to set: inout RecordSet, from pending: [RecordReference]) {
    var pending = pending
    while let record = pending.popLast() {
      // A record that only a layer has made is not in this state.
      guard hasRow(of: record) else { continue }
      self[record].forEachReference(of: record.rowInChunk) { next in
        // References to a root lead nowhere: roots hold everything.
        if !next.isRoot, set.insert(next) { pending.append(next) }
      }
    }
  }

  /// The records that any other record refers to.
  package var referenced: RecordSet {
    var set = RecordSet(self)
    for table in tables {
      for chunk in table.chunks {
        for row in chunk.rows where !chunk.header(row).isFree {
          chunk.forEachReference(of: row) { _ = set.insert($0) }
        }
      }
    }
    return set
  }
}

extension RowChunk {
  /// Calls `body` with each record that a row's fields refer to, including embedded ones.
  package func forEachReference(of row: ChunkRow, _ body: (RecordReference) -> Void) {
    forEachCell(row) { forEachReference(in: $0, body) }
  }

  package func forEachReference(in cell: Cell, _ body: (RecordReference) -> Void) {
    forEachElement(of: cell) { if $0.isReference { body($0.record) } }
  }

  /// Calls `body` with a cell or, for a list, with the elements of it and of lists in it.
  func forEachElement(of cell: Cell, _ body: (Cell) -> Void) {
    guard cell.kind == .list else { return body(cell) }
    for element in self[cell.list] { forEachElement(of: element, body) }
  }

  /// The size of the rows in use, in bytes.
  @inline(__always)
  fileprivate var liveBytes: Int {
    var bytes = usedRows * (8 + width * 16) + textCount - deadText
    for index in lists.indices where !lists[index].isEmpty { bytes += 32 + lists[index].count * 16 }
    if !overflow.isEmpty {
      for fields in overflow.values { bytes += 64 + fields.count * 40 }
    }
    return bytes + ages.footprint + evictionFootprint
  }

  /// The size of a row in bytes, without records embedded in it.
  package func bytes(of row: ChunkRow) -> Int {
    var bytes = 8 + width * 16
    for index in positions(of: row) { bytes += self.bytes(of: cells[index]) }
    for cell in (overflow[row] ?? [:]).values { bytes += 40 + self.bytes(of: cell) }
    return bytes
  }

  /// The size of what a cell refers to in the chunk, in bytes.
  package func bytes(of cell: Cell) -> Int {
    if cell.isOutOfLine { return cell.length }
    return cell.kind == .list ? 32 + self[cell.list].count * 16 : 0
  }
}

extension RecordState {
  /// The size of the rows in use of a record's chunk, in bytes; nil if there is no such chunk.
  package func liveBytes(ofChunkOf record: RecordReference) -> Int? {
    guard record.table.index < tables.count,
      record.chunk < tables[record.table.index].chunks.count
    else { return nil }
    return self[record].liveBytes
  }
}
