/// A row as the reading loop sees it: pointers to its cells and texts, determined once per object.
///
/// Reading a field takes a few instructions and counts no reference.
package struct RowView {
  let header: RowHeader
  /// Whether anything in the chunk becomes stale at some time.
  let mayExpire: Bool
  let slotCount: Int
  // Proof of validity for both: they point into the storage of arrays of a state that is not
  // changed while the view is used; see `RecordState.view`.
  let cells: UnsafePointer<Cell>
  let text: UnsafePointer<UInt8>?

  /// The value of a field that has a slot.
  @inline(__always)
  func cell(_ slot: Slot) -> Cell {
    slot.index < slotCount ? cells[slot.index] : .absent
  }

  /// The text of a cell in the row.
  func text(of cell: Cell) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(cell.length, 16)) { bytes, count in
      // Proof: the buffer has room for at least 16 bytes, and for all bytes of the text.
      guard let target = bytes.baseAddress else { return }
      if cell.isOutOfLine { copyText(of: cell, to: target) } else { cell.storeInline(to: target) }
      count = cell.length
    }
  }

  /// Copies an out-of-line text of the row. The caller has reserved the room.
  func copyText(of cell: Cell, to target: UnsafeMutablePointer<UInt8>) {
    // Proof: the cell's range lies in the chunk's text, so there is one.
    target.update(from: text.unsafelyUnwrapped + cell.offset, count: cell.length)
  }
}

extension RowChunk {
  @inline(__always)
  fileprivate borrowing func view(_ row: ChunkRow) -> RowView {
    let first = row.index * width + 1
    // Proof: each row has `width` cells, the first of which is its key.
    let cells = cells.withUnsafeBufferPointer { $0.baseAddress.unsafelyUnwrapped + first }
    let text = text.withUnsafeBufferPointer { $0.baseAddress }
    return RowView(
      header: header(row), mayExpire: !ages.isEmpty, slotCount: width - 1, cells: cells,
      text: text)
  }
}

extension RecordState {
  /// A view of a record.
  ///
  /// The caller holds this state as a constant while it uses the view: the storage of arrays that
  /// are neither changed nor released does not move.
  @inline(__always)
  func view(_ record: RecordReference) -> RowView {
    self[record.table].chunks[record.chunk].view(record.rowInChunk)
  }
}
