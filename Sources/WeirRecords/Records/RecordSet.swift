/// A set of records: a flag for each row.
package struct RecordSet {
  private var flags: ContiguousArray<ContiguousArray<Bool>> = []

  package init() {}

  /// An empty set with room for the records of a state.
  package init(_ state: RecordState) {
    for table in state.tables {
      flags.append(ContiguousArray(repeating: false, count: table.rowCount))
    }
  }

  @inline(__always)
  package func contains(_ record: RecordReference) -> Bool {
    record.table < flags.count && record.row < flags[record.table].count
      && flags[record.table][record.row]
  }

  /// Whether it was not in the set before.
  @inline(__always)
  package mutating func insert(_ record: RecordReference) -> Bool {
    if record.table >= flags.count || record.row >= flags[record.table].count { makeRoom(record) }
    guard !flags[record.table][record.row] else { return false }
    flags[record.table][record.row] = true
    return true
  }

  private mutating func makeRoom(_ record: RecordReference) {
    while flags.count <= record.table { flags.append([]) }
    let missing = record.row / 64 * 64 + 64 - flags[record.table].count
    flags[record.table].append(contentsOf: repeatElement(false, count: missing))
  }
}

extension RecordState {
  /// Adds what can be reached from records that are in the set already, those in `pending`.
  package func addReachable(to set: inout RecordSet, from pending: [RecordReference]) {
    var pending = pending
    while let record = pending.popLast() {
      // What only a layer has made is not there.
      guard record.table < tables.count, record.row < tables[record.table].rowCount else {
        continue
      }
      self[record].forEachReference(of: record.rowInChunk) { next in
        // The roots hold everything: what leads back to them leads nowhere.
        if next.table > RootType.subscription.rawValue, set.insert(next) { pending.append(next) }
      }
    }
  }

  /// The records that any other refers to.
  package var referenced: RecordSet {
    var set = RecordSet(self)
    for table in tables {
      for chunk in table.chunks {
        for row in 0..<chunk.count where !chunk.header(row).isFree {
          chunk.forEachReference(of: row) { _ = set.insert($0) }
        }
      }
    }
    return set
  }
}

extension RowChunk {
  /// Tells each record that a row's fields refer to, embedded ones included.
  @inline(__always)
  package func forEachReference(of row: Int, _ body: (RecordReference) -> Void) {
    forEachCell(row) { tell($0, body) }
  }

  @inline(__always)
  package func tell(_ cell: Cell, _ body: (RecordReference) -> Void) {
    if cell.isReference {
      body(cell.record)
    } else if cell.kind == .list {
      tellElements(of: cell, body)
    }
  }

  private func tellElements(of list: Cell, _ body: (RecordReference) -> Void) {
    for element in lists[list.list] { tell(element, body) }
  }

  /// What the chunk's rows that are in use take, in bytes.
  package var liveBytes: Int {
    var used = 0
    for header in headers where header != 0 { used += 1 }
    var bytes = used * (8 + width * 16) + textCount - deadText
    for list in lists where !list.isEmpty { bytes += 32 + list.count * 16 }
    for fields in overflow.values { bytes += 64 + fields.count * 40 }
    return bytes + ages.footprint
  }

  /// What a row takes, without what is embedded in it.
  package func bytes(of row: Int) -> Int {
    var bytes = 8 + width * 16
    for index in row * width..<(row + 1) * width { bytes += self.bytes(of: cells[index]) }
    for cell in (overflow[row] ?? [:]).values { bytes += 40 + self.bytes(of: cell) }
    return bytes
  }

  /// What a cell refers to in the chunk.
  package func bytes(of cell: Cell) -> Int {
    if cell.isOutOfLine { return cell.length }
    return cell.kind == .list ? 32 + lists[cell.list].count * 16 : 0
  }
}
