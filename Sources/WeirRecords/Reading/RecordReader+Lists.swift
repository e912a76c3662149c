import GraphQLLanguage
import Weir

extension RecordReader {
  mutating func composite(
    _ cell: Cell, owner: RecordReference, _ node: SelectionNode
  ) -> Bool {
    switch cell.kind {
    case .reference, .embedded:
      if isDangling(cell.record) {
        trace.noteDangling(cell.record, state)
        return missingField(.dangling)
      }
      return object(cell.record, node, isRoot: false)
    case .list:
      return list(cell, owner: owner, node)
    case .null:
      appendNull()
      return true
    case .absent, .false, .true, .number, .string, .json:
      return missingField()
    }
  }
  func isDangling(_ record: RecordReference) -> Bool {
    state.header(record).type == .removed
  }

  package mutating func list(
    _ cell: Cell, owner: RecordReference, _ node: SelectionNode
  ) -> Bool {
    builder.reserve(bytes: 8, cells: 4)
    let opened = builder.open(.array)
    builder.append(UInt8(ascii: "["))
    let elements = state[owner].lists[cell.list]
    let firstEntry = trace.entries.count
    var reuse = previous?.beginList(elements.count)
    var isPlain = true
    var count = 0
    var index = 0
    while index < elements.count {
      let element = elements[index]
      if dropsDangling, element.isReference, isDangling(element.record) {
        trace.noteDangling(element.record, state)
        index += 1
        continue
      }
      builder.reserve(bytes: 16, cells: 4)
      if count > 0 { builder.append(UInt8(ascii: ",")) }
      let copied =
        previous == nil
        ? 0 : copyUnchanged(elements, from: index, node, position: count, &reuse)
      index += max(copied, 1)
      count += max(copied, 1)
      if copied > 0 { continue }
      if !element.isReference { isPlain = false }
      guard composite(element, owner: owner, node) else { return false }
    }
    if isPlain, count >= DecodedElements.minimumCount {
      trace.longLists[firstEntry] = opened
      if let array = reuse?.sharedArray { shared[opened] = array }
    }
    builder.reserve(bytes: 8, cells: 4)
    builder.append(UInt8(ascii: "]"))
    builder.close(opened, detail: count)
    return true
  }
}
