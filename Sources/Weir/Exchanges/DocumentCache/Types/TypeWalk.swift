/// Looks at every object of a response for its type, guided by what the document selects.
///
/// Objects with the same keys in the same order share a key list on the tape, so where
/// `__typename` and the fields with objects are is found out once per list, not once per object.
/// What it learns of a document's types stays for the next response: of that only what is new costs
/// strings and memory.
struct TypeWalk {
  /// The type of an object: an index into `typeNames`, or nil where there is no `__typename`.
  typealias TypeIndex = Int

  /// The types that were met so far, the root's first.
  private(set) var typeNames: [String] = []
  /// Those that the last response has beside the root's, in the order in which they were met.
  private(set) var typesMet: [TypeIndex] = []
  /// What was derived from the types of some response, and from what was known at that time.
  var lastNames: (version: Int, types: [TypeIndex], names: Set<String>)?
  /// The fields that had an object of some type for the first time.
  private(set) var learned: [LearnedType] = []
  /// The fields that came back null or as an empty list in the last response, and those whose
  /// objects do not tell their type.
  private(set) var untypedFields: Set<FieldName> = []

  private var typeBytes: [[UInt8]] = []
  private var isTypeMet: [Bool] = []
  private var nodes: [Node] = []

  /// What is known about one selection set of the plan.
  fileprivate struct Node {
    let plan: SelectionPlan
    /// Those of the last response, whose key lists they name.
    var layouts: [Layout] = []
    /// Where they are, by key list, when there are more than a few.
    var layoutIndices: [Int: Int] = [:]
    /// What the layouts refer to: positions of members, ascending, and the plan's fields.
    var composites: [(position: Int, field: Int)] = []
    var lastLayout = 0
    var lastType = 0
    /// By the plan's field: the node of its objects, and the pairs of types that were noted.
    var children: [Int]
    var pairs: [[Int]]
  }

  /// Where things are in objects with one list of keys.
  fileprivate struct Layout {
    let keyList: Int
    let typename: Int?
    /// Those of the node.
    let composites: Range<Int>
  }

  init(plan: SelectionPlan, root: String) {
    typeNames.append(root)
    typeBytes.append(Array(root.utf8))
    isTypeMet.append(true)
    nodes.append(Node(plan))
  }

  /// The types that the last response has beside the root's.
  var namesMet: [String] { typesMet.map { typeNames[$0] } }

  /// Looks at a response.
  mutating func walk(_ data: JSON) {
    forgetResponse()
    data.document.withTape { tape in
      guard tape[Int(data.index)].kind == .object else { return }
      walkObject(at: Int(data.index), node: 0, type: 0, tape: tape)
    }
  }

  private mutating func forgetResponse() {
    for type in typesMet { isTypeMet[type] = false }
    typesMet.removeAll(keepingCapacity: true)
    learned = []
    untypedFields = []
    for node in nodes.indices {
      nodes[node].layouts.removeAll(keepingCapacity: true)
      nodes[node].layoutIndices.removeAll(keepingCapacity: true)
      nodes[node].composites.removeAll(keepingCapacity: true)
    }
  }

  private mutating func walkObject(
    at object: Int, node: Int, type known: TypeIndex?, tape: JSONTape
  ) {
    let layout = layout(of: tape.keyList(object), node: node, tape: tape)
    var position = 0
    var value = tape.firstChild(object)
    for index in nodes[node].layouts[layout].composites {
      let composite = nodes[node].composites[index]
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
    var type = nodes[node].lastType
    if !tape.matches(cell, typeBytes[type]) {
      type = typeBytes.firstIndex { tape.matches(cell, $0) } ?? addType(tape.string(cell))
      nodes[node].lastType = type
    }
    if !isTypeMet[type] {
      isTypeMet[type] = true
      typesMet.append(type)
    }
    return type
  }

  private mutating func addType(_ name: String) -> TypeIndex {
    typeNames.append(name)
    typeBytes.append(Array(name.utf8))
    isTypeMet.append(false)
    return typeNames.count - 1
  }

  private mutating func note(_ type: TypeIndex?, of field: Int, node: Int, parent: TypeIndex?) {
    guard let type, let parent else {
      untypedFields.insert(name(of: field, node: node, parent: parent))
      return
    }
    let pair = parent << 32 | type
    guard !nodes[node].pairs[field].contains(pair) else { return }
    nodes[node].pairs[field].append(pair)
    learned.append(
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
    let index = nodes[node].layout(of: keyList) ?? nodes[node].layouts.count
    if index == nodes[node].layouts.count { addLayout(of: keyList, node: node, tape: tape) }
    nodes[node].lastLayout = index
    return index
  }

  private mutating func addLayout(of keyList: Int, node: Int, tape: JSONTape) {
    let plan = nodes[node].plan
    let first = nodes[node].composites.count
    var typename: Int?
    for position in 0..<tape.keyCount(keyList) {
      let key = tape.key(keyList, position)
      if tape.matches(key, Self.typenameKey) { typename = position }
      if let field = plan.fields.firstIndex(where: {
        $0.child != nil && tape.matches(key, $0.responseKey)
      }) {
        nodes[node].composites.append((position, field))
      }
    }
    nodes[node].add(
      Layout(
        keyList: keyList, typename: typename, composites: first..<nodes[node].composites.count))
  }

  private static let typenameKey = Array("__typename".utf8)
}

extension TypeWalk.Node {
  private static let few = 8

  fileprivate func layout(of keyList: Int) -> Int? {
    layouts.count <= Self.few
      ? layouts.firstIndex { $0.keyList == keyList } : layoutIndices[keyList]
  }

  fileprivate mutating func add(_ layout: TypeWalk.Layout) {
    layouts.append(layout)
    guard layouts.count > Self.few else { return }
    for index in layoutIndices.count..<layouts.count {
      layoutIndices[layouts[index].keyList] = index
    }
  }

  fileprivate init(_ plan: SelectionPlan) {
    self.plan = plan
    children = Array(repeating: -1, count: plan.fields.count)
    pairs = Array(repeating: [], count: plan.fields.count)
  }
}

extension JSONTape {
  fileprivate func matches(_ cell: JSONCell, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { matches(cell, $0) }
  }
}
