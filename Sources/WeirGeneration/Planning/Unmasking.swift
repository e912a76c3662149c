import GraphQLLanguage

// `...Row @unmask` repeats the fragment's fields in the parent. Only the generator reads it; servers do
// not know it.

extension FragmentSpread {
  /// Whether the fields of the fragment belong to the parent.
  var isUnmasked: Bool { directives.contains { $0.name == "unmask" } }

  /// The fragment in the place of its spread.
  func unmasked(_ fragment: FragmentDefinition) -> InlineFragment {
    InlineFragment(
      typeCondition: fragment.typeCondition, directives: directives.filter { $0.name != "unmask" },
      selectionSet: fragment.selectionSet.located(at: location), location: location)
  }
}

extension SelectionSet {
  /// The selections with the place of a spread, to which messages about them point: the fragment can
  /// be in another file.
  fileprivate func located(at location: SourceLocation) -> SelectionSet {
    SelectionSet(
      selections: selections.map { selection in
        switch selection {
        case .field(var field):
          field.location = location
          field.selectionSet = field.selectionSet?.located(at: location)
          return .field(field)
        case .fragmentSpread(var spread):
          spread.location = location
          return .fragmentSpread(spread)
        case .inlineFragment(var fragment):
          fragment.location = location
          fragment.selectionSet = fragment.selectionSet.located(at: location)
          return .inlineFragment(fragment)
        }
      })
  }

  /// The selections as they are sent.
  var withoutUnmasking: SelectionSet {
    SelectionSet(
      selections: selections.map { selection in
        switch selection {
        case .field(var field):
          field.selectionSet = field.selectionSet?.withoutUnmasking
          return .field(field)
        case .fragmentSpread(var spread):
          spread.directives.removeAll { $0.name == "unmask" }
          return .fragmentSpread(spread)
        case .inlineFragment(var fragment):
          fragment.selectionSet = fragment.selectionSet.withoutUnmasking
          return .inlineFragment(fragment)
        }
      })
  }
}
