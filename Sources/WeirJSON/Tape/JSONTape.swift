/// A view of a document's cells for code that runs once per cell.
///
/// Nothing here makes a `String` or touches a reference count. A value is named by the index of its
/// (first) cell; the root is 0. A view is only valid inside the closure of `withTape` that it was
/// given to. Cell indices must come from the same document.
///
/// Objects have no keys on the tape. They name a *key list*, and objects with the same keys in the
/// same order share one, so what was found out about a key list (where `__typename` is, for
/// example) holds for each object that has it.
@frozen @usableFromInline
package struct JSONTape {
  /// The text. Proof of validity: `withTape` keeps the array alive and borrowed for its closure.
  @usableFromInline package let text: UnsafePointer<UInt8>

  /// The cells. Proof of validity: the document owns them and `withTape` keeps it alive.
  @usableFromInline package let cells: UnsafePointer<UInt64>

  /// The key lists: one word with the count, then a string cell for each key.
  @usableFromInline package let keyLists: UnsafePointer<UInt64>

  @inlinable @inline(__always)
  package init(
    text: UnsafePointer<UInt8>, cells: UnsafePointer<UInt64>, keyLists: UnsafePointer<UInt64>
  ) {
    self.text = text
    self.cells = cells
    self.keyLists = keyLists
  }

  /// The cell of a value.
  @inlinable @inline(__always)
  package subscript(_ index: Int) -> JSONCell { JSONCell(bits: cells[index]) }

  /// How far a container reaches, and its count or key list.
  @inlinable @inline(__always)
  package func extent(_ container: Int) -> JSONExtent { JSONExtent(bits: cells[container + 1]) }

  /// The first element of an array, or the first member's value of an object, if there is one.
  @inlinable @inline(__always)
  package func firstChild(_ container: Int) -> Int { container + 2 }

  /// The cell after a value: its next sibling, if it has one.
  @inlinable @inline(__always)
  package func next(_ index: Int) -> Int {
    self[index].isContainer ? index + extent(index).cells : index + 1
  }

  /// The key list of an object. 0 is that of objects without members.
  @inlinable @inline(__always)
  package func keyList(_ object: Int) -> Int { extent(object).detail }

  /// How many keys a key list has.
  @inlinable @inline(__always)
  package func keyCount(_ list: Int) -> Int {
    Int(truncatingIfNeeded: keyLists[list] & 0xffff_ffff)
  }

  /// A key's string cell.
  @inlinable @inline(__always)
  package func key(_ list: Int, _ position: Int) -> JSONCell {
    JSONCell(bits: keyLists[list + 1 + position])
  }

  /// How many elements or members a container has, 0 for anything else.
  @inlinable @inline(__always)
  package func count(_ index: Int) -> Int {
    switch self[index].kind {
    case .array: extent(index).detail
    case .object: keyCount(keyList(index))
    default: 0
    }
  }

  /// The value of the member at a position. Costs one step for each member before it.
  @inlinable @inline(__always)
  package func value(_ object: Int, at position: Int) -> Int {
    var index = firstChild(object)
    for _ in 0..<position { index = next(index) }
    return index
  }

  /// The text of a value, of a string without its quotes.
  @inlinable @inline(__always)
  package func text(_ cell: JSONCell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text + cell.offset, count: cell.length)
  }

  /// The value of `true` or `false`.
  @inlinable @inline(__always)
  package func bool(_ cell: JSONCell) -> Bool? {
    switch cell.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }
}
