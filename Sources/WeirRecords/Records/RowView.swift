import Weir

/// A row as the loop of reading sees it: where its cells and texts are, found once per object.
///
/// Fields are read in a few instructions each, and no reference is counted.
package struct RowView {
  package let header: RowHeader
  /// Whether anything in its chunk becomes stale some day.
  let mayExpire: Bool
  private let slotCount: Int
  // Proof of validity for both: they point into the storage of arrays of a state that nobody
  // changes as long as the view is used; see `RecordState.view`.
  private let cells: UnsafePointer<Cell>
  private let text: UnsafePointer<UInt8>?

  fileprivate init(
    header: RowHeader, mayExpire: Bool, slotCount: Int, cells: UnsafePointer<Cell>,
    text: UnsafePointer<UInt8>?
  ) {
    self.header = header
    self.mayExpire = mayExpire
    self.slotCount = slotCount
    self.cells = cells
    self.text = text
  }

  /// A field that has a slot.
  @inline(__always)
  package func cell(slot: Int) -> Cell { slot < slotCount ? cells[slot] : .absent }

  /// The text of a cell of the row.
  package func text(of cell: Cell) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(cell.length, 16)) { bytes, count in
      // Proof: 14 bytes are written to at least 16, or as many as there are.
      guard let target = bytes.baseAddress else { return }
      if cell.isOutOfLine { copyText(of: cell, to: target) } else { cell.storeInline(to: target) }
      count = cell.length
    }
  }

  /// Copies an out-of-line text of the row to where there is room for it.
  @inline(__always)
  func copyText(of cell: Cell, to target: UnsafeMutablePointer<UInt8>) {
    // Proof: the cell's range lies in the chunk's text, so there is one.
    target.update(from: text.unsafelyUnwrapped + cell.offset, count: cell.length)
  }
}

extension RowChunk {
  @inline(__always)
  fileprivate borrowing func view(_ row: Int) -> RowView {
    let first = row * width + 1
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
  /// The caller holds this state as a constant for as long as it uses the view: nothing moves or
  /// frees the storage of arrays that are neither changed nor let go.
  @inline(__always)
  func view(_ record: RecordReference) -> RowView {
    tables[record.table].chunks[record.chunk].view(record.rowInChunk)
  }
}
