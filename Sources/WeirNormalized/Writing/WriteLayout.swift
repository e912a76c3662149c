import GraphQLLanguage
import Weir

/// Where the members of objects with one list of keys go: found out once, then used for each
/// object that has the same keys and the same type.
final class WriteLayout {
  let shape: Shape
  let table: Int
  /// Members that are leaves with a slot.
  let leaves: ContiguousArray<Leaf>
  /// All other members that are selected.
  let others: ContiguousArray<Other>
  /// The members that make the key.
  let keyPositions: [Int]
  /// Whether any of the members has a time to live of its own.
  let hasTimeToLive: Bool

  struct Leaf {
    let position: Int
    let slot: Int
    let field: FieldID
    let timeToLive: Int64
  }

  struct Other {
    let position: Int
    let field: ShapeField
  }

  init(shape: Shape, table: Int, tape: JSONTape, keyList: Int) {
    self.shape = shape
    self.table = table
    var leaves: ContiguousArray<Leaf> = []
    var others: ContiguousArray<Other> = []
    var positions: [Int: Int] = [:]
    var guess = 0
    for position in 0..<tape.keyCount(keyList) {
      guard
        let field = Self.field(
          of: shape, named: tape.key(keyList, position), tape, guess: guess)
      else { continue }
      guess = field + 1
      positions[field] = position
      switch shape.fields[field].place {
      case .typename, .computed: continue
      case .fixed(let place) where place.slot >= 0 && shape.fields[field].child == nil:
        leaves.append(
          Leaf(
            position: position, slot: place.slot, field: place.field,
            timeToLive: shape.fields[field].timeToLive))
      default:
        others.append(Other(position: position, field: shape.fields[field]))
      }
    }
    self.leaves = leaves
    self.others = others
    hasTimeToLive = shape.fields.contains { $0.timeToLive >= 0 }
    let keys = shape.keyFields.compactMap { key in
      // A key field may be selected twice, and one of the two only if a condition holds.
      positions[key] ?? shape.twins(of: key).compactMap { positions[$0] }.first
    }
    keyPositions = keys.count == shape.keyFields.count ? keys : []
  }

  private static func field(
    of shape: Shape, named key: JSONCell, _ tape: JSONTape, guess: Int
  ) -> Int? {
    let count = shape.fields.count
    for step in 0..<count {
      let index = (guess + step) % count
      let matches = shape.fields[index].responseKey.withUnsafeBufferPointer {
        tape.matches(key, $0)
      }
      if matches { return index }
    }
    return nil
  }
}

extension Shape {
  /// The other places of a leaf without arguments, under other aliases.
  fileprivate func twins(of field: Int) -> [Int] {
    fields.indices.filter {
      $0 != field && fields[$0].name == fields[field].name && fields[$0].child == nil
        && fields[$0].syntax.arguments.isEmpty
    }
  }
}

/// Goes along the members of an object.
struct MemberCursor {
  private var position = 0
  private var value: Int

  @inline(__always)
  init(_ object: Int, _ tape: JSONTape) {
    value = tape.firstChild(object)
  }

  /// The value of the member at a position, which is not before the last one.
  @inline(__always)
  mutating func move(to target: Int, _ tape: JSONTape) -> Int {
    while position < target {
      value = tape.next(value)
      position += 1
    }
    return value
  }
}

/// What was found out about the last object of a node.
struct WriteMemo {
  var keyList = -1
  var typenamePosition = -1
  var typename: [UInt8] = []
  var layout: WriteLayout?

  /// Whether an object has the keys and the type of that one.
  @inline(__always)
  func fits(_ object: Int, _ tape: JSONTape) -> Bool {
    guard keyList == tape.keyList(object) else { return false }
    guard typenamePosition >= 0 else { return true }
    let cell = tape[tape.value(object, at: typenamePosition)]
    return typename.withUnsafeBufferPointer { tape.matches(cell, $0) }
  }
}

/// What was found out about the objects before the last ones: members may come in another order each
/// time, and types may take turns.
struct EarlierMemos {
  private struct Place: Hashable {
    let node: Int
    let keyList: Int
  }

  /// So that a response whose objects are all different takes no more memory.
  private static let maximumCount = 256

  private var memos: [Place: [WriteMemo]] = [:]
  private var count = 0

  mutating func keep(_ memo: WriteMemo, node: Int) {
    guard memo.layout != nil, count < Self.maximumCount else { return }
    count += 1
    memos[Place(node: node, keyList: memo.keyList), default: []].append(memo)
  }

  func memo(of object: Int, node: Int, _ tape: JSONTape) -> WriteMemo? {
    memos[Place(node: node, keyList: tape.keyList(object))]?.first { $0.fits(object, tape) }
  }
}
