import GraphQLLanguage

/// Adds `__typename` as the last selection of every selection set that does not have it without an
/// alias, except those on an operation's root type. Fragments that the root spreads are on that
/// type.
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
    var pending = operation.selectionSet.spreadsOfThisLevel
    while let name = pending.popLast() {
      if found.insert(name).inserted, let fragment = fragments[name] {
        pending += fragment.selectionSet.spreadsOfThisLevel
      }
    }
    return found
  }
}

extension SelectionSet {
  fileprivate var spreadsOfThisLevel: [String] {
    selections.flatMap { selection -> [String] in
      switch selection {
      case .field: []
      case .fragmentSpread(let spread): [spread.name]
      case .inlineFragment(let fragment): fragment.selectionSet.spreadsOfThisLevel
      }
    }
  }

  fileprivate func withTypenames(isRoot: Bool) -> SelectionSet {
    var result = self
    var hasTypename = false
    for index in result.selections.indices {
      switch result.selections[index] {
      case .field(var field):
        if field.name == "__typename", field.alias == nil { hasTypename = true }
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
