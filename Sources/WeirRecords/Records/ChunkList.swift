/// The chunks of a table, in groups.
///
/// To change records while a snapshot of them exists, the array of groups, one group and one chunk
/// are copied. Each copy costs reference counts. Without groups, the cost of a transaction would
/// grow with the table.
@usableFromInline
package struct ChunkList: RandomAccessCollection, Sendable {
  @inlinable static var groupBits: Int { 3 }
  @inlinable static var groupMask: Int { 7 }

  @usableFromInline private(set) var groups: ContiguousArray<ContiguousArray<RowChunk>> = []
  @usableFromInline package private(set) var endIndex = 0

  @inlinable package var startIndex: Int { 0 }

  @usableFromInline package subscript(index: Int) -> RowChunk {
    @inlinable @inline(__always)
    _read { yield groups[index >> Self.groupBits][index & Self.groupMask] }
    @inlinable @inline(__always)
    _modify { yield &groups[index >> Self.groupBits][index & Self.groupMask] }
  }

  mutating func append(_ chunk: RowChunk) {
    if endIndex & Self.groupMask == 0 { groups.append([]) }
    groups[endIndex >> Self.groupBits].append(chunk)
    endIndex += 1
  }
}
