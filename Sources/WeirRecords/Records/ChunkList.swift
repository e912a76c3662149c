/// The chunks of a table, in groups.
///
/// To change records while a snapshot of them exists, the array of groups, one group and one chunk
/// are copied. Each copy costs reference counts. Without groups, the cost of a transaction would
/// grow with the table.
package struct ChunkList: RandomAccessCollection {
  private static let groupBits = 3
  private static let groupMask = 7

  private var groups: ContiguousArray<ContiguousArray<RowChunk>> = []
  package private(set) var endIndex = 0

  package var startIndex: Int { 0 }

  package subscript(index: Int) -> RowChunk {
    @inline(__always)
    _read { yield groups[index >> Self.groupBits][index & Self.groupMask] }
    @inline(__always)
    _modify { yield &groups[index >> Self.groupBits][index & Self.groupMask] }
  }

  package mutating func append(_ chunk: RowChunk) {
    if endIndex & Self.groupMask == 0 { groups.append([]) }
    groups[endIndex >> Self.groupBits].append(chunk)
    endIndex += 1
  }
}
