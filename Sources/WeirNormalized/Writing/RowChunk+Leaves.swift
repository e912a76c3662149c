import Weir

extension RowChunk {
  /// Writes the leaves of an object and answers with a bit for each slot that has changed, and with
  /// the embedded records that leaves have taken the place of.
  @inline(__always)
  mutating func writeLeaves(
    of object: Int, _ layout: WriteLayout, row: Int, tape: JSONTape, skipped: Set<Int>,
    except newer: UInt64, expiry: Int64, now: Int64
  ) -> (changed: UInt64, displaced: [RecordReference]) {
    var displaced: [RecordReference] = []
    var changed: UInt64 = 0
    let hasAges = expiry != RowAges.never || !ages.isEmpty || layout.hasTimeToLive
    var member = MemberCursor(object, tape)
    for leaf in layout.leaves {
      let value = member.move(to: leaf.position, tape)
      if !skipped.isEmpty, skipped.contains(value) { continue }
      if newer & 1 << UInt64(leaf.slot) != 0 { continue }
      if leaf.slot + 1 >= width { widen(to: leaf.slot + 2) }
      if write(tape[value], tape, at: row * width + leaf.slot + 1, &displaced) {
        changed |= 1 << UInt64(min(leaf.slot, 63))
      }
      if hasAges {
        ages.set(RowAges.expiry(leaf.timeToLive, now: now) ?? expiry, row, leaf.field)
      }
    }
    if changed != 0 { compactText() }
    return (changed, displaced)
  }

  /// Writes one leaf anywhere and says whether it has changed.
  mutating func writeLeaf(
    _ leaf: JSONCell, _ tape: JSONTape, _ row: Int, _ place: FieldPlace
  ) -> Bool {
    if place.slot >= 0 {
      if place.slot + 1 >= width { widen(to: place.slot + 2) }
      // Who writes a single leaf has made room for it.
      var displaced: [RecordReference] = []
      return write(leaf, tape, at: row * width + place.slot + 1, &displaced)
    }
    let old = cell(row, place)
    let (kind, text) = Self.kind(of: leaf, tape)
    if old.isText, holds(old, kind, isMarked: leaf.isMarked, text) { return false }
    let new =
      text.isEmpty && !Cell(kind).isText ? Cell(kind) : store(kind, isMarked: leaf.isMarked, text)
    if new == old { return false }
    release(old)
    setCell(new, row, place)
    return true
  }

  @inline(__always)
  private mutating func write(
    _ leaf: JSONCell, _ tape: JSONTape, at index: Int, _ displaced: inout [RecordReference]
  ) -> Bool {
    let old = cells[index]
    let (kind, text) = Self.kind(of: leaf, tape)
    let new: Cell
    if !Cell(kind).isText {
      new = Cell(kind)
      if new == old { return false }
    } else if text.count <= Cell.maximumInlineLength {
      new = Cell(kind, isMarked: leaf.isMarked, inline: text)
      if new == old { return false }
    } else {
      if old.isOutOfLine, holds(old, kind, isMarked: leaf.isMarked, text) { return false }
      new = store(kind, isMarked: leaf.isMarked, text)
    }
    if old.holdsMore { displace(old, &displaced) }
    cells[index] = new
    return true
  }

  @inline(never)
  private mutating func displace(_ old: Cell, _ displaced: inout [RecordReference]) {
    displaced += embeddedRecords(in: old)
    release(old)
  }

  /// The kind of a leaf, and its text if it has one. Arrays and objects without a selection are
  /// custom scalars, or lists of scalars, and are kept as they are spelled.
  @inline(__always)
  private static func kind(
    of leaf: JSONCell, _ tape: JSONTape
  ) -> (Cell.Kind, UnsafeBufferPointer<UInt8>) {
    switch leaf.kind {
    case .null: (.null, UnsafeBufferPointer(start: nil, count: 0))
    case .false: (.false, UnsafeBufferPointer(start: nil, count: 0))
    case .true: (.true, UnsafeBufferPointer(start: nil, count: 0))
    case .number: (.number, tape.text(leaf))
    case .string: (.string, tape.text(leaf))
    case .array, .object: (.json, tape.text(leaf))
    }
  }

  /// Gives back one list, not what it contains.
  mutating func releaseOnly(_ list: Cell) {
    for element in lists[list.list] where element.isOutOfLine { deadText += element.length }
    vacateList(list.list)
  }
}
