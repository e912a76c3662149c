import GraphQLLanguage

/// Adds `__typename` as the last selection of every selection set that does not have it under this
/// name and without a condition, except those on an operation's root type. Fragments that the root
/// spreads are on that type.
struct TypenameInsertion {
  let operation: OperationDefinition
  let fragments: [String: FragmentDefinition]

  init(operation: OperationDefinition, fragments: [String: FragmentDefinition]) {
    let onRoot = Self.spreadOnRoot(by: operation, among: fragments)
    var operation = operation
    operation.description = nil
    for index in operation.variableDefinitions.indices {
      operation.variableDefinitions[index].description = nil
    }
    operation.selectionSet = operation.selectionSet.withTypenames(isRoot: true)
    self.operation = operation
    self.fragments = fragments.mapValues { fragment in
      var fragment = fragment
      fragment.description = nil
      fragment.selectionSet = fragment.selectionSet.withTypenames(
        isRoot: onRoot.contains(fragment.name))
      return fragment
    }
  }

  /// Returns the fragments that the root spreads, directly or through other fragments.
  private static func spreadOnRoot(
    by operation: OperationDefinition, among fragments: [String: FragmentDefinition]
  ) -> Set<String> {
    var found: Set<String> = []
    var pending: [String] = []
    operation.selectionSet.addSpreads(inFields: false, to: &pending)
    while let name = pending.popLast() {
      if found.insert(name).inserted, let fragment = fragments[name] {
        fragment.selectionSet.addSpreads(inFields: false, to: &pending)
      }
    }
    return found
  }
}

extension SelectionSet {
  fileprivate func withTypenames(isRoot: Bool) -> SelectionSet {
    var result: [Selection] = []
    result.reserveCapacity(selections.count + 1)
    var hasTypename = false
    for selection in selections {
      switch selection {
      case .field(let field):
        if field.isTypename, !field.isConditional { hasTypename = true }
        result.append(field.selectionSet == nil ? selection : .field(field.withTypenames))
      case .inlineFragment(var fragment):
        fragment.selectionSet = fragment.selectionSet.withTypenames(isRoot: isRoot)
        result.append(.inlineFragment(fragment))
      case .fragmentSpread:
        result.append(selection)
      }
    }
    if !isRoot, !hasTypename { result.append(.field(Field(name: "__typename"))) }
    return SelectionSet(selections: result)
  }
}

extension Field {
  /// The field with the selections of its objects.
  fileprivate var withTypenames: Field {
    var field = self
    field.selectionSet = selectionSet?.withTypenames(isRoot: false)
    return field
  }

  /// Whether a response may lack the field.
  fileprivate var isConditional: Bool {
    directives.contains { $0.name == "include" || $0.name == "skip" }
  }
}
