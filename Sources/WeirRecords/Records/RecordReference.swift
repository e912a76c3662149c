/// Identifies a record: a table and a row.
@usableFromInline
package struct RecordReference: Hashable, Sendable {
  @usableFromInline package var bits: UInt64

  @inlinable
  package init(bits: UInt64) {
    self.bits = bits
  }

  @inlinable
  package init(table: TableID, row: RowID) {
    bits = UInt64(table.rawValue) << 32 | UInt64(row.rawValue)
  }

  @inlinable
  package var table: TableID { TableID(rawValue: UInt32(truncatingIfNeeded: bits >> 32)) }

  @inlinable
  package var row: RowID { RowID(rawValue: UInt32(truncatingIfNeeded: bits)) }

  @inlinable
  package var chunk: Int { row.chunk }

  @inlinable
  package var rowInChunk: ChunkRow { row.inChunk }
}

/// The number of a row in its table.
@usableFromInline
package struct RowID: Hashable, Sendable {
  @usableFromInline package var rawValue: UInt32

  @inlinable
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package init(index: Int) { rawValue = UInt32(index) }

  /// The row's position in arrays that have an element for each row of the table.
  @inlinable
  package var index: Int { Int(truncatingIfNeeded: rawValue) }

  /// The position of the row's chunk in the table.
  @inlinable
  package var chunk: Int { index >> RowChunk.rowBits }

  @inlinable
  package var inChunk: ChunkRow { ChunkRow(rawValue: UInt8(truncatingIfNeeded: rawValue)) }
}

/// The number of a row in its chunk, which has at most 256.
@usableFromInline
package struct ChunkRow: Hashable, Sendable {
  @usableFromInline package var rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  init(index: Int) { rawValue = UInt8(index) }

  /// The row's position in arrays that have an element for each row of the chunk.
  @inlinable
  package var index: Int { Int(rawValue) }
}
