/// Makes a document without parsing: text and tape are written side by side.
///
/// For callers that know that what they write is JSON. The caller reserves room first
/// (``reserve(bytes:cells:)``) and then writes without checks. The text must be compact: no white
/// space, and `,` and `:` where they belong.
@usableFromInline
package struct JSONDocumentBuilder: ~Copyable {
  // Proof for all: the memory belongs to the caller of `start`, who keeps it until `finish`, or to
  // the builder, which frees it in `deinit` or hands it over in `finish`. The writers stay below the
  // capacities because their callers reserve before.
  @usableFromInline var textBuffer = Scratch<UInt8>()
  @usableFromInline var cellBuffer = Scratch<UInt64>()
  /// The key lists in the form of `JSONTape`; the first one is that of objects without members.
  private var keyLists = Scratch<UInt64>()

  /// A builder without room for anything; see ``start(text:cells:keyLists:)``.
  package init() {}

  deinit {
    textBuffer.release()
    cellBuffer.release()
    keyLists.release()
  }

  /// Writes into the caller's memory as long as there is room, and on the heap after that. Call it
  /// before anything is written.
  ///
  /// - Parameters:
  ///   - text: Memory for the text, which is at least one byte.
  ///   - cells: Memory for the tape, which is at least one cell.
  ///   - keyLists: Memory for the lists of keys, which is at least one cell.
  package mutating func start(
    text: UnsafeMutableBufferPointer<UInt8>, cells: UnsafeMutableBufferPointer<UInt64>,
    keyLists: UnsafeMutableBufferPointer<UInt64>
  ) {
    start(
      text: Scratch(startingIn: text), cells: Scratch(startingIn: cells),
      keyLists: Scratch(startingIn: keyLists))
  }

  /// Does the same with room for a tape of `cells` cells on the heap.
  package mutating func start(text: UnsafeMutableBufferPointer<UInt8>, cells: Int) {
    // One allocation for the key lists of most documents.
    start(
      text: Scratch(startingIn: text), cells: Scratch(capacity: cells),
      keyLists: Scratch(capacity: 32))
  }

  private mutating func start(
    text: Scratch<UInt8>, cells: Scratch<UInt64>, keyLists: Scratch<UInt64>
  ) {
    textBuffer = text
    cellBuffer = cells
    self.keyLists = keyLists
    self.keyLists.append(0)
  }

  /// Where the text begins. A pointer is valid until room is reserved again.
  @inlinable
  package var text: UnsafeMutablePointer<UInt8> { textBuffer.base }

  @inlinable
  package var textCount: Int {
    get { textBuffer.count }
    set { textBuffer.count = newValue }
  }

  @inlinable
  package var cellCount: Int { cellBuffer.count }

  /// Where the next value will be.
  @inlinable
  package var nextIndex: TapeIndex { TapeIndex(index: cellCount) }

  /// Makes room for this many more bytes and cells.
  @inlinable
  package mutating func reserve(bytes: Int, cells: Int) {
    if !textBuffer.hasRoom(for: bytes) || !cellBuffer.hasRoom(for: cells) {
      grow(bytes: bytes, cells: cells)
    }
  }

  @usableFromInline @inline(never)
  mutating func grow(bytes: Int, cells: Int) {
    textBuffer.reserve(bytes)
    cellBuffer.reserve(cells)
  }
}

extension JSONDocumentBuilder {
  /// Adds a cell. The room must be reserved.
  @inlinable
  package mutating func append(_ cell: JSONCell) {
    cellBuffer[cellBuffer.count] = cell.bits
    cellBuffer.count += 1
  }

  /// Adds one byte of text. The room must be reserved.
  @inlinable
  package mutating func append(_ byte: UInt8) {
    text[textCount] = byte
    textCount += 1
  }

  /// Adds up to eight bytes of text, the first one lowest. The room for eight must be reserved.
  @inlinable
  package mutating func appendWord(_ word: UInt64, count: Int) {
    UnsafeMutableRawPointer(text + textCount).storeBytes(of: word.littleEndian, as: UInt64.self)
    textCount += count
  }

  /// Adds text. The room must be reserved.
  @inlinable
  package mutating func append(_ source: UnsafePointer<UInt8>, count: Int) {
    (text + textCount).update(from: source, count: count)
    textCount += count
  }

  /// Begins an array or an object; the caller writes its first byte after that. The room for two
  /// cells must be reserved.
  @inlinable
  package mutating func open(_ kind: JSONCell.Kind) -> TapeIndex {
    let index = nextIndex
    cellBuffer[index.index] = JSONCell(kind, offset: textCount, length: 0).bits
    cellBuffer.count += 2
    return index
  }

  /// Ends an array or an object after its last byte was written.
  ///
  /// - Parameters:
  ///   - opened: what `open` returned.
  ///   - detail: an array's count of elements, or an object's key list.
  @inlinable
  package mutating func close(_ opened: TapeIndex, detail: Int) {
    let index = opened.index
    let cell = JSONCell(bits: cellBuffer[index])
    cellBuffer[index] =
      JSONCell(cell.kind, offset: cell.offset, length: textCount - cell.offset).bits
    cellBuffer[index + 1] = JSONExtent(cells: cellCount - index, detail: detail).bits
  }

  /// Ends an object before its first byte was written, with the text and the members of an object that
  /// the document has already. Does nothing and returns false if one of them is an object or an array: the
  /// keys of an inner object must be in its own text.
  package mutating func close(_ opened: TapeIndex, asCopyOf source: TapeIndex) -> Bool {
    let original = JSONCell(bits: cellBuffer[source.index])
    let extent = JSONExtent(bits: cellBuffer[source.index + 1])
    // The first word of a list of keys is their number.
    guard extent.cells == 2 + Int(keyLists[extent.detail]) else { return false }
    reserve(bytes: original.length, cells: extent.cells)
    let delta = textCount - original.offset
    append(text + original.offset, count: original.length)
    for at in source.index + 2..<source.index + extent.cells {
      append(JSONCell(bits: cellBuffer[at]).moved(by: delta))
    }
    close(opened, detail: extent.detail)
    return true
  }

  /// Adds a list of keys, each of which ``setKey(_:at:of:)`` has to set, and returns its index.
  package mutating func addKeyList(count: Int) -> Int {
    let list = keyLists.count
    keyLists.append(UInt64(count))
    for _ in 0..<count { keyLists.append(0) }
    return list
  }

  /// Sets a key, which is a string cell of this text.
  package mutating func setKey(_ key: JSONCell, at position: Int, of list: Int) {
    keyLists[list + 1 + position] = key.bits
  }

  /// Adds the root value of another document.
  package mutating func append(_ document: JSONDocument) {
    var keyLists = document.unknownKeyLists
    document.withTape { tape in
      let cell = tape[.root]
      let quotes = cell.kind == .string ? 1 : 0
      let start = cell.offset - quotes
      append(
        tape, cells: .root..<tape.next(.root), text: start..<start + cell.length + 2 * quotes,
        &keyLists)
    }
  }

  /// Adds a part of another document: cells and the text that they refer to.
  ///
  /// `keyLists` maps the key lists of the other document to those of this one. Where it is -1, the
  /// builder adds a new list, whose keys must be in the text that is added.
  package mutating func append(
    _ tape: JSONTape, cells range: Range<TapeIndex>, text slice: Range<Int>,
    _ keyLists: inout ContiguousArray<Int>
  ) {
    let cells = range.lowerBound.index..<range.upperBound.index
    reserve(bytes: slice.count, cells: cells.count)
    let delta = textCount - slice.lowerBound
    append(tape.text + slice.lowerBound, count: slice.count)
    var at = cells.lowerBound
    while at < cells.upperBound {
      let cell = JSONCell(bits: tape.cells[at])
      append(cell.moved(by: delta))
      at += 1
      guard cell.isContainer else { continue }
      var extent = JSONExtent(bits: tape.cells[at])
      at += 1
      if cell.kind == .object {
        let list = extent.detail
        if keyLists[list] < 0 {
          let count = tape.keyCount(list)
          // One check for each list, not for each object.
          precondition(
            count == 0 || slice.contains(tape.key(list, 0).offset), "The keys are elsewhere.")
          keyLists[list] = addKeyList(count: count)
          for at in 0..<count {
            setKey(tape.key(list, at).moved(by: delta), at: at, of: keyLists[list])
          }
        }
        extent = JSONExtent(cells: extent.cells, detail: keyLists[list])
      }
      append(JSONCell(bits: extent.bits))
    }
  }
}

extension JSONCell {
  /// Proof: the new offset is one of the text that is built, which `finish` limits to what fits
  /// into the offset's bits; a longer text is dropped with its cells.
  fileprivate func moved(by delta: Int) -> JSONCell {
    JSONCell(bits: bits &+ UInt64(bitPattern: Int64(delta)) << 8)
  }
}

// MARK: - The finished document

extension JSONDocumentBuilder {
  /// The number of bytes of text in the memory for it that `start` was passed; 0 if that was too
  /// small, and the text is on the heap.
  package var lentTextCount: Int { textBuffer.isOnHeap ? 0 : textCount }

  /// Ends the document. Nothing may be written after that.
  ///
  /// - Parameter lent: The memory for the text that `start` was passed, if it is an array's, so that
  ///   it need not be copied.
  /// - Returns: the document, whose first cell is its root; nil if the text is longer than a
  ///   document can be.
  package mutating func finish(lent: [UInt8]? = nil) -> JSONDocument? {
    guard textCount <= JSONCell.maximumOffset else { return nil }
    let bytes =
      (textBuffer.isOnHeap ? nil : lent?.withoutMuchSpareRoom)
      ?? [UInt8](UnsafeBufferPointer(start: text, count: textCount))
    let words = cellBuffer.take(more: keyLists.count)
    // Proof: there is room for the key lists behind the cells.
    (words + cellCount).update(from: keyLists.base, count: keyLists.count)
    return JSONDocument(
      bytes: bytes, words: words, cellCount: cellCount, wordCount: cellCount + keyLists.count)
  }
}

extension [UInt8] {
  /// The same bytes; copied if more than an eighth of the memory would stay unused.
  fileprivate var withoutMuchSpareRoom: [UInt8] {
    capacity - count <= count / 8 ? self : withUnsafeBufferPointer { [UInt8]($0) }
  }
}
