/// One 8-byte entry of a document's tape: the kind of a value, and its place in the text.
///
/// From the lowest bit: 4 bits kind, 4 bits flags, 28 bits offset, 28 bits length. A string's place
/// excludes its quotes. An array or an object takes two cells; the second one is a `JSONExtent`.
@frozen @usableFromInline
package struct JSONCell: Equatable {
  @usableFromInline package var bits: UInt64

  @inlinable
  package init(bits: UInt64) {
    self.bits = bits
  }

  @inlinable @inline(__always)
  package init(_ kind: Kind, isIrregular: Bool = false, offset: Int, length: Int) {
    bits =
      UInt64(kind.rawValue) | (isIrregular ? 16 : 0)
      | UInt64(truncatingIfNeeded: offset) << 8 | UInt64(truncatingIfNeeded: length) << 36
  }

  @frozen @usableFromInline
  package enum Kind: UInt8 {
    case null, `false`, `true`, number, string, array, object
  }

  @inlinable @inline(__always)
  package var kind: Kind {
    Kind(rawValue: UInt8(truncatingIfNeeded: bits) & 15) ?? .null
  }

  /// Whether a string has escapes, or a number has a fraction or an exponent.
  @inlinable
  package var isIrregular: Bool { bits & 16 != 0 }

  @inlinable
  package var offset: Int { Int(truncatingIfNeeded: (bits >> 8) & 0xfff_ffff) }

  @inlinable
  package var length: Int { Int(truncatingIfNeeded: bits >> 36) }

  @inlinable
  package var isContainer: Bool { UInt8(truncatingIfNeeded: bits) & 15 >= Kind.array.rawValue }

  /// The largest text that offsets and lengths can address, in bytes.
  package static let maximumOffset = (1 << 28) - 1
}

/// The second cell of an array or an object: how many cells it has, and its count of elements or
/// its key list.
@frozen @usableFromInline
package struct JSONExtent {
  @usableFromInline package var bits: UInt64

  @inlinable
  package init(bits: UInt64) {
    self.bits = bits
  }

  @inlinable
  package init(cells: Int, detail: Int) {
    bits = UInt64(truncatingIfNeeded: cells) | UInt64(truncatingIfNeeded: detail) << 32
  }

  /// The number of the container's cells, including its own two.
  @inlinable
  package var cells: Int { Int(truncatingIfNeeded: bits & 0xffff_ffff) }

  /// An array's count of elements, or the index of an object's key list.
  @inlinable
  package var detail: Int { Int(truncatingIfNeeded: bits >> 32) }
}
