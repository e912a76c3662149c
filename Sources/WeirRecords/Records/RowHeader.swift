/// The header word of a row.
@usableFromInline
package struct RowHeader: Sendable {
  @usableFromInline package var bits: UInt64

  @inlinable
  package init(bits: UInt64) { self.bits = bits }

  @inlinable
  package init(version: UInt64, type: TypeID) {
    bits = version << 16 | UInt64(type.rawValue)
  }

  @inlinable
  package var version: UInt64 { bits >> 16 }

  @inlinable
  package var type: TypeID { TypeID(rawValue: UInt16(truncatingIfNeeded: bits)) }

  @inlinable
  package var isFree: Bool { bits == 0 }

  /// Whether the row holds a record that was not removed.
  package var hasRecord: Bool { !isFree && type != .removed }
}
