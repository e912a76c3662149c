/// Which shapes one read has found: the objects of a selection are nearly always of one type.
struct ShapeMemos {
  private struct Memo {
    var type = TypeID(rawValue: .max)
    var shape: UInt32 = 0
  }

  /// By the number of the node.
  private var memos: ContiguousArray<Memo> = []

  /// The place of the shape that was found for a node and a type last.
  @inline(__always)
  package func index(of node: SelectionNode, _ type: TypeID) -> UInt32? {
    node.number < memos.count && memos[node.number].type == type
      ? memos[node.number].shape : nil
  }

  /// Finds what a selection comes to for a type.
  ///
  /// - Returns: its place in `shapes`, to which it is added if it is new.
  @inline(never)
  mutating func find(
    _ node: SelectionNode, _ type: TypeID, isRoot: Bool, _ bindings: Bindings,
    in shapes: inout ContiguousArray<Shape>
  ) -> UInt32 {
    let shape = bindings.shape(node, type, isRoot: isRoot)
    let index = shapes.firstIndex { $0 === shape } ?? shapes.count
    if index == shapes.count { shapes.append(shape) }
    if memos.count <= node.number { memos.reserveCapacity(node.number + 1) }
    while memos.count <= node.number { memos.append(Memo()) }
    memos[node.number] = Memo(type: type, shape: UInt32(index))
    return UInt32(index)
  }
}
