import GraphQLLanguage
import Weir

extension RecordReader {
  mutating func composite(
    _ cell: Cell, owner: RecordReference, _ node: SelectionNode
  ) -> Bool {
    switch cell.kind {
    case .reference, .embedded:
      return object(cell.record, node)
    case .list:
      return list(state[owner][cell.list], owner: owner, node)
    case .null:
      appendNull()
      return true
    case .absent, .false, .true, .number, .string, .json:
      return missingField()
    }
  }

  /// Reads an object within another one. Returns false if it, or a required value in it, is missing.
  @inline(__always)
  private mutating func object(_ record: RecordReference, _ node: SelectionNode) -> Bool {
    let row = state.view(record)
    guard row.header.type != .removed else {
      result.trace.noteDangling(record, state)
      return missingField(.dangling)
    }
    return object(record, row, node, isRoot: false)
  }

  func isDangling(_ record: RecordReference) -> Bool {
    state.header(record).type == .removed
  }

  /// Writes a list, and returns whether nothing is missing.
  ///
  /// Its elements may come from several pages. Then `own` has those of the requested page, and the
  /// ages of the others do not count.
  mutating func list(
    _ elements: ContiguousArray<Cell>, owner: RecordReference, _ node: SelectionNode,
    own: Set<UInt64>? = nil
  ) -> Bool {
    let opened = beginArray()
    let firstEntry = result.trace.entries.count
    var reuse = previous?.beginList(elements.count)
    var isPlain = true
    var count = 0
    var index = 0
    while index < elements.count {
      let element = elements[index]
      if dropsDangling, state.isLeftOut(element) {
        result.trace.noteDangling(element.record, state)
        index += 1
        continue
      }
      beginElement(count)
      let copied =
        previous == nil
        ? 0 : copyUnchanged(elements, from: index, node, position: count, &reuse)
      index += max(copied, 1)
      count += max(copied, 1)
      if copied > 0 { continue }
      if !element.isReference { isPlain = false }
      let isOwn = own?.contains(element.low) ?? true
      let isComplete =
        isOwn
        ? composite(element, owner: owner, node)
        : ignoringAges { $0.composite(element, owner: owner, node) }
      guard isComplete else { return false }
    }
    if isPlain, count >= DecodedElements.minimumCount {
      result.trace.longLists[firstEntry] = opened
      if let array = reuse?.sharedArray { result.shared[opened] = array }
    }
    endArray(opened, count)
    return true
  }

  mutating func beginArray() -> TapeIndex {
    builder.reserve(bytes: 8, cells: 4)
    let opened = builder.open(.array)
    builder.append(UInt8(ascii: "["))
    return opened
  }

  mutating func beginElement(_ position: Int) {
    builder.reserve(bytes: 16, cells: 4)
    if position > 0 { builder.append(UInt8(ascii: ",")) }
  }

  mutating func endArray(_ opened: TapeIndex, _ count: Int) {
    builder.reserve(bytes: 8, cells: 4)
    builder.append(UInt8(ascii: "]"))
    builder.close(opened, detail: count)
  }
}
