/// Up to 256 rows of a table, with the texts and lists that their cells refer to.
///
/// A chunk is the unit that is copied when a row changes while a snapshot exists, and the unit that
/// is compacted. Neither costs more than a chunk, however large the table is.
@usableFromInline
package struct RowChunk: Sendable {
  @inlinable static var rowBits: Int { 8 }
  static var maximumRows: Int { 1 << rowBits }
  /// How many bytes of text may be unused before compacting is considered.
  static let maximumDeadText = 4096

  /// The number of cells per row: the key, then one for each of the table's slots that any row has
  /// used.
  private(set) var width = 1
  /// The version and type of each row, see ``RowHeader``; 0 for a free row.
  @usableFromInline private(set) var headers: ContiguousArray<UInt64> = []
  /// The number of rows that are not free.
  private(set) var usedRows = 0
  /// The cells, row by row. Rows behind the last one are absent cells that are ready for use.
  var cells: ContiguousArray<Cell> = []
  /// The text that out-of-line cells refer to, followed by zeros that are ready for use.
  var text: ContiguousArray<UInt8> = []
  /// The number of bytes of the text that are in use.
  var textCount = 0
  /// The number of bytes of the text that no cell refers to any more.
  var deadText = 0
  var lists: ContiguousArray<ContiguousArray<Cell>> = []
  var freeLists: ContiguousArray<ListID> = []
  /// Fields without a slot, such as fields with arguments, by row.
  package var overflow: [ChunkRow: [FieldID: Cell]] = [:]
  /// The headers that rows have had since their fields were evicted. Noted only where that makes a
  /// difference, so it is nearly always empty.
  private var evicted: [ChunkRow: UInt64] = [:]
  /// When fields become stale. Empty while nothing does.
  package var ages = RowAges()

  /// All rows, including free ones.
  package var rows: some Sequence<ChunkRow> { headers.indices.lazy.map(ChunkRow.init(index:)) }
}

// MARK: - Rows

extension RowChunk {
  /// Creates an empty chunk. A chunk that follows a full one is likely to receive the same kind of
  /// rows.
  init(after previous: RowChunk?) {
    guard let previous else { return }
    width = previous.width
    headers.reserveCapacity(Self.maximumRows)
    cells = ContiguousArray(repeating: .absent, count: Self.maximumRows * width)
    text = ContiguousArray(repeating: 0, count: previous.textCount)
  }

  @inline(__always)
  mutating func appendRow(_ header: RowHeader, key: RecordKey?) {
    headers.append(header.bits)
    usedRows += 1
    if headers.count * width > cells.count { makeRows(max(4, headers.count * 2), width: width) }
    if let key { setKey(key, of: ChunkRow(index: headers.count - 1)) }
  }

  /// Reserves room for a number of rows with a number of cells each.
  @inline(never)
  private mutating func makeRows(_ count: Int, width newWidth: Int) {
    let count = min(count, Self.maximumRows)
    var new = ContiguousArray<Cell>(repeating: .absent, count: count * newWidth)
    for row in 0..<min(count, cells.count / width) {
      for index in 0..<width { new[row * newWidth + index] = cells[row * width + index] }
    }
    cells = new
    width = newWidth
  }

  /// The positions of a row's cells: its key, and then its slots.
  func positions(of row: ChunkRow) -> Range<Int> {
    row.index * width..<(row.index + 1) * width
  }

  @inlinable @inline(__always)
  package func header(_ row: ChunkRow) -> RowHeader { RowHeader(bits: headers[row.index]) }

  /// Whether a row still has a header, and nothing in the chunk becomes stale.
  @inline(__always)
  func isUnchanged(_ row: ChunkRow, _ header: UInt64) -> Bool {
    headers[row.index] == header && ages.isEmpty
  }

  @inline(__always)
  mutating func setHeader(_ header: RowHeader, of row: ChunkRow) {
    usedRows += (header.isFree ? 0 : 1) - (headers[row.index] == 0 ? 0 : 1)
    headers[row.index] = header.bits
  }

  /// Notes that the fields of a row were evicted. What happens to the row next ends that.
  package mutating func noteEvicted(_ row: ChunkRow) { evicted[row] = headers[row.index] }

  var evictionFootprint: Int { evicted.capacity * 16 }

  /// Whether a row has no fields because they were evicted.
  package func isEvicted(_ row: ChunkRow) -> Bool {
    !evicted.isEmpty && evicted[row] == headers[row.index]
  }

  @inline(__always)
  package func key(_ row: ChunkRow) -> Cell { cells[row.index * width] }

  mutating func setKey(_ key: Cell, of row: ChunkRow) { cells[row.index * width] = key }

  @inline(__always)
  mutating func setKey(_ key: RecordKey, of row: ChunkRow) {
    cells[row.index * width] =
      key.isInline ? key.cell : store(.string, isIrregular: false, key.text)
  }

  /// Whether a row has the given key.
  @inline(__always)
  func hasKey(_ key: RecordKey, _ row: ChunkRow) -> Bool {
    let cell = cells[row.index * width]
    return cell == key.cell
      || cell.isOutOfLine && holds(cell, .string, isIrregular: false, key.text)
  }

  @inline(__always)
  func cell(_ row: ChunkRow, _ slot: Slot) -> Cell {
    slot.index + 1 < width ? cells[row.index * width + slot.index + 1] : .absent
  }

  /// A field of a row, wherever it is kept.
  @inline(__always)
  func cell(_ row: ChunkRow, _ place: FieldPlace) -> Cell {
    if let slot = place.slot { return cell(row, slot) }
    return overflow[row]?[place.field] ?? .absent
  }

  /// Calls `body` with all cells of a row, in no particular order.
  @inline(__always)
  package func forEachCell(_ row: ChunkRow, _ body: (Cell) -> Void) {
    for index in positions(of: row).dropFirst() { body(cells[index]) }
    guard !overflow.isEmpty, let others = overflow[row] else { return }
    for cell in others.values { body(cell) }
  }

  package mutating func setCell(_ cell: Cell, _ row: ChunkRow, _ place: FieldPlace) {
    if let slot = place.slot {
      if slot.index + 1 >= width { widen(to: slot.index + 2) }
      cells[row.index * width + slot.index + 1] = cell
    } else if cell.isAbsent {
      overflow[row]?[place.field] = nil
      if overflow[row]?.isEmpty == true { overflow[row] = nil }
    } else {
      overflow[row, default: [:]][place.field] = cell
    }
  }

  /// Whether no row is in use.
  var isVacant: Bool { usedRows == 0 }

  /// Releases all memory except that of the headers.
  mutating func vacate() {
    let rows = headers
    self = RowChunk(after: nil)
    headers = rows
    cells = ContiguousArray(repeating: .absent, count: rows.count)
  }

  /// Gives each row more cells.
  mutating func widen(to newWidth: Int) {
    makeRows(max(cells.count / width, headers.count), width: newWidth)
  }
}
