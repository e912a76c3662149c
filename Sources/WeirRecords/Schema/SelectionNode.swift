import GraphQLLanguage
package import Weir

/// A selection on one object, anywhere in the document, with its shapes by type.
package final class SelectionNode: Sendable {
  /// Unique within the plan. A walk uses it to note facts about nodes.
  package let number: Int
  let selectionSets: [SelectionSet]
  /// The response keys under which `__typename` may be found.
  package let typenameKeys: [[UInt8]]
  private let shapes = Locked<[ShapeKey: Shape]>([:])
  /// The first of them that is based on no assumption: nearly all objects have one type.
  private let usualShape = OnceReference<Shape>()
  /// The layout of the first objects that were written without anything to learn or to report.
  private let usualLayout = OnceReference<WriteLayout>()

  init(number: Int, selectionSets: [SelectionSet]) {
    self.number = number
    self.selectionSets = selectionSets
    var keys: [[UInt8]] = [Array("__typename".utf8)]
    for case .field(let field) in selectionSets.flatMap(\.selections)
    where field.name == "__typename" && field.alias != nil {
      keys.append(Array(field.responseKey.utf8))
    }
    typenameKeys = keys
  }

  func shape(_ key: ShapeKey, learned version: Int) -> Shape? {
    guard let shape = shapes.withLock({ $0[key] }) else { return nil }
    return shape.assumedVersion.map { $0 == version } ?? true ? shape : nil
  }

  /// Keeps a shape, unless an equally good one was kept meanwhile: two walks must see the same
  /// nodes.
  func keep(_ shape: Shape, for key: ShapeKey) -> Shape {
    shapes.withLock { shapes in
      if let other = shapes[key], other.assumedVersion == shape.assumedVersion { return other }
      shapes[key] = shape
      if shape.assumedVersion == nil { _ = usualShape.storeIfNil(shape) }
      return shape
    }
  }

  func usualShape(_ key: ShapeKey) -> Shape? {
    usualShape.load().flatMap { $0.isFor(key) ? $0 : nil }
  }
}

extension SelectionNode {
  /// The layout of an object if it is like the first, as nearly all objects are.
  func usualLayout(
    of object: TapeIndex, _ tape: JSONTape, _ conditions: Set<String>
  ) -> WriteLayout? {
    usualLayout.load().flatMap { $0.isUsual(for: object, tape, conditions) ? $0 : nil }
  }

  /// Keeps a layout that fits all objects with the same members and, if it names a type, that type.
  func keepUsual(_ layout: WriteLayout) {
    if layout.mayBeUsual { _ = usualLayout.storeIfNil(layout) }
  }

  /// The type name that an object contains, if any.
  package func typename(of object: TapeIndex, _ tape: JSONTape) -> String? {
    for key in typenameKeys {
      if let value = tape.member(named: key, of: object),
        tape[value].kind == .string, tape[value].length > 0
      {
        return tape.string(tape[value])
      }
    }
    return nil
  }
}

/// Identifies a shape of a selection.
package struct ShapeKey: Hashable {
  var type: TypeID
  /// Which variables of `@include` and `@skip` are true.
  var conditions: Set<String>
  /// Every type condition holds on the root of an operation.
  var isRoot: Bool
}

extension JSONTape {
  /// The value of an object's member; nil if there is none.
  func member(named key: [UInt8], of object: TapeIndex) -> TapeIndex? {
    // Proof: the key is only compared; the pointer is not kept.
    key.withUnsafeBufferPointer { member($0, of: object) }
  }
}
