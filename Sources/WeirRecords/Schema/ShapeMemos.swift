/// The shapes that one walk has found. Nearly all objects of a selection have one type.
struct ShapeMemos {
  private struct Memo {
    var type = TypeID(rawValue: .max)
    var shape: UInt32 = 0
  }

  /// The last found shape, by the number of the node.
  private var memos: ContiguousArray<Memo> = []

  /// The index of the shape that was last found for a node, if it has the given type.
  func index(of node: SelectionNode, _ type: TypeID) -> UInt32? {
    node.number < memos.count && memos[node.number].type == type
      ? memos[node.number].shape : nil
  }

  /// Finds the shape of a selection for a type.
  ///
  /// - Returns: the shape's index in `shapes`. A new shape is appended.
  @inline(never)
  mutating func find(
    _ node: SelectionNode, _ type: TypeID, isRoot: Bool, _ bindings: Bindings,
    in shapes: inout ContiguousArray<Shape>
  ) -> UInt32 {
    let shape = bindings.shape(node, type, isRoot: isRoot)
    let index = shapes.firstIndex { $0 === shape } ?? shapes.count
    if index == shapes.count { shapes.append(shape) }
    // One allocation for most selections.
    if memos.count <= node.number { memos.reserveCapacity(max(node.number + 1, 8)) }
    while memos.count <= node.number { memos.append(Memo()) }
    memos[node.number] = Memo(type: type, shape: UInt32(index))
    return UInt32(index)
  }
}
