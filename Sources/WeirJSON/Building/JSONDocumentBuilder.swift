import Foundation

/// Makes a document without parsing: text and tape are written side by side.
///
/// For who knows that what it writes is JSON. The caller reserves room first (``reserve(bytes:cells:)``)
/// and then writes without checks; what it writes must be compact: no white space, `,` and `:`
/// where they belong.
@usableFromInline
package struct JSONDocumentBuilder: ~Copyable {
  // Proof for both: allocated here, or lent from `lend` to `endLending`; grown only by `reserve`,
  // freed in `deinit` or handed over by `finish`; the writers stay below the capacities because
  // their callers reserve before.
  @usableFromInline package var text: UnsafeMutablePointer<UInt8>
  @usableFromInline package var cells: UnsafeMutablePointer<UInt64>
  @usableFromInline package var textCount = 0
  @usableFromInline package var cellCount = 0
  /// The key lists in the form of `JSONTape`; the first one is that of objects without members.
  private var keyLists: [UInt64] = []
  @usableFromInline var textCapacity: Int
  @usableFromInline var cellCapacity: Int
  /// Whether the text lies in memory of somebody else; see ``lend(_:)``.
  private var isTextLent = false

  /// A builder with room for a tape of `cells` cells, and for a text of a few bytes; both grow.
  package init(cells: Int) {
    textCapacity = 64
    cellCapacity = max(cells, 16)
    text = Self.allocated(nil, textCapacity)
    self.cells = Self.allocated(nil, cellCapacity)
    keyLists.reserveCapacity(32)
    keyLists.append(0)
  }

  deinit {
    if !isTextLent { free(text) }
    free(cells)
  }

  /// Memory for `count` elements, which begins with what is at `old`. Large blocks are moved by the
  /// kernel, without being copied.
  private static func allocated<Element: BitwiseCopyable>(
    _ old: UnsafeMutablePointer<Element>?, _ count: Int
  ) -> UnsafeMutablePointer<Element> {
    guard let memory = realloc(old, count * MemoryLayout<Element>.stride) else {
      preconditionFailure("Out of memory")
    }
    return memory.assumingMemoryBound(to: Element.self)
  }

  /// Makes room for this many more bytes and cells.
  @inlinable @inline(__always)
  package mutating func reserve(bytes: Int, cells: Int) {
    if textCount + bytes > textCapacity || cellCount + cells > cellCapacity {
      grow(bytes: bytes, cells: cells)
    }
  }

  @usableFromInline @inline(never)
  mutating func grow(bytes: Int, cells more: Int) {
    if textCount + bytes > textCapacity {
      textCapacity = max(textCapacity * 2, textCount + bytes)
      let lent = isTextLent ? text : nil
      text = Self.allocated(isTextLent ? nil : text, textCapacity)
      // Proof: the new block is larger than what was written to the lent one.
      if let lent { text.update(from: lent, count: textCount) }
      isTextLent = false
    }
    if cellCount + more > cellCapacity {
      cellCapacity = max(cellCapacity * 2, cellCount + more)
      cells = Self.allocated(cells, cellCapacity)
    }
  }
}

extension JSONDocumentBuilder {
  /// Adds a cell. The room must be reserved.
  @inlinable @inline(__always)
  package mutating func append(_ cell: JSONCell) {
    cells[cellCount] = cell.bits
    cellCount += 1
  }

  /// Adds one byte of text. The room must be reserved.
  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    text[textCount] = byte
    textCount += 1
  }

  /// Adds up to eight bytes of text, the first one lowest. The room for eight must be reserved.
  @inlinable @inline(__always)
  package mutating func appendWord(_ word: UInt64, count: Int) {
    UnsafeMutableRawPointer(text + textCount).storeBytes(of: word.littleEndian, as: UInt64.self)
    textCount += count
  }

  /// Adds text. The room must be reserved.
  @inlinable @inline(__always)
  package mutating func append(_ source: UnsafePointer<UInt8>, count: Int) {
    (text + textCount).update(from: source, count: count)
    textCount += count
  }

  /// Begins an array or an object, whose first byte is written by the caller after this. The room
  /// for two cells must be reserved.
  @inlinable @inline(__always)
  package mutating func open(_ kind: JSONCell.Kind) -> Int {
    let index = cellCount
    cells[index] = JSONCell(kind, offset: textCount, length: 0).bits
    cellCount += 2
    return index
  }

  /// Ends an array or an object, whose last byte has been written, with its count of elements or
  /// its key list.
  @inlinable @inline(__always)
  package mutating func close(_ index: Int, detail: Int) {
    let opened = JSONCell(bits: cells[index])
    cells[index] =
      JSONCell(opened.kind, offset: opened.offset, length: textCount - opened.offset).bits
    cells[index + 1] = JSONExtent(cells: cellCount - index, detail: detail).bits
  }

  /// Adds a list of keys, each as a string cell of this text, and answers with its place.
  package mutating func addKeyList(_ keys: some Collection<JSONCell>) -> Int {
    let place = keyLists.count
    keyLists.append(UInt64(keys.count))
    for key in keys { keyLists.append(key.bits) }
    return place
  }

  /// Adds the value that another document is.
  package mutating func append(_ document: JSONDocument) {
    var keyLists = document.unknownKeyLists
    document.withTape { tape in
      let cell = tape[0]
      let quotes = cell.kind == .string ? 1 : 0
      let start = cell.offset - quotes
      append(
        tape, cells: 0..<tape.next(0), text: start..<start + cell.length + 2 * quotes, &keyLists)
    }
  }

  /// Adds a part of another document: cells with the text that they refer to.
  ///
  /// `keyLists` says which key list of this document takes the place of which one of the other; for
  /// those that are -1 a new one is made, whose keys must be in the text that is added.
  package mutating func append(
    _ tape: JSONTape, cells range: Range<Int>, text slice: Range<Int>,
    _ keyLists: inout ContiguousArray<Int>
  ) {
    reserve(bytes: slice.count, cells: range.count)
    let delta = textCount - slice.lowerBound
    append(tape.text + slice.lowerBound, count: slice.count)
    var at = range.lowerBound
    while at < range.upperBound {
      let cell = tape[at]
      append(cell.moved(by: delta))
      at += 1
      guard cell.isContainer else { continue }
      var extent = JSONExtent(bits: tape.cells[at])
      at += 1
      if cell.kind == .object {
        let list = extent.detail
        if keyLists[list] < 0 {
          keyLists[list] = addKeyList(
            (0..<tape.keyCount(list)).map { tape.key(list, $0).moved(by: delta) })
        }
        extent = JSONExtent(cells: extent.cells, detail: keyLists[list])
      }
      cells[cellCount] = extent.bits
      cellCount += 1
    }
  }
}

extension JSONCell {
  /// Proof: the offset stays within its bits, as it does in the document that it is moved to.
  @inline(__always)
  fileprivate func moved(by delta: Int) -> JSONCell {
    JSONCell(bits: bits &+ UInt64(bitPattern: Int64(delta)) << 8)
  }
}

// MARK: - The finished document

extension JSONDocumentBuilder {
  /// Writes the text to where the document is to keep it, as long as there is room: no byte has to
  /// be copied then. Before anything is written; the memory is the caller's.
  package mutating func lend(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = memory.baseAddress else { return }
    free(text)
    text = start
    textCapacity = memory.count
    isTextLent = true
  }

  /// The memory that was lent is taken back.
  ///
  /// - Returns: how many bytes of text are in it; 0 if it was too small, and they are elsewhere.
  package mutating func endLending() -> Int {
    guard isTextLent else { return 0 }
    // Proof: no room is left, so nothing is written to the memory any more.
    textCapacity = textCount
    return textCount
  }

  /// The document, whose first cell is its root; nil if the text is longer than a document can be.
  /// What was lent is handed over as an array.
  package consuming func finish(_ lent: [UInt8]) -> JSONDocument? {
    guard textCount <= JSONCell.maximumOffset else { return nil }
    reserve(bytes: 0, cells: keyLists.count)
    for word in keyLists {
      cells[cellCount] = word
      cellCount += 1
    }
    let bytes = isTextLent ? lent.withoutMuchSpareRoom : written
    let words = Self.allocated(cells, cellCount)
    // That block has another owner now; what is left is freed.
    cells = Self.allocated(nil, 1)
    return JSONDocument(
      bytes: bytes, words: words, cellCount: cellCount - keyLists.count, wordCount: cellCount)
  }

  private var written: [UInt8] { [UInt8](UnsafeBufferPointer(start: text, count: textCount)) }
}

extension [UInt8] {
  /// The same bytes; copied if an eighth of the memory would be kept for nothing.
  fileprivate var withoutMuchSpareRoom: [UInt8] {
    capacity - count <= count / 8 ? self : withUnsafeBufferPointer { [UInt8]($0) }
  }
}
