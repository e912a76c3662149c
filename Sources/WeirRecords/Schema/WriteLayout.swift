import Weir

/// Where the members of objects with one list of keys are written. It is determined once and used
/// for every object with the same keys and the same type.
///
/// Proof that it is sendable: nothing changes after `init`, and nothing refers to the document.
package final class WriteLayout: @unchecked Sendable {
  let shape: Shape
  let table: TableID
  private let members: ShapeMembers
  /// The members that are leaves with a slot. Proof: `members` owns the buffer; code that uses it
  /// holds the layout. An array would be retained for each object.
  let leaves: UnsafeBufferPointer<Leaf>
  /// All other members that are selected. Proof: as for ``leaves``.
  let others: UnsafeBufferPointer<Other>
  /// The member that forms the key if there is only one; otherwise -1.
  let keyPosition: Int
  /// The number of cells that a row needs for all members with slots.
  let width: Int
  /// The bits of the leaves' slots in a ``ChangeSet/Change``.
  let leafSlots: UInt64
  /// Whether any member has a time to live.
  let hasTimeToLive: Bool
  /// Whether no member has a time to live, and no two leaves share a slot, as they may under
  /// different aliases.
  let isPlain: Bool

  /// Whether the objects are the root of an operation.
  let isRoot: Bool
  private let typenamePosition: Int
  /// The type's name; nil if it is long.
  private let typename: PackedText?

  package typealias Leaf = ShapeMembers.Leaf
  package typealias Other = ShapeMembers.Other

  init(shape: Shape, table: TableID, tape: JSONTape, keyList: Int, typenamePosition: Int = -1) {
    self.shape = shape
    isRoot = shape.type.isRoot
    self.table = table
    self.typenamePosition = typenamePosition
    typename =
      shape.typenameLength <= PackedText.maximumLength
      ? PackedText(Self.typename(of: shape)) : nil
    members = shape.members(keyList, tape)
    leaves = members.leaves
    others = members.others
    width = members.width
    leafSlots = members.leafSlots
    hasTimeToLive = shape.hasTimeToLive
    // Slots that share a bit count as one.
    isPlain = !shape.hasTimeToLive && leafSlots.nonzeroBitCount == leaves.count
    keyPosition = members.keyPositions.count == 1 ? members.keyPositions[0] : -1
  }

  /// The members that form the key.
  var keyPositions: [Int] { members.keyPositions }
  /// The members that are not selected; empty if none.
  var unknownMembers: [String] { members.unknown }

  /// Whether an object with the keys that this layout was made for has its type, too.
  @inline(__always)
  func fitsType(of object: TapeIndex, _ tape: JSONTape) -> Bool {
    guard typenamePosition >= 0 else { return true }
    let name = tape[tape.value(object, at: typenamePosition)]
    if name.length <= PackedText.maximumLength, !name.isIrregular {
      return name.kind == .string && PackedText(name, tape) == typename
    }
    return tape.matches(name, Self.typename(of: shape))
  }

  /// Whether the layout depends only on what ``isUsual(for:_:_:)`` compares: nothing was assumed, and no
  /// member is unknown.
  var mayBeUsual: Bool {
    shape.assumptions == nil && shape.assumedVersion == nil && members.isComplete
      && (typenamePosition >= 0 || shape.isRoot)
  }

  /// Whether the layout is that of an object of another document.
  func isUsual(
    for object: TapeIndex, _ tape: JSONTape, _ conditions: Set<String>
  ) -> Bool {
    shape.conditions == conditions && members.fit(shape, tape.keyList(object), tape)
      && fitsType(of: object, tape)
  }

  /// Proof of validity: the shape owns the text, and the layout holds the shape.
  private static func typename(of shape: Shape) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: shape.typenameText, count: shape.typenameLength)
  }
}
