package import Weir

/// A value of a record's field, in 16 bytes.
///
/// `high` holds the kind in its top byte. Texts of up to 14 bytes are inline: eight bytes in `low`,
/// six in `high`, the length in between; longer ones lie in the text of the row's chunk. Strings
/// are kept as they are spelled in JSON, without quotes, so that writing and reading copies bytes.
package struct Cell: Equatable {
  package var low: UInt64
  var high: UInt64

  package enum Kind: UInt8 {
    case absent, null, `false`, `true`, number, string
    /// An array or object of a custom scalar, as JSON text.
    case json
    /// A record with a key of its own.
    case reference
    /// A record that belongs to this field: an object without a key.
    case embedded
    case list
  }

  package static let absent = Cell(low: 0, high: 0)
  package static let null = Cell(.null)

  private static let markedBit: UInt64 = 0x10 << 56
  private static let outOfLineBit: UInt64 = 0x20 << 56
  static let maximumInlineLength = 14

  @inline(__always)
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  @inline(__always)
  package init(_ kind: Kind, low: UInt64 = 0) {
    self.low = low
    high = UInt64(kind.rawValue) << 56
  }

  /// A text that lies in the chunk.
  @inline(__always)
  package init(_ kind: Kind, isMarked: Bool, offset: Int, length: Int) {
    low = UInt64(truncatingIfNeeded: offset)
    high =
      UInt64(kind.rawValue) << 56 | Self.outOfLineBit | (isMarked ? Self.markedBit : 0)
      | UInt64(truncatingIfNeeded: length)
  }

  /// A text of at most 14 bytes.
  @inline(__always)
  package init(_ kind: Kind, isMarked: Bool, inline text: UnsafeBufferPointer<UInt8>) {
    (low, high) = Self.packed(text)
    high |=
      UInt64(kind.rawValue) << 56 | (isMarked ? Self.markedBit : 0)
      | UInt64(truncatingIfNeeded: text.count) << 48
  }

  /// A text of at most 14 bytes that was packed already.
  @inline(__always)
  package init(_ kind: Kind, packed text: (UInt64, UInt64), length: Int) {
    low = text.0
    high =
      text.1 | UInt64(kind.rawValue) << 56 | UInt64(truncatingIfNeeded: length) << 48
  }

  /// A leaf of a response that fits. Arrays and objects without a selection are custom scalars, or
  /// lists of scalars, and are kept as they are spelled.
  @inline(__always)
  package init(_ leaf: JSONCell, _ tape: JSONTape) {
    guard leaf.hasText else {
      (low, high) = (0, leaf.kindOfCell)
      return
    }
    (low, high) = Self.packed(leaf, tape)
    high |=
      leaf.kindOfCell | (leaf.isMarked ? Self.markedBit : 0)
      | UInt64(truncatingIfNeeded: leaf.length) << 48
  }

  /// A leaf of a response whose text lies in the chunk.
  @inline(__always)
  package init(_ leaf: JSONCell, outOfLineAt offset: Int) {
    low = UInt64(truncatingIfNeeded: offset)
    high =
      leaf.kindOfCell | Self.outOfLineBit | (leaf.isMarked ? Self.markedBit : 0)
      | UInt64(truncatingIfNeeded: leaf.length)
  }

  /// Proof: cells are made with a kind, and of another cell's word; to have each one checked took a
  /// tenth of the time of reading.
  @inline(__always)
  package var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: high >> 56) & 15, to: Kind.self) }

  /// Whether it is of a kind that is never out of line.
  @inline(__always)
  func isPlain(_ kind: Kind) -> Bool { high == UInt64(kind.rawValue) << 56 }

  @inline(__always)
  package var isAbsent: Bool { high == 0 }

  /// Whether the kind is one that holds text.
  @inline(__always)
  var isText: Bool {
    let kind = UInt8(truncatingIfNeeded: high >> 56) & 15
    return kind >= Kind.number.rawValue && kind <= Kind.json.rawValue
  }

  @inline(__always)
  var isMarked: Bool { high & Self.markedBit != 0 }

  @inline(__always)
  var isOutOfLine: Bool { high & Self.outOfLineBit != 0 }

  /// Whether it may refer to text in the chunk, to a list or to a record.
  @inline(__always)
  var holdsMore: Bool { UInt8(truncatingIfNeeded: high >> 56) > Kind.json.rawValue }

  /// Of an out-of-line text.
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: low) }

  /// How long the text is, in bytes.
  @inline(__always)
  var length: Int {
    isOutOfLine
      ? Int(truncatingIfNeeded: high & 0xffff_ffff) : Int(truncatingIfNeeded: high >> 48 & 0xff)
  }

  /// Of a reference.
  @inline(__always)
  package var record: RecordReference { RecordReference(bits: low) }

  /// Of a list: its place among the chunk's lists.
  @inline(__always)
  package var list: Int { Int(truncatingIfNeeded: low) }

  @inline(__always)
  package var isReference: Bool {
    let kind = UInt8(truncatingIfNeeded: high >> 56)
    return kind == Kind.reference.rawValue || kind == Kind.embedded.rawValue
  }
}

extension Cell {
  /// Up to 14 bytes as two words, the second one with its upper 16 bits clear.
  @inline(__always)
  static func packed(_ text: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
    let count = text.count
    guard let base = UnsafeRawPointer(text.baseAddress), count > 0 else { return (0, 0) }
    // Proof: every load lies between the first and the last of the `count` bytes.
    if count >= 8 {
      let first = base.loadUnaligned(as: UInt64.self)
      if count == 8 { return (first, 0) }
      let last = base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      return (first, last >> UInt64((16 - count) * 8))
    }
    if count >= 4 {
      let first = UInt64(base.loadUnaligned(as: UInt32.self))
      let last = UInt64(base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      return (first | last << UInt64((count - 4) * 8), 0)
    }
    var word = UInt64(base.load(as: UInt8.self))
    if count > 1 { word |= UInt64(base.load(fromByteOffset: 1, as: UInt8.self)) << 8 }
    if count > 2 { word |= UInt64(base.load(fromByteOffset: 2, as: UInt8.self)) << 16 }
    return (word, 0)
  }

  /// The same of a text in a document.
  @inline(__always)
  static func packed(_ leaf: JSONCell, _ tape: JSONTape) -> (UInt64, UInt64) {
    let end = leaf.offset + leaf.length
    guard end >= 16 else { return packed(tape.text(leaf)) }
    // Proof: the document has the 16 bytes before the slice's end, of which the slice is no more
    // than 14. One load needs no branches, which would be mispredicted where lengths vary.
    let bytes = UnsafeRawPointer(tape.text).loadUnaligned(
      fromByteOffset: end - 16, as: UInt128.self)
    let text =
      (bytes &>> 16) &>> UInt128(truncatingIfNeeded: 8 * (maximumInlineLength - leaf.length))
    return (UInt64(truncatingIfNeeded: text), UInt64(truncatingIfNeeded: text &>> 64))
  }

  /// Writes the bytes of an inline text; 14 bytes are written, of which `length` count.
  @inline(__always)
  func storeInline(to target: UnsafeMutablePointer<UInt8>) {
    let raw = UnsafeMutableRawPointer(target)
    raw.storeBytes(of: low, as: UInt64.self)
    raw.storeBytes(
      of: UInt32(truncatingIfNeeded: high), toByteOffset: 8, as: UInt32.self)
    raw.storeBytes(
      of: UInt16(truncatingIfNeeded: high >> 32), toByteOffset: 12, as: UInt16.self)
  }
}

extension JSONCell {
  /// Whether it is anything but null, true or false.
  @inline(__always)
  var hasText: Bool { bits & 15 >= UInt64(Kind.number.rawValue) }

  /// Whether a cell of a record has room for it: its text has at most 14 bytes, or it is a word.
  @inline(__always)
  var fitsCell: Bool { length <= Cell.maximumInlineLength || !hasText }

  /// The kind of the cell that it becomes, in that cell's upper byte. Both have the same kinds in
  /// the same order, but for the first and the last.
  @inline(__always)
  fileprivate var kindOfCell: UInt64 { min(bits & 15 + 1, UInt64(Cell.Kind.json.rawValue)) << 56 }
}

/// Which record: a table and a row of it.
package struct RecordReference: Hashable {
  package var bits: UInt64

  @inline(__always)
  package init(bits: UInt64) {
    self.bits = bits
  }

  @inline(__always)
  package init(table: Int, row: Int) {
    bits = UInt64(truncatingIfNeeded: table) << 32 | UInt64(truncatingIfNeeded: row)
  }

  @inline(__always)
  package var table: Int { Int(truncatingIfNeeded: bits >> 32) }

  @inline(__always)
  package var row: Int { Int(truncatingIfNeeded: bits & 0xffff_ffff) }

  @inline(__always)
  package var chunk: Int { row >> RowChunk.rowBits }

  @inline(__always)
  package var rowInChunk: Int { row & RowChunk.rowMask }
}
