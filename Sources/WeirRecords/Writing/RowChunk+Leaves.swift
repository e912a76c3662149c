import Weir

/// The changes that writing an object's leaves to their row has made.
package struct WrittenLeaves {
  /// A bit for each changed slot; see ``ChangeSet/Change``.
  var slots: UInt64
  let isNew: Bool
  let changesType: Bool
  /// Whether anything in the chunk was going to become stale.
  let hadAges: Bool

  @inline(__always)
  var isDifferent: Bool { slots != 0 || isNew || changesType }
}

extension RowChunk {
  /// Whether a row has the type of an object and holds its leaves, and nothing in the chunk becomes
  /// stale. In this case there is nothing to write.
  @inline(__always)
  func holdsLeaves(
    of object: TapeIndex, _ layout: WriteLayout, row: ChunkRow, _ tape: JSONTape
  ) -> Bool {
    guard layout.width <= width, header(row).type == layout.shape.type, ages.isEmpty else {
      return false
    }
    let start = row.index * width + 1
    var member = MemberCursor(object, tape)
    // Proof, also for the methods below: the caller holds the layout, which owns its leaves.
    for leaf in layout.leaves {
      let value = tape[member.move(to: leaf.position, tape)]
      if !isSame(cells[start + leaf.slot.index], value, tape) { return false }
    }
    return true
  }

  /// Writes all leaves of an object to a row that was just made for it.
  @inline(__always)
  mutating func fill(
    _ row: ChunkRow, withLeavesOf object: TapeIndex, _ layout: WriteLayout, _ tape: JSONTape
  ) {
    if layout.width > width { widen(to: layout.width) }
    let start = row.index * width + 1
    var member = MemberCursor(object, tape)
    for leaf in layout.leaves {
      let value = tape[member.move(to: leaf.position, tape)]
      cells[start + leaf.slot.index] = makeCell(value, tape)
    }
  }

  /// Writes leaves of an object, and the row's header if anything has changed. `dropped` receives
  /// the embedded records that leaves have replaced.
  ///
  /// Unchanged cells are only read, so a shared chunk is not copied needlessly.
  mutating func write(
    _ leaves: UnsafeBufferPointer<WriteLayout.Leaf>, of object: TapeIndex, _ layout: WriteLayout,
    _ header: RowHeader, row: ChunkRow, isNew: Bool, _ tape: JSONTape,
    dropped: inout Set<RecordReference>
  ) -> WrittenLeaves {
    let type = self.header(row).type
    var written = WrittenLeaves(
      slots: 0, isNew: isNew || type == .removed, changesType: type != header.type,
      hadAges: !ages.isEmpty)
    if layout.width > width { widen(to: layout.width) }
    let start = row.index * width + 1
    var member = MemberCursor(object, tape)
    for leaf in leaves {
      let value = tape[member.move(to: leaf.position, tape)]
      if write(value, tape, at: start + leaf.slot.index, &dropped) { written.slots |= leaf.bit }
    }
    if written.isDifferent, header.bits != headers[row.index] { setHeader(header, of: row) }
    if deadText > Self.maximumDeadText { compactText() }
    return written
  }

  /// Notes when the written leaves become stale. Returns the bits of those that do so earlier than before.
  mutating func setAges(
    of leaves: UnsafeBufferPointer<WriteLayout.Leaf>, row: ChunkRow,
    expiry: (_ timeToLive: Int64) -> Int64
  ) -> UInt64 {
    var shortened: UInt64 = 0
    for leaf in leaves where ages.set(expiry(leaf.timeToLive), row, leaf.field) {
      shortened |= leaf.bit
    }
    return shortened
  }

  /// Writes one leaf in any place. Returns whether it has changed. The caller has freed what the
  /// cell referred to, except text.
  mutating func writeLeaf(
    _ leaf: JSONCell, _ tape: JSONTape, _ row: ChunkRow, _ place: FieldPlace
  ) -> Bool {
    let old = cell(row, place)
    if isSame(old, leaf, tape) { return false }
    let new = makeCell(leaf, tape)
    release(old)
    setCell(new, row, place)
    compactText()
    return true
  }

  @inline(__always)
  private mutating func write(
    _ leaf: JSONCell, _ tape: JSONTape, at index: Int, _ dropped: inout Set<RecordReference>
  ) -> Bool {
    let old = cells[index]
    if isSame(old, leaf, tape) { return false }
    let new = makeCell(leaf, tape)
    if old.isIndirect { release(old, &dropped) }
    cells[index] = new
    return true
  }

  /// Makes the cell of a leaf. Text that does not fit in a cell is copied to the chunk.
  @inline(__always)
  private mutating func makeCell(_ leaf: JSONCell, _ tape: JSONTape) -> Cell {
    if leaf.fitsCell { return Cell(leaf, tape) }
    return Cell(leaf, outOfLineAt: append(tape.text(leaf)))
  }

  /// Whether a cell of the chunk has the value of a leaf, with the same spelling.
  @inline(__always)
  func isSame(_ cell: Cell, _ leaf: JSONCell, _ tape: JSONTape) -> Bool {
    if leaf.fitsCell { return cell == Cell(leaf, tape) }
    return cell == Cell(leaf, outOfLineAt: cell.offset) && textEquals(cell, tape.text(leaf))
  }

  @inline(never)
  private mutating func release(_ old: Cell, _ dropped: inout Set<RecordReference>) {
    dropped.formUnion(embeddedRecords(in: old))
    release(old)
  }

  /// Frees one list, but not what it contains.
  mutating func releaseOnly(_ list: Cell) {
    for element in self[list.list] where element.isOutOfLine { deadText += element.length }
    vacateList(list.list)
  }
}
