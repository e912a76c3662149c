import Weir

/// The value of a record's field, in 16 bytes.
///
/// `high` has the kind in its top byte. Texts of up to 14 bytes are inline: eight bytes in `low`,
/// six in `high`, and the length in between. Longer texts are in the text of the row's chunk.
/// Strings are stored as they are spelled in JSON, without quotes, so that writing and reading only
/// copy bytes.
package struct Cell: Hashable {
  package var low: UInt64
  var high: UInt64

  /// The numbers are part of the formats of storages and snapshots. They must be 0, 1, 2 and so on in the order
  /// of the cases, and fit in four bits: ``kind`` relies on it.
  package enum Kind: UInt8, CaseIterable {
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
  static let null = Cell(.null)

  private static let markedBit: UInt64 = 0x10 << 56
  private static let outOfLineBit: UInt64 = 0x20 << 56
  static var maximumInlineLength: Int { PackedText.maximumLength }

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  package init(_ kind: Kind, low: UInt64 = 0) {
    self.low = low
    high = UInt64(kind.rawValue) << 56
  }

  init(_ list: ListID) {
    self.init(.list, low: UInt64(list.rawValue))
  }

  /// A text in the chunk.
  init(_ kind: Kind, isIrregular: Bool, offset: Int, length: Int) {
    low = UInt64(truncatingIfNeeded: offset)
    high =
      UInt64(kind.rawValue) << 56 | Self.outOfLineBit | (isIrregular ? Self.markedBit : 0)
      | UInt64(truncatingIfNeeded: length)
  }

  /// A text of at most 14 bytes.
  init(_ kind: Kind, isIrregular: Bool, inline text: UnsafeBufferPointer<UInt8>) {
    (low, high) = PackedText.words(of: text)
    high |=
      UInt64(kind.rawValue) << 56 | (isIrregular ? Self.markedBit : 0)
      | UInt64(truncatingIfNeeded: text.count) << 48
  }

  /// A text of at most 14 bytes that is already packed.
  init(_ kind: Kind, packed text: (UInt64, UInt64), length: Int) {
    low = text.0
    high =
      text.1 | UInt64(kind.rawValue) << 56 | UInt64(truncatingIfNeeded: length) << 48
  }

  /// A leaf of a response that fits in a cell. Arrays and objects without a selection are custom
  /// scalars, or lists of scalars, and are stored as they are spelled.
  @inline(__always)
  init(_ leaf: JSONCell, _ tape: JSONTape) {
    guard leaf.hasText else {
      (low, high) = (0, leaf.kindOfCell)
      return
    }
    (low, high) = PackedText.words(of: leaf, tape)
    high |=
      leaf.kindOfCell | (leaf.isIrregular ? Self.markedBit : 0)
      | UInt64(truncatingIfNeeded: leaf.length) << 48
  }

  /// A leaf of a response whose text is in the chunk.
  init(_ leaf: JSONCell, outOfLineAt offset: Int) {
    low = UInt64(truncatingIfNeeded: offset)
    high =
      leaf.kindOfCell | Self.outOfLineBit | (leaf.isIrregular ? Self.markedBit : 0)
      | UInt64(truncatingIfNeeded: leaf.length)
  }

  /// Proof: every cell is made from a `Kind` or copied from another cell, and in memory a `Kind` is the position
  /// of its case, which is also its number. Checking each one took a tenth of the time of reading.
  package var kind: Kind {
    unsafeBitCast(UInt8(truncatingIfNeeded: high >> 56) & 15, to: Kind.self)
  }

  /// Whether the cell has the given kind, which is never out of line.
  func isPlain(_ kind: Kind) -> Bool { high == UInt64(kind.rawValue) << 56 }

  package var isAbsent: Bool { high == 0 }

  /// Whether the kind holds text.
  var isText: Bool {
    let kind = UInt8(truncatingIfNeeded: high >> 56) & 15
    return kind >= Kind.number.rawValue && kind <= Kind.json.rawValue
  }

  var isIrregular: Bool { high & Self.markedBit != 0 }

  var isOutOfLine: Bool { high & Self.outOfLineBit != 0 }

  /// Whether the cell may refer to text in the chunk, to a list or to a record.
  var isIndirect: Bool { UInt8(truncatingIfNeeded: high >> 56) > Kind.json.rawValue }

  /// The offset of an out-of-line text.
  var offset: Int { Int(truncatingIfNeeded: low) }

  /// The length of the text in bytes.
  var length: Int {
    isOutOfLine
      ? Int(truncatingIfNeeded: high & 0xffff_ffff) : Int(truncatingIfNeeded: high >> 48 & 0xff)
  }

  /// The target of a reference.
  package var record: RecordReference { RecordReference(bits: low) }

  /// The list, which is one of the chunk's.
  package var list: ListID { ListID(rawValue: UInt32(truncatingIfNeeded: low)) }

  /// The entity that the cell refers to; nil if it refers to an object without a key, or to nothing.
  package var entity: RecordReference? { kind == .reference ? record : nil }

  package var isReference: Bool {
    let kind = UInt8(truncatingIfNeeded: high >> 56)
    return kind == Kind.reference.rawValue || kind == Kind.embedded.rawValue
  }
}

extension Cell {
  /// Writes an inline text. It stores 14 bytes, of which `length` are meaningful.
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
  /// Whether the value is neither null, true nor false.
  var hasText: Bool { bits & 15 >= UInt64(Kind.number.rawValue) }

  /// Whether the value fits in a record's cell: a text of at most 14 bytes, or null, true or false.
  var fitsCell: Bool { length <= Cell.maximumInlineLength || !hasText }

  /// The kind of the resulting cell, in that cell's upper byte. Both have the same kinds in the
  /// same order, except for the first and the last.
  fileprivate var kindOfCell: UInt64 { min(bits & 15 + 1, UInt64(Cell.Kind.json.rawValue)) << 56 }
}

/// The number of a list in its chunk.
package struct ListID: Hashable {
  var rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(index: Int) { rawValue = UInt32(index) }

  var index: Int { Int(truncatingIfNeeded: rawValue) }
}
