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
    var pending = operation.selectionSet.spreads(inFields: false)
    while let name = pending.popLast() {
      if found.insert(name).inserted, let fragment = fragments[name] {
        pending += fragment.selectionSet.spreads(inFields: false)
      }
    }
    return found
  }
}

extension SelectionSet {
  fileprivate func withTypenames(isRoot: Bool) -> SelectionSet {
    var result = self
    var hasTypename = false
    for index in result.selections.indices {
      switch result.selections[index] {
      case .field(var field):
        if field.isTypename, !field.isConditional { hasTypename = true }
        guard let selectionSet = field.selectionSet else { continue }
        field.selectionSet = selectionSet.withTypenames(isRoot: false)
        result.selections[index] = .field(field)
      case .inlineFragment(var fragment):
        fragment.selectionSet = fragment.selectionSet.withTypenames(isRoot: isRoot)
        result.selections[index] = .inlineFragment(fragment)
      case .fragmentSpread:
        continue
      }
    }
    if !isRoot, !hasTypename {
      result.selections.append(.field(Field(name: "__typename")))
    }
    return result
  }
}

extension Field {
  /// Whether a response may lack the field.
  fileprivate var isConditional: Bool {
    directives.contains { $0.name == "include" || $0.name == "skip" }
  }
}
