/// Which shapes one read has found: the objects of a selection are nearly always of one type.
struct ShapeMemos {
  private struct Memo {
    var type = TypeID(rawValue: .max)
    var shape: UInt32 = 0
  }

  /// By the number of the node.
  private var memos: ContiguousArray<Memo> = []

  /// The place in `shapes` of what a selection comes to for a type; it is added if it is new.
  @inline(__always)
  mutating func index(
    of node: SelectionNode, _ type: TypeID, isRoot: Bool, _ bindings: Bindings,
    in shapes: inout ContiguousArray<Shape>
  ) -> UInt32 {
    if node.number < memos.count, memos[node.number].type == type {
      return memos[node.number].shape
    }
    return find(node, type, isRoot: isRoot, bindings, in: &shapes)
  }

  @inline(never)
  private mutating func find(
    _ node: SelectionNode, _ type: TypeID, isRoot: Bool, _ bindings: Bindings,
    in shapes: inout ContiguousArray<Shape>
  ) -> UInt32 {
    let shape = bindings.shape(node, type, isRoot: isRoot)
    let index = shapes.firstIndex { $0 === shape } ?? shapes.count
    if index == shapes.count { shapes.append(shape) }
    while memos.count <= node.number { memos.append(Memo()) }
    memos[node.number] = Memo(type: type, shape: UInt32(index))
    return UInt32(index)
  }
}
