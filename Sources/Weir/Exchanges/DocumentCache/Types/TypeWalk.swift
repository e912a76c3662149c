/// Looks at every object of a response for its type, guided by what the document selects.
///
/// Objects with the same keys in the same order share a key list on the tape, so where
/// `__typename` and the fields with objects are is found out once per list, not once per object.
/// No strings are made but one per type.
struct TypeWalk {
  /// The type of an object: an index into `typeNames`, or nil where there is no `__typename`.
  typealias TypeIndex = Int

  private(set) var typeNames: [String] = []
  /// The fields that had an object of some type.
  private(set) var learned: Set<LearnedType> = []
  /// The fields that came back null or as an empty list, and those whose objects do not tell their
  /// type.
  private(set) var untypedFields: Set<FieldName> = []

  private var typeBytes: [[UInt8]] = []
  private var nodes: [Node] = []

  /// What is known about one selection set of the plan.
  fileprivate struct Node {
    let plan: SelectionPlan
    var layouts: [Layout] = []
    var lastLayout = 0
    var lastType = 0
    /// By the plan's field: the node of its objects, and the pair of types that was noted last.
    var children: [Int]
    var lastPair: [Int]
  }

  /// Where things are in objects with one list of keys.
  fileprivate struct Layout {
    let keyList: Int
    let typename: Int?
    /// Position of the member and index of the plan's field, ascending by position.
    let composites: [(position: Int, field: Int)]
  }

  init(_ data: JSON, plan: SelectionPlan, root: String) {
    typeNames.append(root)
    typeBytes.append(Array(root.utf8))
    nodes.append(Node(plan))
    data.document.withTape { tape in
      guard tape[Int(data.index)].kind == .object else { return }
      walkObject(at: Int(data.index), node: 0, type: 0, tape: tape)
    }
  }

  private mutating func walkObject(
    at object: Int, node: Int, type known: TypeIndex?, tape: JSONTape
  ) {
    let layout = layout(of: tape.keyList(object), node: node, tape: tape)
    let composites = nodes[node].layouts[layout].composites
    guard !composites.isEmpty else { return }
    var position = 0
    var value = tape.firstChild(object)
    for composite in composites {
      while position < composite.position {
        value = tape.next(value)
        position += 1
      }
      walkField(composite.field, value: value, node: node, parent: known, tape: tape)
    }
  }

  private mutating func walkField(
    _ field: Int, value: Int, node: Int, parent: TypeIndex?, tape: JSONTape
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
      untypedFields.insert(name(of: field, node: node, parent: parent))
    case .true, .false, .number, .string:
      break
    }
  }

  // MARK: - Types

  private mutating func typename(of object: Int, node: Int, tape: JSONTape) -> TypeIndex? {
    let layout = layout(of: tape.keyList(object), node: node, tape: tape)
    guard let position = nodes[node].layouts[layout].typename else { return nil }
    let cell = tape[tape.value(object, at: position)]
    guard cell.kind == .string else { return nil }
    let last = nodes[node].lastType
    if tape.matches(cell, typeBytes[last]) { return last }
    let index =
      typeBytes.firstIndex { tape.matches(cell, $0) }
      ?? {
        typeNames.append(tape.string(cell))
        typeBytes.append(Array(tape.string(cell).utf8))
        return typeNames.count - 1
      }()
    nodes[node].lastType = index
    return index
  }

  private mutating func note(_ type: TypeIndex?, of field: Int, node: Int, parent: TypeIndex?) {
    guard let type, let parent else {
      untypedFields.insert(name(of: field, node: node, parent: parent))
      return
    }
    let pair = parent << 32 | type
    guard nodes[node].lastPair[field] != pair else { return }
    nodes[node].lastPair[field] = pair
    learned.insert(
      LearnedType(field: name(of: field, node: node, parent: parent), type: typeNames[type]))
  }

  private func name(of field: Int, node: Int, parent: TypeIndex?) -> FieldName {
    FieldName(
      type: parent.map { typeNames[$0] } ?? FieldName.unknownType,
      field: nodes[node].plan.fields[field].name)
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

  private mutating func layout(of keyList: Int, node: Int, tape: JSONTape) -> Int {
    let last = nodes[node].lastLayout
    if last < nodes[node].layouts.count, nodes[node].layouts[last].keyList == keyList {
      return last
    }
    let index: Int
    if let known = nodes[node].layouts.firstIndex(where: { $0.keyList == keyList }) {
      index = known
    } else {
      nodes[node].layouts.append(makeLayout(of: keyList, plan: nodes[node].plan, tape: tape))
      index = nodes[node].layouts.count - 1
    }
    nodes[node].lastLayout = index
    return index
  }

  private func makeLayout(of keyList: Int, plan: SelectionPlan, tape: JSONTape) -> Layout {
    var typename: Int?
    var composites: [(position: Int, field: Int)] = []
    for position in 0..<tape.keyCount(keyList) {
      let key = tape.key(keyList, position)
      if tape.matches(key, Self.typenameKey) { typename = position }
      if let field = plan.fields.firstIndex(where: {
        $0.child != nil && tape.matches(key, $0.responseKey)
      }) {
        composites.append((position, field))
      }
    }
    return Layout(keyList: keyList, typename: typename, composites: composites)
  }

  private static let typenameKey = Array("__typename".utf8)
}

extension TypeWalk.Node {
  fileprivate init(_ plan: SelectionPlan) {
    self.plan = plan
    children = Array(repeating: -1, count: plan.fields.count)
    lastPair = Array(repeating: -1, count: plan.fields.count)
  }
}

extension JSONTape {
  fileprivate func matches(_ cell: JSONCell, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { matches(cell, $0) }
  }
}
