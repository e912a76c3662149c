import Weir

/// In an update, an unchanged value in one place does not undo a change in another: the data may show an
/// entity several times.
extension RecordWriter {
  /// Whether a leaf has the value of before the update.
  func isUnchanged(_ leaf: TapeIndex, _ place: FieldPlace, of record: RecordReference) -> Bool {
    guard let before, before.hasRow(of: record) else { return false }
    return before[record].means(before.cell(record, place), tape[leaf], tape)
  }

  /// Whether a member other than a leaf with a slot has the value of before the update, and the update has
  /// changed it in another place. Then only what is below it is written.
  mutating func keepsChange(
    _ value: TapeIndex, _ member: WriteLayout.Other, _ place: FieldPlace,
    of record: RecordReference, _ context: WriteContext, _ state: inout RecordState
  ) -> Bool {
    guard let before, before.hasRow(of: record) else { return false }
    if member.node < 0 { return isUnchanged(value, place, of: record) }
    if let elements = shownLists[value],
      isSame(array: value, member, as: elements, of: record, before)
    {
      keptLists.insert(value)
      writeOlder(value, member, context, &state)
      return true
    }
    guard hasChanged(place, of: record, state),
      isSame(value, member, as: before.cell(record, place), of: record, before)
    else { return false }
    writeOlder(value, member, context, &state)
    return true
  }

  /// Whether the update has changed a field that holds objects.
  func hasChanged(
    _ place: FieldPlace, of record: RecordReference, _ state: borrowing RecordState
  ) -> Bool {
    guard let before, before.hasRow(of: record) else { return false }
    return !before.holds(before.cell(record, place), state.cell(record, place), of: record, state)
  }

  /// Whether a value is what a field, or an element of its list, had before the update.
  private mutating func isSame(
    _ value: TapeIndex, _ member: WriteLayout.Other, as cell: Cell, of owner: RecordReference,
    _ before: RecordState
  ) -> Bool {
    switch tape[value].kind {
    case .null: return cell == .null
    case .array:
      guard cell.kind == .list else { return false }
      return isSame(
        array: value, member, as: before.elements(cell, of: owner), of: owner, before)
    case .object:
      guard cell.isReference else { return false }
      return isSame(object: value, layout(of: value, member), as: cell, before)
    case .string, .number, .true, .false: return false
    }
  }

  private mutating func isSame(
    array: TapeIndex, _ member: WriteLayout.Other, as elements: ContiguousArray<Cell>,
    of owner: RecordReference, _ before: RecordState
  ) -> Bool {
    var elements = elements
    if catalog.policies.dropsDangling {
      elements.removeAll { before.isLeftOut($0) }
    }
    guard elements.count == tape.count(array) else { return false }
    var element = tape.firstChild(array)
    for old in elements {
      guard isSame(element, member, as: old, of: owner, before) else { return false }
      element = tape.next(element)
    }
    return true
  }

  private mutating func isSame(
    object: TapeIndex, _ layout: WriteLayout, as cell: Cell, _ before: RecordState
  ) -> Bool {
    let record = cell.record
    if layout.isRoot, let root = layout.table.root { return record == root.reference }
    if let key = slowKey(of: object, layout) {
      // Proof: the key lives until the closure returns, and is only compared.
      return key.withUnsafeBufferPointer { before.record(table: layout.table, key: $0) } == record
    }
    guard before.header(record).type == layout.shape.type else { return false }
    var cursor = MemberCursor(object, tape)
    for leaf in layout.leaves {
      let value = cursor.move(to: leaf.position, tape)
      guard isUnchanged(value, leaf.place, of: record) else { return false }
    }
    cursor = MemberCursor(object, tape)
    for other in layout.others {
      let value = cursor.move(to: other.position, tape)
      guard let place = place(of: other, in: record) else { return false }
      let isSame =
        other.node < 0
        ? isUnchanged(value, place, of: record)
        : self.isSame(value, other, as: before.cell(record, place), of: record, before)
      guard isSame else { return false }
    }
    return true
  }
}

extension RecordState {
  /// Whether two cells of a record, of which one is in another state, refer to the same objects.
  fileprivate func holds(
    _ cell: Cell, _ other: Cell, of record: RecordReference, _ state: borrowing RecordState
  ) -> Bool {
    guard cell.kind == .list, other.kind == .list else { return cell == other }
    let (mine, others) = (elements(cell, of: record), state.elements(other, of: record))
    return mine.count == others.count
      && mine.indices.allSatisfy { holds(mine[$0], others[$0], of: record, state) }
  }
}

extension RowChunk {
  /// Whether a cell of the chunk has the value of a leaf, perhaps in another spelling.
  fileprivate func means(_ cell: Cell, _ leaf: JSONCell, _ tape: JSONTape) -> Bool {
    if isSame(cell, leaf, tape) { return true }
    guard cell.isText, cell.kind == Cell(leaf, outOfLineAt: 0).kind,
      cell.kind == .json || cell.isIrregular || leaf.isIrregular
    else { return false }
    let text = Array(tape.text(leaf))
    let quoted = leaf.kind == .string ? [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")] : text
    guard let one = json(of: cell).flatMap({ try? JSON(parsing: $0) }),
      let other = try? JSON(parsing: quoted)
    else { return false }
    return one == other
  }
}
