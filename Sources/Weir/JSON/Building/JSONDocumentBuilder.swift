import Foundation

/// Makes a document without parsing: text and tape are written side by side.
///
/// For who knows that what it writes is JSON. The caller reserves room first (``reserve(bytes:cells:)``)
/// and then writes without checks; what it writes must be compact: no white space, `,` and `:`
/// where they belong.
@usableFromInline
package struct JSONDocumentBuilder: ~Copyable {
  // Proof for both: allocated here, grown only by `reserve`, freed in `deinit` or handed over by
  // `finish`; the writers stay below the capacities because their callers reserve before.
  @usableFromInline package var text: UnsafeMutablePointer<UInt8>
  @usableFromInline package var cells: UnsafeMutablePointer<UInt64>
  @usableFromInline package var textCount = 0
  @usableFromInline package var cellCount = 0
  /// The key lists in the form of `JSONTape`; the first one is that of objects without members.
  private var keyLists: [UInt64] = [0]
  @usableFromInline var textCapacity: Int
  @usableFromInline var cellCapacity: Int

  /// A builder with room for a text of `bytes` bytes and a tape of `cells` cells; both grow.
  package init(bytes: Int, cells: Int) {
    textCapacity = max(bytes, 64)
    cellCapacity = max(cells, 16)
    text = Self.allocate(textCapacity, of: UInt8.self)
    self.cells = Self.allocate(cellCapacity, of: UInt64.self)
  }

  deinit {
    free(text)
    free(cells)
  }

  private static func allocate<Element: BitwiseCopyable>(
    _ count: Int, of type: Element.Type
  ) -> UnsafeMutablePointer<Element> {
    guard let memory = malloc(count * MemoryLayout<Element>.stride) else {
      preconditionFailure("Out of memory")
    }
    return memory.assumingMemoryBound(to: type)
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
      let larger = Self.allocate(textCapacity, of: UInt8.self)
      memcpy(larger, text, textCount)
      free(text)
      text = larger
    }
    if cellCount + more > cellCapacity {
      cellCapacity = max(cellCapacity * 2, cellCount + more)
      let larger = Self.allocate(cellCapacity, of: UInt64.self)
      memcpy(larger, cells, cellCount * MemoryLayout<UInt64>.stride)
      free(cells)
      cells = larger
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
    document.withTape { tape in
      let index = 0
      let cell = tape[index]
      let quotes = cell.kind == .string ? 1 : 0
      let start = cell.offset - quotes
      let length = cell.length + 2 * quotes
      reserve(bytes: length, cells: tape.next(index) - index)
      let delta = textCount - start
      append(tape.text + start, count: length)
      copyCells(tape, index..<tape.next(index), delta: delta)
    }
  }

  private mutating func copyCells(_ tape: JSONTape, _ range: Range<Int>, delta: Int) {
    var places: [Int: Int] = [0: 0]
    var at = range.lowerBound
    while at < range.upperBound {
      let cell = tape[at]
      append(cell.moved(by: delta))
      at += 1
      guard cell.isContainer else { continue }
      var extent = JSONExtent(bits: tape.cells[at])
      if cell.kind == .object {
        let list = extent.detail
        let place =
          places[list]
          ?? addKeyList((0..<tape.keyCount(list)).map { tape.key(list, $0).moved(by: delta) })
        places[list] = place
        extent = JSONExtent(cells: extent.cells, detail: place)
      }
      cells[cellCount] = extent.bits
      cellCount += 1
      at += 1
    }
  }
}

extension JSONCell {
  fileprivate func moved(by delta: Int) -> JSONCell {
    JSONCell(kind, isMarked: isMarked, offset: offset + delta, length: length)
  }
}

extension JSONDocumentBuilder {
  /// The document, whose first cell is its root; nil if the text is longer than a document can be.
  package consuming func finish() -> JSONDocument? {
    guard textCount <= JSONCell.maximumOffset else { return nil }
    let bytes = [UInt8](UnsafeBufferPointer(start: text, count: textCount))
    let words = Self.allocate(cellCount + keyLists.count, of: UInt64.self)
    memcpy(words, cells, cellCount * MemoryLayout<UInt64>.stride)
    keyLists.withUnsafeBufferPointer { lists in
      if let base = lists.baseAddress {
        (words + cellCount).update(from: base, count: lists.count)
      }
    }
    return JSONDocument(
      bytes: bytes, words: words, cellCount: cellCount, wordCount: cellCount + keyLists.count)
  }
}
