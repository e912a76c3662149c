package import Weir

/// What was different when an object's leaves came to their row.
package struct WrittenLeaves {
  /// A bit for each slot that has changed; see ``ChangeSet/Change``.
  package var slots: UInt64
  package let isNew: Bool
  package let changesType: Bool
  /// Whether anything in the chunk had an age before.
  let hadAges: Bool

  @inline(__always)
  var isDifferent: Bool { slots != 0 || isNew || changesType }
}

extension RowChunk {
  /// Whether a row has the type of an object and holds what its leaves say, and nothing in the chunk
  /// ages: then nothing of it has to be written.
  @inline(__always)
  func holdsLeaves(
    of object: Int, _ layout: WriteLayout, row: Int, _ tape: JSONTape
  ) -> Bool {
    guard layout.width <= width, header(row).type == layout.shape.type, ages.isEmpty else {
      return false
    }
    let start = row * width + 1
    var member = MemberCursor(object, tape)
    for leaf in layout.leaves {
      let value = tape[member.move(to: leaf.position, tape)]
      if !isSame(cells[start + leaf.slot], value, tape) { return false }
    }
    return true
  }

  /// Writes all leaves of an object to a row that was just made for it.
  @inline(__always)
  package mutating func fill(_ row: Int, withLeavesOf object: Int, _ layout: WriteLayout, _ tape: JSONTape)
  {
    if layout.width > width { widen(to: layout.width) }
    let start = row * width + 1
    var member = MemberCursor(object, tape)
    for leaf in layout.leaves {
      let value = tape[member.move(to: leaf.position, tape)]
      cells[start + leaf.slot] = makeCell(value, tape)
    }
  }

  /// Writes leaves of an object, and the row's header if anything is different. `dropped` takes up the
  /// embedded records that leaves have taken the place of.
  ///
  /// Takes the cells that stay the same for reading only, so a chunk that is shared is not copied
  /// for nothing.
  package mutating func write(
    _ leaves: UnsafeBufferPointer<WriteLayout.Leaf>, of object: Int, _ layout: WriteLayout,
    _ header: RowHeader, row: Int, isNew: Bool, _ tape: JSONTape,
    dropped: inout Set<RecordReference>
  ) -> WrittenLeaves {
    let type = self.header(row).type
    var written = WrittenLeaves(
      slots: 0, isNew: isNew || type == .removed, changesType: type != header.type,
      hadAges: !ages.isEmpty)
    if layout.width > width { widen(to: layout.width) }
    let start = row * width + 1
    var member = MemberCursor(object, tape)
    for leaf in leaves {
      let value = tape[member.move(to: leaf.position, tape)]
      if write(value, tape, at: start + leaf.slot, &dropped) { written.slots |= leaf.bit }
    }
    if written.isDifferent, header.bits != headers[row] { setHeader(header, of: row) }
    if deadText > Self.maximumDeadText { compactText() }
    return written
  }

  /// Notes when leaves that were written become stale.
  mutating func setAges(
    of leaves: UnsafeBufferPointer<WriteLayout.Leaf>, row: Int, expiry: Int64, now: Int64
  ) {
    for leaf in leaves {
      ages.set(RowAges.expiry(leaf.timeToLive, now: now) ?? expiry, row, leaf.field)
    }
  }

  /// Writes one leaf anywhere and says whether it has changed. What the cell referred to that is not
  /// text has been given back before.
  mutating func writeLeaf(
    _ leaf: JSONCell, _ tape: JSONTape, _ row: Int, _ place: FieldPlace
  ) -> Bool {
    let old = cell(row, place)
    if isSame(old, leaf, tape) { return false }
    let new = makeCell(leaf, tape)
    release(old)
    setCell(new, row, place)
    return true
  }

  @inline(__always)
  private mutating func write(
    _ leaf: JSONCell, _ tape: JSONTape, at index: Int, _ dropped: inout Set<RecordReference>
  ) -> Bool {
    let old = cells[index]
    if isSame(old, leaf, tape) { return false }
    let new = makeCell(leaf, tape)
    if old.holdsMore { release(old, &dropped) }
    cells[index] = new
    return true
  }

  /// The cell for a leaf. Its text is copied if the cell has no room for it.
  @inline(__always)
  private mutating func makeCell(_ leaf: JSONCell, _ tape: JSONTape) -> Cell {
    if leaf.fitsCell { return Cell(leaf, tape) }
    return Cell(leaf, outOfLineAt: append(tape.text(leaf)))
  }

  /// Whether a cell of the chunk says what a leaf says, spelled in the same way.
  @inline(__always)
  private func isSame(_ cell: Cell, _ leaf: JSONCell, _ tape: JSONTape) -> Bool {
    if leaf.fitsCell { return cell == Cell(leaf, tape) }
    return cell == Cell(leaf, outOfLineAt: cell.offset) && textEquals(cell, tape.text(leaf))
  }

  @inline(never)
  private mutating func release(_ old: Cell, _ dropped: inout Set<RecordReference>) {
    dropped.formUnion(embeddedRecords(in: old))
    release(old)
  }

  /// Gives back one list, not what it contains.
  mutating func releaseOnly(_ list: Cell) {
    for element in lists[list.list] where element.isOutOfLine { deadText += element.length }
    vacateList(list.list)
  }
}
