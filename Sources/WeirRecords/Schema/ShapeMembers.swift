import GraphQLLanguage
import Weir

/// The members of objects with one list of keys, as a shape selects them.
///
/// A server sends the members of a type in one order, so that a shape keeps the first that are made;
/// see ``Shape/members(_:_:)``.
package final class ShapeMembers: @unchecked Sendable {
  /// A member that is a leaf with a slot.
  package struct Leaf {
    let position: Int
    let slot: Slot
    /// The slot's bit in a ``ChangeSet/Change``.
    let bit: UInt64
    let field: FieldID
    let timeToLive: Int64

    /// Returns nil unless the field is a leaf with a slot that comes as a whole.
    init?(_ field: ShapeField, position: Int) {
      guard field.child == nil, !field.isStreamed, case .fixed(let place) = field.place,
        let slot = place.slot
      else { return nil }
      self.position = position
      self.slot = slot
      bit = slot.bit
      self.field = place.field
      timeToLive = field.timeToLive
    }

    var place: FieldPlace { FieldPlace(field: field, slot: slot) }
  }

  /// Any other member. It contains no references that would be counted for
  /// each object.
  package struct Other {
    let position: Int
    /// The place; nil if it depends on variables.
    let fixedPlace: FieldPlace?
    /// The number of the selection on its objects; -1 for a leaf.
    let node: Int
    let timeToLive: Int64
    /// See ``ShapeField/mayRecur``.
    let mayRecur: Bool
    /// See ``ShapeField/mixesKeys``.
    let mixesKeys: Bool
    /// Whether either holds.
    let isRare: Bool
    /// See ``ShapeField/isStreamed``.
    let isStreamed: Bool
    // Proof: the layout's shape retains the field, and code that uses the members holds the layout.
    private let reference: Unmanaged<ShapeField>

    init(_ field: ShapeField, position: Int) {
      self.position = position
      if case .fixed(let place) = field.place { fixedPlace = place } else { fixedPlace = nil }
      node = field.child?.number ?? -1
      timeToLive = field.timeToLive
      mayRecur = field.mayRecur
      mixesKeys = field.mixesKeys
      isRare = mayRecur || mixesKeys
      isStreamed = field.isStreamed
      reference = .passUnretained(field)
    }

    var field: ShapeField { reference.takeUnretainedValue() }
  }

  // Proof: nothing changes after `init`, and nothing refers to the document. Both buffers are
  // allocated in `init` and freed in `deinit`. The shape, which owns this object or is held by a
  // layout that does, keeps the fields alive to which members refer.
  let leaves: UnsafeBufferPointer<Leaf>
  let others: UnsafeBufferPointer<Other>
  /// The members that form the key.
  let keyPositions: [Int]
  /// The number of cells that a row needs for all members with slots.
  let width: Int
  /// The bits of the leaves' slots in a ``ChangeSet/Change``.
  let leafSlots: UInt64
  /// The members that are not selected; empty if none.
  let unknown: [String]
  /// The shape's fields by the positions of their members; -1 for a member without a field.
  private let fields: [Int]

  init(_ shape: Shape, _ keyList: Int, _ tape: JSONTape) {
    let count = tape.keyCount(keyList)
    let leaves = UnsafeMutableBufferPointer<Leaf>.allocate(capacity: count)
    let others = UnsafeMutableBufferPointer<Other>.allocate(capacity: count)
    var (leafCount, otherCount) = (0, 0)
    var positions = [Int](repeating: -1, count: shape.steps.count)
    var (width, leafSlots) = (1, UInt64(0))
    var unknown: [String] = []
    fields = shape.fields(named: keyList, tape) { unknown.append($0) }
    for (position, index) in fields.enumerated() where index >= 0 {
      positions[index] = position
      let field = shape.fields[index]
      switch field.place {
      case .typename, .computed: break
      case .fixed, .variable:
        if let leaf = Leaf(field, position: position) {
          leaves.initializeElement(at: leafCount, to: leaf)
          leafCount += 1
          width = max(width, leaf.slot.index + 2)
          leafSlots |= leaf.bit
        } else {
          let other = Other(field, position: position)
          others.initializeElement(at: otherCount, to: other)
          otherCount += 1
          width = max(width, (other.fixedPlace?.slot?.index ?? -1) + 2)
        }
      }
    }
    self.leaves = UnsafeBufferPointer(rebasing: leaves[..<leafCount])
    self.others = UnsafeBufferPointer(rebasing: others[..<otherCount])
    (self.width, self.leafSlots, self.unknown) = (width, leafSlots, unknown)
    keyPositions = shape.keyPositions(positions)
  }

  deinit {
    leaves.deallocate()
    others.deallocate()
  }

  /// Whether every member is selected.
  var isComplete: Bool { !fields.contains(-1) }

  /// Whether objects with another list of keys have the same members in the same order.
  func fit(_ shape: Shape, _ keyList: Int, _ tape: JSONTape) -> Bool {
    tape.keyCount(keyList) == fields.count
      && fields.indices.allSatisfy {
        tape.matches(tape.key(keyList, $0), shape.responseKey(fields[$0]))
      }
  }
}

extension Shape {
  /// Sorts the members of objects with a list of keys.
  func members(_ keyList: Int, _ tape: JSONTape) -> ShapeMembers {
    if let usual = usualMembers.load(), usual.fit(self, keyList, tape) { return usual }
    let members = ShapeMembers(self, keyList, tape)
    if members.isComplete { _ = usualMembers.storeIfNil(members) }
    return members
  }

  /// The fields of a list of keys; -1 for a key that is not selected, with which `unknown` is called
  /// unless it is the type's name.
  fileprivate func fields(
    named keyList: Int, _ tape: JSONTape, unknown: (String) -> Void
  ) -> [Int] {
    var guess = 0
    return (0..<tape.keyCount(keyList)).map { position in
      let key = tape.key(keyList, position)
      if let index = field(named: key, tape, guess: guess) {
        guess = index + 1
        return index
      }
      let name = tape.string(key)
      if name != "__typename" { unknown(name) }
      return -1
    }
  }

  /// The field of a response key. The search starts at `guess`.
  fileprivate func field(named key: JSONCell, _ tape: JSONTape, guess: Int) -> Int? {
    let count = steps.count
    for step in 0..<min(count, ResponseKeyTable.few) {
      let index = guess + step < count ? guess + step : guess + step - count
      if tape.matches(key, responseKey(index)) { return index }
    }
    return count > ResponseKeyTable.few ? responseKeyTable.position(of: key, tape) : nil
  }

  /// The field of a response key.
  package func field(named key: [UInt8]) -> ShapeField? {
    fields.count > ResponseKeyTable.few
      ? responseKeyTable.position(of: key).map { fields[$0] }
      : fields.first { $0.responseKey == key }
  }

  private var responseKeyTable: ResponseKeyTable {
    table.load() ?? table.storeIfNil(ResponseKeyTable(fields.lazy.map(\.responseKey)))
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
