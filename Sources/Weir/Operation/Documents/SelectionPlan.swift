import GraphQLLanguage

/// The fields that an operation selects from one object, with its fragments merged.
///
/// Walks over responses follow the plan, so that they do not mistake a custom scalar with a
/// `__typename` for an object.
final class SelectionPlan: Sendable {
  struct Field: Sendable {
    let responseKey: [UInt8]
    fileprivate let name: String
    /// All names, if fields with different names have this key on different types.
    fileprivate let conditionalNames: [ConditionalName]
    /// The plan of the field's objects; nil for a leaf.
    let child: SelectionPlan?
  }

  /// The name of a field, and the type condition under which it is selected; nil without one.
  fileprivate typealias ConditionalName = (name: String, condition: String?)

  let fields: [Field]
  /// The type conditions of the fragments on this object.
  let typeConditions: Set<String>
  /// The estimated size in memory with all plans below, in bytes.
  let footprint: Int

  /// The plan of an operation that selects nothing.
  static let empty = SelectionPlan()

  private init() {
    fields = []
    typeConditions = []
    footprint = 0
  }

  /// The limit on the depth of selections, with fragments expanded.
  private static let maximumDepth = 200

  /// Whether a plan of such selections is certainly within all limits, and of moderate size. Fields of one
  /// key, which the plan merges, count one by one.
  static func fits(_ extent: SelectionNesting.Extent) -> Bool {
    extent.depth <= maximumDepth && extent.selections <= 10_000
  }

  /// The estimated size of a plan with all plans below, in bytes, if each selection gets a `__typename`.
  static func footprint(of extent: SelectionNesting.Extent) -> Int {
    let count = 2 * extent.selections + 1
    return SelectionBudget.bytes(fields: count, selections: count)
  }

  convenience init(
    _ selectionSet: SelectionSet, fragments: [String: FragmentDefinition]
  ) throws(OperationError) {
    var budget = SelectionBudget()
    try self.init([selectionSet], fragments: fragments, depth: 0, budget: &budget)
  }

  private init(
    _ selectionSets: [SelectionSet], fragments: [String: FragmentDefinition], depth: Int,
    budget: inout SelectionBudget
  ) throws(OperationError) {
    guard depth < Self.maximumDepth else {
      throw .document("The document nests selections more than \(Self.maximumDepth) levels deep.")
    }
    let bytes = budget.bytes
    var level = Level()
    for selectionSet in selectionSets {
      try level.add(selectionSet, fragments: fragments, path: [], budget: &budget)
    }
    var fields: [Field] = []
    fields.reserveCapacity(level.fields.count)
    for field in level.fields {
      let child =
        field.children.isEmpty
        ? nil
        : try SelectionPlan(
          field.children, fragments: fragments, depth: depth + 1, budget: &budget)
      fields.append(
        Field(
          responseKey: Array(field.key.utf8), name: field.name.name,
          conditionalNames: field.others.isEmpty ? [] : [field.name] + field.others, child: child))
    }
    self.fields = fields
    typeConditions = level.typeConditions
    footprint = budget.bytes - bytes
  }
}

extension SelectionPlan.Field {
  /// The name of the field; nil if that depends on the type.
  var onlyName: String? { conditionalNames.isEmpty ? name : nil }

  /// The names that the field may have on a type: nearly always one.
  func names(on type: String?) -> [String] {
    if conditionalNames.isEmpty { return [name] }
    // Fields that apply to one object type have one name.
    if let type, let own = conditionalNames.first(where: { $0.condition == type }) {
      return [own.name]
    }
    return conditionalNames.map(\.name)
  }
}

/// The rest of the limits for the plan of one operation, with fragments expanded: a short document can repeat
/// a long selection many thousand times.
private struct SelectionBudget {
  private static let maximumFields = 100_000
  private static let maximumSelections = 1_000_000

  private var fields = 0
  private var selections = 0

  /// The estimated size of what was counted. A selection that is merged with another leaves at most a
  /// name and a type condition.
  var bytes: Int { Self.bytes(fields: fields, selections: selections) }

  static func bytes(fields: Int, selections: Int) -> Int { fields * 130 + selections * 32 }

  mutating func countSelection() throws(OperationError) {
    selections += 1
    guard selections <= Self.maximumSelections else {
      throw .document(
        "The document has more than \(Self.maximumSelections) selections, with fragments expanded.")
    }
  }

  mutating func countField() throws(OperationError) {
    fields += 1
    guard fields <= Self.maximumFields else {
      throw .document("The document selects more than \(Self.maximumFields) fields.")
    }
  }
}

/// The selections of one object while they are merged.
private struct Level {
  struct MergedField {
    let key: String
    let name: SelectionPlan.ConditionalName
    /// The names after the first, if one of them is another.
    var others: [SelectionPlan.ConditionalName] = []
    var children: [SelectionSet] = []
  }

  private(set) var fields: [MergedField] = []
  private(set) var typeConditions: Set<String> = []
  /// The positions of the fields by response key if there are more than a few.
  private var positions: [String: Int] = [:]
  private var spread: Set<String> = []

  private static let few = 16

  mutating func add(
    _ selectionSet: SelectionSet, on condition: String? = nil,
    fragments: [String: FragmentDefinition], path: [String], budget: inout SelectionBudget
  ) throws(OperationError) {
    for selection in selectionSet.selections {
      try budget.countSelection()
      switch selection {
      case .field(let field):
        try add(field, on: condition, budget: &budget)
      case .inlineFragment(let fragment):
        if let type = fragment.typeCondition { typeConditions.insert(type) }
        try add(
          fragment.selectionSet, on: fragment.typeCondition ?? condition, fragments: fragments,
          path: path, budget: &budget)
      case .fragmentSpread(let spread):
        try add(spread.name, fragments: fragments, path: path, budget: &budget)
      }
    }
  }

  private mutating func add(
    _ field: Field, on condition: String?, budget: inout SelectionBudget
  ) throws(OperationError) {
    let key = field.responseKey
    let place = position(of: key) ?? fields.count
    if place == fields.count {
      try budget.countField()
      fields.append(MergedField(key: key, name: (field.name, condition)))
      if fields.count > Self.few { notePositions() }
    } else if !fields[place].others.isEmpty || fields[place].name.name != field.name {
      fields[place].others.append((field.name, condition))
    }
    if let selectionSet = field.selectionSet { fields[place].children.append(selectionSet) }
  }

  private func position(of key: String) -> Int? {
    fields.count > Self.few ? positions[key] : fields.firstIndex { $0.key == key }
  }

  private mutating func notePositions() {
    for place in positions.count..<fields.count { positions[fields[place].key] = place }
  }

  private mutating func add(
    _ name: String, fragments: [String: FragmentDefinition], path: [String],
    budget: inout SelectionBudget
  ) throws(OperationError) {
    guard !path.contains(name) else {
      throw .document("The fragment \(name) spreads itself.")
    }
    guard spread.insert(name).inserted, let fragment = fragments[name] else { return }
    typeConditions.insert(fragment.typeCondition)
    try add(
      fragment.selectionSet, on: fragment.typeCondition, fragments: fragments, path: path + [name],
      budget: &budget)
  }
}
