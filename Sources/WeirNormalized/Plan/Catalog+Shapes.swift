import GraphQLLanguage
import Weir

extension Catalog {
  /// What a selection comes to for a type.
  func shape(
    of node: SelectionNode, _ key: ShapeKey, in plan: OperationPlan
  ) -> Shape {
    let version = conditionsVersion
    if let known = node.shape(key, learned: version) { return known }
    var collected = CollectedFields(
      catalog: self, plan: plan, key: key, selectionSets: node.selectionSets)
    collected.collect()
    return node.keep(make(collected, version: version), for: key)
  }

  private func make(_ collected: CollectedFields, version: Int) -> Shape {
    let type = collected.key.type
    let typename = typename(type)
    let table = table(of: type)
    let fields = collected.order.compactMap { key in
      collected.fields[key].map { make($0, key: key, typename: typename, table: table, collected) }
    }
    let (keyFields, closure) = key(of: typename, isRoot: collected.key.isRoot, fields: fields)
    let assumptions = collected.assumed.sorted().map { condition in
      Shape.Assumption(
        condition: condition,
        responseKeys: collected.order.filter { collected.fields[$0]?.conditions == [condition] }
          .map { Array($0.utf8) })
    }
    return Shape(
      type: type, typename: typename, fields: fields, keyFields: keyFields, keyClosure: closure,
      isRoot: collected.key.isRoot, assumedVersion: assumptions.isEmpty ? nil : version,
      assumptions: assumptions)
  }

  private func make(
    _ entry: CollectedFields.Entry, key: String, typename: String, table: Int,
    _ collected: CollectedFields
  ) -> ShapeField {
    let field = entry.field
    let policy = configuration.policy(of: field.name, on: typename)
    let pages = PagePolicy.find(for: field, configured: policy?.pages)
    let place =
      pages.map { pages -> ShapeField.Place in
        .variable(collected.plan.number(of: ArgumentTemplate(field, pages: pages.key)))
      }
      ?? place(of: field, policy: policy, typename: typename, table: table, collected.plan)
    return ShapeField(
      responseKey: Array(key.utf8), name: field.name, place: place,
      child: entry.children.isEmpty ? nil : collected.plan.makeNode(entry.children),
      syntax: field, policy: policy,
      pages: pages.flatMap { $0.policy.view == .run ? $0.policy : nil },
      timeToLive: configuration.timeToLive(of: policy, on: typename))
  }

  private func place(
    of field: Field, policy: FieldPolicy?, typename: String, table: Int, _ plan: OperationPlan
  ) -> ShapeField.Place {
    if field.name == "__typename" { return .typename }
    if let computed = policy?.computed { return .computed(computed) }
    let template = ArgumentTemplate(field, counting: policy?.keyArguments)
    guard template.isConstant else { return .variable(plan.number(of: template)) }
    let storageKey = template.storageKey(VariableValues(nil))
    return .fixed(place(permanentField(storageKey, name: field.name), table: table))
  }

  /// Which of the selected fields make the key. Fields are found by their name, not by their alias.
  private func key(
    of typename: String, isRoot: Bool, fields: [ShapeField]
  ) -> ([Int], (@Sendable (JSON) -> String?)?) {
    func position(_ name: String) -> Int? {
      fields.firstIndex { $0.name == name && $0.syntax.arguments.isEmpty && $0.child == nil }
    }
    guard !isRoot else { return ([], nil) }
    switch configuration.key(of: typename) {
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

/// The fields that a selection comes to (GraphQL specification, section 6.3.2).
private struct CollectedFields {
  struct Entry {
    let field: Field
    var children: [SelectionSet] = []
    /// The assumed conditions that select it; empty if it is selected in any case.
    var conditions: Set<String>
  }

  let catalog: Catalog
  let plan: OperationPlan
  let key: ShapeKey
  let selectionSets: [SelectionSet]
  var order: [String] = []
  var fields: [String: Entry] = [:]
  var assumed: Set<String> = []

  mutating func collect() {
    for selectionSet in selectionSets { add(selectionSet, path: [], assuming: nil) }
  }

  private mutating func add(_ selectionSet: SelectionSet, path: [String], assuming: String?) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field) where isIncluded(field.directives):
        add(field, assuming: assuming)
      case .inlineFragment(let fragment) where isIncluded(fragment.directives):
        add(
          fragment.selectionSet, on: fragment.typeCondition, path: path, assuming: assuming)
      case .fragmentSpread(let spread) where isIncluded(spread.directives):
        guard !path.contains(spread.name), let fragment = plan.fragments[spread.name] else {
          continue
        }
        add(
          fragment.selectionSet, on: fragment.typeCondition, path: path + [spread.name],
          assuming: assuming)
      default: continue
      }
    }
  }

  private mutating func add(_ field: Field, assuming: String?) {
    let key = field.responseKey
    if fields[key] == nil {
      order.append(key)
      fields[key] = Entry(field: field, conditions: assuming.map { [$0] } ?? [])
    } else if let assuming {
      if fields[key]?.conditions.isEmpty == false { fields[key]?.conditions.insert(assuming) }
    } else {
      fields[key]?.conditions = []
    }
    if let selectionSet = field.selectionSet { fields[key]?.children.append(selectionSet) }
  }

  private mutating func add(
    _ selectionSet: SelectionSet, on condition: String?, path: [String], assuming: String?
  ) {
    guard let condition, !key.isRoot else {
      return add(selectionSet, path: path, assuming: assuming)
    }
    switch catalog.condition(condition, holdsFor: key.type) {
    case true: add(selectionSet, path: path, assuming: assuming)
    case false: break
    case nil:
      assumed.insert(condition)
      add(selectionSet, path: path, assuming: condition)
    }
  }

  /// Both `@include` and `@skip` must let it pass.
  private func isIncluded(_ directives: [Directive]) -> Bool {
    for directive in directives {
      guard let value = directive.arguments.first(where: { $0.name == "if" })?.value else {
        continue
      }
      if directive.name == "include", !holds(value) { return false }
      if directive.name == "skip", holds(value) { return false }
    }
    return true
  }

  private func holds(_ value: Value) -> Bool {
    switch value {
    case .boolean(let flag): return flag
    case .variable(let name):
      guard let bit = plan.conditionVariables.firstIndex(of: name), bit < 64 else { return false }
      return key.conditions & 1 << UInt64(bit) != 0
    default: return false
    }
  }
}
