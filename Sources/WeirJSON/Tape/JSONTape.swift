/// A view of a document's cells for code that runs once for each cell.
///
/// Nothing here creates a `String` or counts references. A ``TapeIndex`` identifies a value. A view is valid only inside the closure that `withTape` passes it to. Cell
/// indices must come from the same document.
///
/// Objects have no keys on the tape. They refer to a *key list*, which all objects with the same
/// keys in the same order share. So a fact about a key list (the position of `__typename`, for
/// example) holds for all objects that refer to it.
@frozen @usableFromInline
package struct JSONTape {
  /// The text. Proof of validity: `withTape` borrows the array while its closure runs.
  @usableFromInline package let text: UnsafePointer<UInt8>

  /// The cells. Proof of validity: the document owns them, and `withTape` keeps it alive.
  @usableFromInline package let cells: UnsafePointer<UInt64>

  /// The key lists: one word with the count, and then a string cell for each key. Proof of
  /// validity: as for the cells.
  @usableFromInline package let keyLists: UnsafePointer<UInt64>

  @inlinable
  package init(
    text: UnsafePointer<UInt8>, cells: UnsafePointer<UInt64>, keyLists: UnsafePointer<UInt64>
  ) {
    self.text = text
    self.cells = cells
    self.keyLists = keyLists
  }

  /// The cell of a value.
  @inlinable
  package subscript(_ index: TapeIndex) -> JSONCell { JSONCell(bits: cells[index.index]) }

  /// A container's second cell.
  @inlinable
  package func extent(_ container: TapeIndex) -> JSONExtent {
    JSONExtent(bits: cells[container.index + 1])
  }

  /// The first element of an array, or the first member's value of an object, if there is one.
  @inlinable
  package func firstChild(_ container: TapeIndex) -> TapeIndex { container.firstChild }

  /// The cell after a value, which is its next sibling if it has one.
  @inlinable
  package func next(_ index: TapeIndex) -> TapeIndex {
    TapeIndex(index: index.index + (self[index].isContainer ? extent(index).cells : 1))
  }

  /// The key list of an object; 0 for objects without members.
  @inlinable
  package func keyList(_ object: TapeIndex) -> Int { extent(object).detail }

  /// The number of keys in a key list.
  @inlinable
  package func keyCount(_ list: Int) -> Int {
    Int(truncatingIfNeeded: keyLists[list] & 0xffff_ffff)
  }

  /// A key's string cell.
  @inlinable
  package func key(_ list: Int, _ position: Int) -> JSONCell {
    JSONCell(bits: keyLists[list + 1 + position])
  }

  /// The number of a container's elements or members; 0 for other values.
  @inlinable
  package func count(_ index: TapeIndex) -> Int {
    switch self[index].kind {
    case .array: extent(index).detail
    case .object: keyCount(keyList(index))
    default: 0
    }
  }

  /// Returns the value of the member at a position. Costs one step for each member before it.
  @inlinable @inline(__always)
  package func value(_ object: TapeIndex, at position: Int) -> TapeIndex {
    var index = firstChild(object)
    for _ in 0..<position { index = next(index) }
    return index
  }

  /// The text of a value; without the quotes of a string.
  @inlinable
  package func text(_ cell: JSONCell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text + cell.offset, count: cell.length)
  }

  /// The value of `true` or `false`.
  @inlinable
  package func bool(_ cell: JSONCell) -> Bool? {
    switch cell.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The values in an array or an object, in order; none in any other value.
  package func children(of container: TapeIndex) -> Children {
    Children(tape: self, index: firstChild(container), underestimatedCount: count(container))
  }

  package struct Children: Sequence, IteratorProtocol {
    let tape: JSONTape
    var index: TapeIndex
    /// The number of values that are left.
    package var underestimatedCount: Int

    package mutating func next() -> TapeIndex? {
      guard underestimatedCount > 0 else { return nil }
      underestimatedCount -= 1
      defer { index = tape.next(index) }
      return index
    }
  }
}
