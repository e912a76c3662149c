import Foundation
package import Weir

#if canImport(Android)
  import Android
#endif
// MARK: - Texts and lists

extension RowChunk {
  /// Runs `body` with the bytes of a cell that holds text.
  package func withText<Result>(_ cell: Cell, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
    -> Result
  {
    if cell.isOutOfLine {
      return text.withUnsafeBufferPointer {
        body(UnsafeBufferPointer(rebasing: $0[cell.offset..<cell.offset + cell.length]))
      }
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { buffer in
      // Proof: 14 bytes are written to a buffer of 16, and at most 14 are read.
      guard let base = buffer.baseAddress else { return body(UnsafeBufferPointer(buffer)) }
      cell.storeInline(to: base)
      return body(UnsafeBufferPointer(start: base, count: min(cell.length, 14)))
    }
  }

  /// A leaf as JSON text; nil for references, embedded records and lists of them.
  func json(of cell: Cell) -> [UInt8]? {
    switch cell.kind {
    case .null: Array("null".utf8)
    case .true: Array("true".utf8)
    case .false: Array("false".utf8)
    case .number, .json: withText(cell) { Array($0) }
    case .string: withText(cell) { [34] + Array($0) + [34] }
    case .absent, .reference, .embedded, .list: nil
    }
  }

  /// A leaf as a tree; nil for anything else.
  package func value(of cell: Cell) -> JSONValue? {
    json(of: cell).flatMap { try? JSON(parsing: $0).value }
  }

  /// Makes a cell for a text, which is copied to the chunk if it is too long to be inline.
  mutating func store(
    _ kind: Cell.Kind, isIrregular: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Cell {
    if bytes.count <= Cell.maximumInlineLength {
      return Cell(kind, isIrregular: isIrregular, inline: bytes)
    }
    return Cell(kind, isIrregular: isIrregular, offset: append(bytes), length: bytes.count)
  }

  /// Appends a text and returns its offset.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if text.count - textCount < bytes.count { growText(by: bytes.count) }
    let offset = textCount
    text.withUnsafeMutableBufferPointer { text in
      guard let target = text.baseAddress, let source = bytes.baseAddress else { return }
      // Proof: there are `bytes.count` bytes behind `offset`, and no cell refers to them.
      (target + offset).update(from: source, count: bytes.count)
    }
    textCount = offset + bytes.count
    return offset
  }

  @inline(never)
  private mutating func growText(by more: Int) {
    var grown = ContiguousArray<UInt8>(
      repeating: 0, count: max(64, textCount + more, text.count * 2))
    grown.replaceSubrange(0..<textCount, with: text[0..<textCount])
    text = grown
  }

  /// Whether a cell holds exactly this text.
  func holds(
    _ cell: Cell, _ kind: Cell.Kind, isIrregular: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard cell.kind == kind, cell.isIrregular == isIrregular, cell.length == bytes.count else {
      return false
    }
    if !cell.isOutOfLine { return cell == Cell(kind, isIrregular: isIrregular, inline: bytes) }
    return textEquals(cell, bytes)
  }

  /// Whether an out-of-line cell has the same text as the given one of the same length.
  func textEquals(_ cell: Cell, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { text in
      guard let mine = text.baseAddress, let others = bytes.baseAddress else { return true }
      // Proof: the cell's range lies in the chunk's text, and is as long as `bytes`.
      return memcmp(mine + cell.offset, others, bytes.count) == 0
    }
  }

  /// The elements of a list.
  package subscript(list: ListID) -> ContiguousArray<Cell> {
    get { lists[list.index] }
    _modify { yield &lists[list.index] }
  }

  mutating func addList(_ elements: ContiguousArray<Cell>) -> Cell {
    if let free = freeLists.popLast() {
      self[free] = elements
      return Cell(free)
    }
    lists.append(elements)
    return Cell(ListID(index: lists.count - 1))
  }

  /// Frees what a cell refers to in this chunk, including nested lists. Embedded records are the
  /// caller's responsibility.
  mutating func release(_ cell: Cell) {
    if cell.isOutOfLine {
      deadText += cell.length
    } else if cell.kind == .list {
      for element in self[cell.list] { release(element) }
      vacateList(cell.list)
    }
  }

  mutating func vacateList(_ list: ListID) {
    self[list] = []
    freeLists.append(list)
  }

  /// Compacts the text if more than half of it is unused.
  package mutating func compactText() {
    guard deadText > Self.maximumDeadText, deadText * 2 > textCount else { return }
    var compacted: ContiguousArray<UInt8> = []
    compacted.reserveCapacity(textCount - deadText)
    for index in cells.indices where cells[index].isOutOfLine {
      cells[index] = Self.move(cells[index], from: text, to: &compacted)
    }
    for row in overflow.keys {
      overflow[row] = overflow[row]?.mapValues { cell in
        cell.isOutOfLine ? Self.move(cell, from: text, to: &compacted) : cell
      }
    }
    text = compacted
    textCount = compacted.count
    deadText = 0
  }

  private static func move(
    _ cell: Cell, from text: ContiguousArray<UInt8>, to target: inout ContiguousArray<UInt8>
  ) -> Cell {
    let offset = target.count
    target.append(contentsOf: text[cell.offset..<cell.offset + cell.length])
    return Cell(cell.kind, isIrregular: cell.isIrregular, offset: offset, length: cell.length)
  }
}
