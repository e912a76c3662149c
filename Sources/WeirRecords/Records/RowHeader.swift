/// The header word of a row.
@usableFromInline
package struct RowHeader: Sendable {
  @usableFromInline package var bits: UInt64

  @inlinable @inline(__always)
  package init(bits: UInt64) { self.bits = bits }

  @inlinable @inline(__always)
  package init(version: UInt64, type: TypeID) {
    bits = version << 16 | UInt64(type.rawValue)
  }

  @inlinable @inline(__always)
  package var version: UInt64 { bits >> 16 }

  @inlinable @inline(__always)
  package var type: TypeID { TypeID(rawValue: UInt16(truncatingIfNeeded: bits)) }

  @inlinable @inline(__always)
  package var isFree: Bool { bits == 0 }
}
