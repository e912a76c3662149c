import GraphQLLanguage
import Weir

/// Where the members of objects with one list of keys are written. It is determined once and used
/// for every object with the same keys and the same type.
package final class WriteLayout {
  package let shape: Shape
  package let table: Int
  /// The members that are leaves with a slot. Proof: allocated in `init`, never changed, freed in
  /// `deinit`; code that uses the buffer holds the layout. An array would be retained for each
  /// object.
  let leaves: UnsafeBufferPointer<Leaf>
  /// All other members that are selected. Proof: as for ``leaves``.
  package let others: UnsafeBufferPointer<Other>
  /// The members that form the key.
  let keyPositions: [Int]
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

  /// The members that are not selected; empty if none.
  let unknownMembers: [String]

  /// Whether the objects are the root of an operation.
  package let isRoot: Bool
  /// The list of keys; -1 if the layout fits no other object, because what was assumed about its
  /// type may be known by then.
  package let keyList: Int
  private let typenamePosition: Int
  /// The cell of the type's name, if the name fits in one.
  private let typename: Cell

  package struct Leaf {
    package let position: Int
    package let slot: Int
    /// The slot's bit in a ``ChangeSet/Change``.
    let bit: UInt64
    package let field: FieldID
    package let timeToLive: Int64

    init(_ field: ShapeField, _ place: FieldPlace, position: Int) {
      self.position = position
      slot = place.slot
      bit = place.slotBit
      self.field = place.field
      timeToLive = field.timeToLive
    }
  }

  /// A member other than a leaf with a slot. It contains no references that would be counted for
  /// each object.
  package struct Other {
    package let position: Int
    /// The place; nil if it depends on variables.
    let fixedPlace: FieldPlace?
    /// The number of the selection on its objects; -1 for a leaf.
    package let node: Int
    package let timeToLive: Int64
    /// See ``ShapeField/mayRecur``.
    let mayRecur: Bool
    // Proof: the layout's shape retains the field, and code that uses the members holds the layout.
    private let reference: Unmanaged<ShapeField>

    init(_ field: ShapeField, position: Int) {
      self.position = position
      if case .fixed(let place) = field.place { fixedPlace = place } else { fixedPlace = nil }
      node = field.child?.number ?? -1
      timeToLive = field.timeToLive
      mayRecur = field.mayRecur
      reference = .passUnretained(field)
    }

    package var field: ShapeField { reference.takeUnretainedValue() }
  }

  init(shape: Shape, table: Int, tape: JSONTape, keyList: Int, typenamePosition: Int = -1) {
    self.shape = shape
    isRoot = shape.type.isRoot
    self.table = table
    self.keyList = shape.assumptions == nil ? keyList : -1
    self.typenamePosition = typenamePosition
    typename = Self.cell(ofTypename: shape)
    let members = SortedMembers(shape, tape, keyList)
    unknownMembers = members.unknown
    leaves = UnsafeBufferPointer(rebasing: members.leaves[..<members.leafCount])
    others = UnsafeBufferPointer(rebasing: members.others[..<members.otherCount])
    width = members.width
    leafSlots = members.leafSlots
    hasTimeToLive = shape.hasTimeToLive
    // Slots that share a bit count as one.
    isPlain = !shape.hasTimeToLive && leafSlots.nonzeroBitCount == leaves.count
    keyPositions = shape.keyPositions(members.positions)
    keyPosition = keyPositions.count == 1 ? keyPositions[0] : -1
  }

  deinit {
    leaves.deallocate()
    others.deallocate()
  }

  /// Whether an object has the keys and the type that this layout was made for.
  @inline(__always)
  func fits(_ object: Int, _ tape: JSONTape) -> Bool {
    guard keyList == tape.keyList(object) else { return false }
    guard typenamePosition >= 0 else { return true }
    let name = tape[tape.value(object, at: typenamePosition)]
    if name.length <= Cell.maximumInlineLength, !name.isMarked {
      return Cell(name, tape) == typename
    }
    return tape.matches(
      name, UnsafeBufferPointer(start: shape.typenameText, count: shape.typenameLength))
  }

  private static func cell(ofTypename shape: Shape) -> Cell {
    guard shape.typenameLength <= Cell.maximumInlineLength else { return .absent }
    return Cell(
      .string, isMarked: false,
      inline: UnsafeBufferPointer(start: shape.typenameText, count: shape.typenameLength))
  }
}

/// The members of objects with one list of keys, as a shape selects them.
private struct SortedMembers {
  // Proof: the layout takes both buffers over. They have room for a member for each key.
  let leaves: UnsafeMutableBufferPointer<WriteLayout.Leaf>
  let others: UnsafeMutableBufferPointer<WriteLayout.Other>
  private(set) var leafCount = 0
  private(set) var otherCount = 0
  /// By the shape's field; -1 for fields without a member.
  private(set) var positions: [Int]
  private(set) var width = 1
  private(set) var leafSlots: UInt64 = 0
  private(set) var unknown: [String] = []

  init(_ shape: Shape, _ tape: JSONTape, _ keyList: Int) {
    let count = tape.keyCount(keyList)
    leaves = .allocate(capacity: count)
    others = .allocate(capacity: count)
    positions = [Int](repeating: -1, count: shape.steps.count)
    var guess = 0
    for position in 0..<count {
      let key = tape.key(keyList, position)
      if let index = shape.field(named: key, tape, guess: guess) {
        guess = index + 1
        positions[index] = position
        add(shape.fields[index], at: position)
      } else {
        let name = tape.string(key)
        if name != "__typename" { unknown.append(name) }
      }
    }
  }

  private mutating func add(_ field: ShapeField, at position: Int) {
    switch field.place {
    case .typename, .computed: break
    case .fixed(let place) where place.hasSlot && field.child == nil:
      leaves.initializeElement(at: leafCount, to: .init(field, place, position: position))
      leafCount += 1
      width = max(width, place.slot + 2)
      leafSlots |= place.slotBit
    case .fixed, .variable:
      let other = WriteLayout.Other(field, position: position)
      others.initializeElement(at: otherCount, to: other)
      otherCount += 1
      width = max(width, (other.fixedPlace?.slot ?? -1) + 2)
    }
  }
}

extension Shape {
  /// The field of a response key. The search starts at `guess`.
  fileprivate func field(named key: JSONCell, _ tape: JSONTape, guess: Int) -> Int? {
    let count = steps.count
    for step in 0..<count {
      let index = guess + step < count ? guess + step : guess + step - count
      if tape.matches(key, responseKey(index)) { return index }
    }
    return nil
  }

  /// The members that form the key, if all are present, by the positions of the fields' members.
  fileprivate func keyPositions(_ positions: [Int]) -> [Int] {
    var found: [Int] = []
    for field in keyFields {
      // A key field may be selected twice, one of them only under a condition.
      let position =
        positions[field] >= 0
        ? positions[field] : twins(of: field).map { positions[$0] }.first { $0 >= 0 }
      guard let position else { return [] }
      found.append(position)
    }
    return found
  }

  /// Other selections of the same leaf without arguments, under other aliases.
  fileprivate func twins(of field: Int) -> [Int] {
    fields.indices.filter {
      $0 != field && fields[$0].name == fields[field].name && fields[$0].child == nil
        && fields[$0].syntax.arguments.isEmpty
    }
  }
}
