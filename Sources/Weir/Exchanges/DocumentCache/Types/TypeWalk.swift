/// Collects the types of all objects of a response, guided by what the document selects.
///
/// Objects with the same keys in the same order share a key list on the tape. So the walk finds the
/// positions of `__typename` and of the fields with objects once per list, not once per object.
///
/// The knowledge of a document's types stays for its next response: only what is new in that one
/// allocates memory.
struct TypeWalk {
  typealias TypeIndex = TypeNames.Index

  /// The types that were met so far, the root's first.
  private(set) var typeNames: TypeNames
  /// The types in the last response, without the root's.
  private(set) var typesMet: [TypeIndex] = []
  /// The types that fields have returned for the first time in the last response.
  private(set) var learned: [LearnedType] = []
  /// The fields that came back null or as an empty list in the last response, and those whose
  /// objects have no type name.
  private(set) var untypedFields: Set<FieldCoordinate> = []

  /// The last response if it is large, and as long as it exists: a server often sends the same again.
  private weak var last: JSONDocument?
  private var lastIndex: TapeIndex?

  private var walkCount = 0
  private var nodes: [Node]

  /// The state of the walk for one selection set of the plan.
  fileprivate struct Node {
    let plan: SelectionPlan
    /// The plan's fields with objects, and their keys.
    let composable: [(field: Int, key: [UInt8])]
    /// Where those are; nil for few.
    let table: ResponseKeyTable?
    /// The layouts of objects in the last response, whose key lists they name: a few of them.
    var layouts: [Layout] = []
    /// The positions of members with objects, ascending, and the plan's fields; for all layouts.
    var composites: [(position: Int, field: Int)] = []
    /// The layout and the type of the last object, which the next one nearly always shares.
    var lastLayout = 0
    var lastType = 0
    /// The node of each of the plan's fields; -1 if the walk has not met an object there.
    var children: [Int]
    /// The entries that `learned` has had already: the first few, and the others.
    var pairs: [Pair] = []
    var otherPairs: Set<Pair> = []
  }

  fileprivate struct Pair: Hashable {
    let field: Int
    let parent: TypeIndex
    let type: TypeIndex
  }

  /// The positions of members in objects with one key list.
  fileprivate struct Layout {
    let keyList: Int
    let typename: Int?
    /// Those of the node.
    let composites: Range<Int>
  }

  init(_ plan: SelectionPlan, root: String) {
    typeNames = TypeNames(root)
    nodes = [Node(plan)]
  }

  /// The names of the types in the last response, without the root's.
  var namesMet: [String] { typesMet.map { typeNames[$0] } }

  /// Walks over a response.
  mutating func walk(_ data: JSON) {
    learned.removeAll()
    if let last, last === data.document, lastIndex == data.index { return }
    last = data.document.footprint > 4096 ? data.document : nil
    lastIndex = data.index
    walkCount += 1
    typesMet.removeAll(keepingCapacity: true)
    untypedFields.removeAll()
    for node in nodes.indices { nodes[node].forgetLayouts() }
    data.document.withTape { tape in
      guard tape[data.index].kind == .object else { return }
      walkObject(at: data.index, node: 0, type: 0, tape: tape)
    }
  }

  private mutating func walkObject(
    at object: TapeIndex, node: Int, type: TypeIndex?, tape: JSONTape
  ) {
    var position = 0
    var value = tape.firstChild(object)
    for index in layout(of: object, node: node, tape: tape).composites {
      let composite = nodes[node].composites[index]
      while position < composite.position {
        value = tape.next(value)
        position += 1
      }
      walkField(composite.field, value: value, node: node, parent: type, tape: tape)
    }
  }

  private mutating func walkField(
    _ field: Int, value: TapeIndex, node: Int, parent: TypeIndex?, tape: JSONTape
  ) {
    switch tape[value].kind {
    case .object:
      let child = childNode(of: field, node: node)
      let type = typename(of: value, node: child, tape: tape)
      note(type, of: field, node: node, parent: parent)
      walkObject(at: value, node: child, type: type, tape: tape)
    case .array where tape.count(value) > 0:
      var element = tape.firstChild(value)
      for _ in 0..<tape.count(value) {
        walkField(field, value: element, node: node, parent: parent, tape: tape)
        element = tape.next(element)
      }
    case .null, .array:
      noteUntyped(field, node: node, parent: parent)
    case .true, .false, .number, .string:
      break
    }
  }

  // MARK: - Types

  /// The type of an object; nil if the object has no type name.
  private mutating func typename(of object: TapeIndex, node: Int, tape: JSONTape) -> TypeIndex? {
    guard let position = layout(of: object, node: node, tape: tape).typename else { return nil }
    let cell = tape[tape.value(object, at: position)]
    guard cell.kind == .string else { return nil }
    var type = nodes[node].lastType
    if !typeNames.matches(cell, at: type, tape: tape) {
      type = typeNames.index(of: cell, tape: tape)
      nodes[node].lastType = type
    }
    if typeNames.meet(type, inWalk: walkCount) { typesMet.append(type) }
    return type
  }

  private mutating func note(_ type: TypeIndex?, of field: Int, node: Int, parent: TypeIndex?) {
    guard let type, let parent else {
      noteUntyped(field, node: node, parent: parent)
      return
    }
    let pair = Pair(field: field, parent: parent, type: type)
    guard !nodes[node].pairs.contains(pair) else { return }
    if nodes[node].pairs.count < TypeNames.few {
      nodes[node].pairs.append(pair)
    } else if !nodes[node].otherPairs.insert(pair).inserted {
      return
    }
    let names = names(of: field, node: node, parent: parent)
    // Of several names, one returns the type, but which one is unknown.
    if names.count == 1 { learned.append(LearnedType(field: names[0], type: typeNames[type])) }
  }

  private mutating func noteUntyped(_ field: Int, node: Int, parent: TypeIndex?) {
    if let name = nodes[node].plan.fields[field].onlyName {
      let type = parent.map { typeNames[$0] } ?? FieldCoordinate.unknownType
      untypedFields.insert(FieldCoordinate(type: type, field: name))
    } else {
      untypedFields.formUnion(names(of: field, node: node, parent: parent))
    }
  }

  private func names(of field: Int, node: Int, parent: TypeIndex?) -> [FieldCoordinate] {
    let type = parent.map { typeNames[$0] }
    return nodes[node].plan.fields[field].names(on: type).map {
      FieldCoordinate(type: type ?? FieldCoordinate.unknownType, field: $0)
    }
  }

  // MARK: - Layouts

  private mutating func childNode(of field: Int, node: Int) -> Int {
    let known = nodes[node].children[field]
    if known >= 0 { return known }
    guard let plan = nodes[node].plan.fields[field].child else { return node }
    nodes.append(Node(plan))
    nodes[node].children[field] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func layout(of object: TapeIndex, node: Int, tape: JSONTape) -> Layout {
    let keyList = tape.keyList(object)
    let last = nodes[node].lastLayout
    if last < nodes[node].layouts.count, nodes[node].layouts[last].keyList == keyList {
      return nodes[node].layouts[last]
    }
    return nodes[node].layout(of: keyList, tape: tape)
  }
}

extension TypeWalk.Node {
  private static let typenameKey = Array("__typename".utf8)

  fileprivate init(_ plan: SelectionPlan) {
    self.plan = plan
    composable = plan.fields.enumerated().compactMap { index, field in
      field.child == nil ? nil : (index, field.responseKey)
    }
    table =
      composable.count > ResponseKeyTable.few ? ResponseKeyTable(composable.lazy.map(\.key)) : nil
    children = Array(repeating: -1, count: plan.fields.count)
  }

  fileprivate mutating func forgetLayouts() {
    layouts.removeAll(keepingCapacity: true)
    composites.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func layout(of keyList: Int, tape: JSONTape) -> TypeWalk.Layout {
    if let known = layouts.firstIndex(where: { $0.keyList == keyList }) {
      lastLayout = known
      return layouts[known]
    }
    // More than a few are not worth a search.
    if layouts.count == 8 { forgetLayouts() }
    let first = composites.count
    var typename: Int?
    var next = 0
    for position in 0..<tape.keyCount(keyList) {
      let key = tape.key(keyList, position)
      if tape.matches(key, Self.typenameKey) { typename = position }
      if let found = composable(named: key, expected: next, tape: tape) {
        composites.append((position, composable[found].field))
        next = found + 1
      }
    }
    lastLayout = layouts.count
    layouts.append(
      TypeWalk.Layout(keyList: keyList, typename: typename, composites: first..<composites.count))
    return layouts[lastLayout]
  }

  private func composable(named key: JSONCell, expected: Int, tape: JSONTape) -> Int? {
    guard let table else { return composable.firstIndex { tape.matches(key, $0.key) } }
    if expected < composable.count, tape.matches(key, composable[expected].key) { return expected }
    return table.position(of: key, tape)
  }
}

extension JSONTape {
  func matches(_ cell: JSONCell, _ bytes: [UInt8]) -> Bool {
    // Proof: the buffer is only read, and only during the call.
    bytes.withUnsafeBufferPointer { matches(cell, $0) }
  }
}
