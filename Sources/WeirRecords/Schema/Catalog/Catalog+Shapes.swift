import GraphQLLanguage
import Weir

extension Catalog {
  /// The shape of a selection for a type.
  func shape(
    of node: SelectionNode, _ key: ShapeKey, in plan: OperationPlan
  ) -> Shape {
    if let usual = node.usualShape(key) { return usual }
    let version = conditionsVersion
    if let known = node.shape(key, learned: version) { return known }
    var collected = CollectedFields(
      catalog: self, plan: plan, key: key, selectionSets: node.selectionSets)
    collected.collect()
    return node.keep(make(collected, version: version), for: key)
  }

  /// The shape of a selection for a type whose objects have members that type conditions would select
  /// if they did not seem not to hold. That they do not is forgotten. Nil if there are no such conditions.
  func shape(
    of node: SelectionNode, _ key: ShapeKey, selecting members: [String], in plan: OperationPlan
  ) -> Shape? {
    func collect(treatingRefutedAsUnknown: Bool) -> CollectedFields {
      var collected = CollectedFields(
        catalog: self, plan: plan, key: key, selectionSets: node.selectionSets)
      collected.treatsRefutedAsUnknown = treatingRefutedAsUnknown
      collected.collect()
      return collected
    }
    let found = collect(treatingRefutedAsUnknown: true).fields
    let selected = members.compactMap { found[$0] }
    guard !selected.isEmpty else { return nil }
    retract(Set(selected.flatMap(\.conditions)), for: key.type)
    let version = conditionsVersion
    return make(collect(treatingRefutedAsUnknown: false), version: version)
  }

  private func make(_ collected: CollectedFields, version: Int) -> Shape {
    let type = collected.key.type
    collected.plan.use(type)
    let typename = typename(type)
    let table = table(of: type)
    let fields = collected.order.compactMap { key in
      collected.fields[key].map { make($0, key: key, typename: typename, table: table, collected) }
    }
    // Two objects of unknown type may share an id.
    let hasKey = !collected.key.isRoot && type != .nameless
    let (keyFields, closure) = hasKey ? key(of: typename, fields: fields) : ([], nil)
    let assumptions = Assumptions(collected)
    policies.unmetNames?.meet(
      typename, fields.map(\.syntax), isMutation: type.isRoot && type != RootType.query.type)
    // The type of an older session's record may have lost its number.
    let isLasting = assumptions == nil && (!typename.isEmpty || type == .nameless)
    return Shape(
      collected.key, typename: typename, fields: fields, keyFields: keyFields,
      keyClosure: closure, assumedVersion: isLasting ? nil : version, assumptions: assumptions)
  }

  private func make(
    _ entry: CollectedFields.Entry, key: String, typename: String, table: TableID,
    _ collected: CollectedFields
  ) -> ShapeField {
    let field = entry.field
    let policy = policies.policy(of: field.name, on: typename)
    let pages = PagePolicy.find(for: field, configured: policy?.pages)
    let place =
      pages.map { pages -> ShapeField.Place in
        .variable(collected.plan.number(of: ArgumentTemplate(field, pages: pages.key)))
      }
      ?? self.place(
        of: field, policy: policy, key: key, collected.key, table: table, collected.plan)
    return ShapeField(
      responseKey: Array(key.utf8), name: field.name, typename: typename, place: place,
      child: entry.children.isEmpty
        ? nil : collected.plan.makeNode(entry.children.map(\.selectionSet)),
      mayRecur: collected.plan.mayRecur(field), mixesKeys: collected.plan.mixesKeys(field),
      syntax: field, policy: policy,
      // Scalars are kept whole, and have nothing that identifies them.
      pages: pages.flatMap {
        $0.policy.view == .run && !entry.children.isEmpty ? $0.policy : nil
      },
      timeToLive: policies.timeToLive(of: policy, on: typename))
  }

  private func place(
    of field: Field, policy: FieldPolicy?, key: String, _ shape: ShapeKey, table: TableID,
    _ plan: OperationPlan
  ) -> ShapeField.Place {
    // Only a schema knows the names of the root types.
    if field.name == "__typename", !shape.isRoot || policies.schema != nil {
      return .typename
    }
    if let computed = policy?.computed { return .computed(computed) }
    // Nobody reads the root of a mutation again. Its arguments, which are often texts that a user
    // has typed, need no permanent numbers.
    if shape.isRoot, shape.type != RootType.query.type {
      return .fixed(place(fixedField(key, name: key, of: plan), table: table))
    }
    let template = ArgumentTemplate(field, counting: policy?.keyArguments)
    guard template.isConstant else { return .variable(plan.number(of: template)) }
    let storageKey = template.storageKey(VariableValues(.none, defaults: [:]))
    return .fixed(place(fixedField(storageKey, name: field.name, of: plan), table: table))
  }

  /// The selected fields that form the key. Fields are found by name, not by alias.
  private func key(
    of typename: String, fields: [ShapeField]
  ) -> ([Int], (@Sendable (JSON) -> String?)?) {
    func position(_ name: String) -> Int? {
      fields.firstIndex { $0.name == name && $0.syntax.arguments.isEmpty && $0.child == nil }
    }
    switch policies.key(of: typename) {
    case .fields(let names):
      let positions = names.compactMap(position)
      return (positions.count == names.count ? positions : [], nil)
    case .computed(let closure): return ([], closure)
    case .embedded: return ([], nil)
    case nil:
      return ((position("id") ?? position("_id")).map { [$0] } ?? [], nil)
    }
  }
}

extension Field {
  fileprivate func isSameField(as other: Field) -> Bool {
    name == other.name && ArgumentTemplate(self) == ArgumentTemplate(other)
  }

  /// A separate field that stands for two, only one of which is present.
  fileprivate func either(or other: Field) -> Field {
    var both = self
    both.alias = responseKey
    both.name = "\(name)|\(other.name)"
    both.arguments += other.arguments.map { argument in
      var argument = argument
      argument.name = "|\(argument.name)"
      return argument
    }
    return both
  }
}

/// The fields of a selection, collected for a type (GraphQL specification, section 6.3.2).
struct CollectedFields {
  package struct Entry {
    var field: Field
    /// The selections on its objects, each with the condition that was assumed for it.
    var children: [(selectionSet: SelectionSet, assuming: String?)] = []
    /// The assumed conditions that select the field; empty if it is always selected.
    var conditions: Set<String>
  }

  let catalog: Catalog
  let plan: OperationPlan
  let key: ShapeKey
  let selectionSets: [SelectionSet]
  var order: [String] = []
  var fields: [String: Entry] = [:]
  var assumed: Set<String> = []
  /// Whether to assume also conditions that seem not to hold, unless that is declared.
  var treatsRefutedAsUnknown = false
  /// The conditions that were assumed around each fragment.
  private var visited: [String: Set<String?>] = [:]
  /// A fragment's fields are noted under so many conditions at most. More would teach nothing, and
  /// fragments that spread others several times would take exponential time.
  private static let maximumVisits = 8

  init(catalog: Catalog, plan: OperationPlan, key: ShapeKey, selectionSets: [SelectionSet]) {
    self.catalog = catalog
    self.plan = plan
    self.key = key
    self.selectionSets = selectionSets
  }

  /// Whether a fragment is to be visited with an assumption.
  private mutating func visit(_ name: String, _ assuming: String?) -> Bool {
    let known = visited[name] ?? []
    guard !known.contains(nil), assuming == nil || known.count < Self.maximumVisits else {
      return false
    }
    return visited[name, default: []].insert(assuming).inserted
  }

  mutating func collect() {
    for selectionSet in selectionSets { add(selectionSet, assuming: nil) }
  }

  private mutating func add(_ selectionSet: SelectionSet, assuming: String?) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field) where isIncluded(field.directives):
        add(field, assuming: assuming)
      case .inlineFragment(let fragment) where isIncluded(fragment.directives):
        add(fragment.selectionSet, on: fragment.typeCondition, assuming: assuming)
      case .fragmentSpread(let spread) where isIncluded(spread.directives):
        guard let fragment = plan.fragments[spread.name], visit(spread.name, assuming) else {
          continue
        }
        add(fragment.selectionSet, on: fragment.typeCondition, assuming: assuming)
      default: continue
      }
    }
  }

  private mutating func add(_ field: Field, assuming: String?) {
    let key = field.responseKey
    if let known = fields[key], !known.field.isSameField(as: field) {
      guard !known.conditions.isEmpty else { return }
      // At most one of the two is really present: the one that is certain, otherwise an unknown
      // one.
      if assuming == nil {
        fields[key] = Entry(field: field, conditions: [])
      } else {
        fields[key]?.field = known.field.either(or: field)
        fields[key]?.conditions.insert("")
      }
    } else if fields[key] == nil {
      order.append(key)
      fields[key] = Entry(field: field, conditions: assuming.map { [$0] } ?? [])
    } else if let assuming {
      if fields[key]?.conditions.isEmpty == false { fields[key]?.conditions.insert(assuming) }
    } else {
      fields[key]?.conditions = []
    }
    if let selectionSet = field.selectionSet {
      fields[key]?.children.append((selectionSet, assuming))
    }
  }

  private mutating func add(
    _ selectionSet: SelectionSet, on condition: String?, assuming: String?
  ) {
    guard let condition, !key.isRoot else { return add(selectionSet, assuming: assuming) }
    let holds = holds(condition)
    // Within another assumed condition, only the combination of both can be learned.
    let assumption = Assumptions.both(assuming, condition)
    let both = self.holds(assumption)
    guard holds != false, both != false else { return }
    if both == true { return add(selectionSet, assuming: nil) }
    if holds == true { return add(selectionSet, assuming: assuming) }
    assumed.insert(assumption)
    add(selectionSet, assuming: assumption)
  }

  private func holds(_ condition: String) -> Bool? {
    let holds = catalog.condition(condition, holdsFor: key.type)
    return treatsRefutedAsUnknown && holds == false && !catalog.isDeclared(condition) ? nil : holds
  }

  /// Whether both `@include` and `@skip` select it.
  private func isIncluded(_ directives: [Directive]) -> Bool {
    for directive in directives {
      guard let value = directive.arguments.first(where: { $0.name == "if" })?.value else {
        continue
      }
      if directive.isKnown(as: .include), !holds(value) { return false }
      if directive.isKnown(as: .skip), holds(value) { return false }
    }
    return true
  }

  private func holds(_ value: Value) -> Bool {
    switch value {
    case .boolean(let flag): return flag
    case .variable(let name):
      return key.conditions.contains(name)
    default: return false
    }
  }
}
