/// The header word of a row.
package struct RowHeader {
  package var bits: UInt64

  @inline(__always)
  package init(bits: UInt64) { self.bits = bits }

  @inline(__always)
  package init(version: UInt64, type: TypeID) {
    bits = version << 16 | UInt64(type.rawValue)
  }

  @inline(__always)
  package var version: UInt64 { bits >> 16 }

  @inline(__always)
  package var type: TypeID { TypeID(rawValue: UInt16(truncatingIfNeeded: bits)) }

  @inline(__always)
  package var isFree: Bool { bits == 0 }
}
