import GraphQLLanguage
import GraphQLValidation

extension Documents {
  /// Returns the spreads in a selection set, in the order of the text.
  static func spreads(in selections: SelectionSet) -> [FragmentSpread] {
    selections.selections.flatMap { selection in
      switch selection {
      case .field(let field): field.selectionSet.map(spreads) ?? []
      case .fragmentSpread(let spread): [spread]
      case .inlineFragment(let fragment): spreads(in: fragment.selectionSet)
      }
    }
  }

  /// Returns the spreads whose fragments the code for a selection set names: those in it, and those in
  /// fragments that it unmasks, which get the place of the spread in the selection set.
  func namedSpreads(in selections: SelectionSet) -> [FragmentSpread] {
    var found = Self.spreads(in: selections)
    var unmasked: Set<String> = []
    var position = 0
    while position < found.count {
      let spread = found[position]
      position += 1
      guard spread.isUnmasked, unmasked.insert(spread.name).inserted,
        let fragment = fragments[spread.name]?.definition
      else { continue }
      for var inner in Self.spreads(in: fragment.selectionSet) {
        inner.location = spread.location
        found.append(inner)
      }
    }
    return found
  }
}
