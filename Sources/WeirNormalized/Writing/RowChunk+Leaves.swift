import Weir

/// What was different when an object's leaves came to their row.
struct WrittenLeaves {
  /// A bit for each slot that has changed; see ``ChangeSet/Change``.
  var slots: UInt64
  let isNew: Bool
  let changesType: Bool
  /// Whether anything in the chunk had an age before.
  let hadAges: Bool

  @inline(__always)
  var isDifferent: Bool { slots != 0 || isNew || changesType }
}

extension RowChunk {
  /// Writes leaves of an object, and the row's header if anything is different. `dropped` takes up the
  /// embedded records that leaves have taken the place of.
  ///
  /// Takes the cells that stay the same for reading only, so a chunk that is shared is not copied
  /// for nothing.
  @inline(__always)
  mutating func write(
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
    guard let new = replacement(for: old, leaf, tape) else { return false }
    release(old)
    setCell(new, row, place)
    return true
  }

  @inline(__always)
  private mutating func write(
    _ leaf: JSONCell, _ tape: JSONTape, at index: Int, _ dropped: inout Set<RecordReference>
  ) -> Bool {
    let old = cells[index]
    guard let new = replacement(for: old, leaf, tape) else { return false }
    if old.holdsMore { release(old, &dropped) }
    cells[index] = new
    return true
  }

  /// The cell for a leaf; nil if it is the same as before.
  @inline(__always)
  private mutating func replacement(for old: Cell, _ leaf: JSONCell, _ tape: JSONTape) -> Cell? {
    if leaf.length <= Cell.maximumInlineLength || !leaf.hasText {
      let new = Cell(leaf, tape)
      return new == old ? nil : new
    }
    let kind: Cell.Kind = leaf.isContainer ? .json : leaf.kind == .string ? .string : .number
    let text = tape.text(leaf)
    if old.isOutOfLine, holds(old, kind, isMarked: leaf.isMarked, text) { return nil }
    return store(kind, isMarked: leaf.isMarked, text)
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
