import GraphQLLanguage

// `...Row @unmask` repeats the fragment's fields in the parent. Only the generator reads it; servers do
// not know it.

extension FragmentSpread {
  /// Whether the fields of the fragment belong to the parent.
  var isUnmasked: Bool { directives.contains(.unmask) }

  /// The fragment in the place of its spread.
  func unmasked(_ fragment: FragmentDefinition) -> InlineFragment {
    InlineFragment(
      typeCondition: fragment.typeCondition,
      directives: directives.filter { !$0.isKnown(as: .unmask) },
      selectionSet: fragment.selectionSet.located(at: location), location: location)
  }
}

extension SelectionSet {
  /// The selections with the place of a spread, to which messages about them point: the fragment can
  /// be in another file.
  fileprivate func located(at location: SourceLocation) -> SelectionSet {
    mapped { selection in
      switch selection {
      case .field(var field):
        field.location = location
        return .field(field)
      case .fragmentSpread(var spread):
        spread.location = location
        return .fragmentSpread(spread)
      case .inlineFragment(var fragment):
        fragment.location = location
        return .inlineFragment(fragment)
      }
    }
  }

  /// The selections as they are sent.
  var withoutUnmasking: SelectionSet {
    mapped { selection in
      guard case .fragmentSpread(var spread) = selection else { return selection }
      spread.directives.removeAll { $0.isKnown(as: .unmask) }
      return .fragmentSpread(spread)
    }
  }

  /// Returns the selections with each one changed, those within fields and inline fragments, too.
  private func mapped(_ change: (Selection) -> Selection) -> SelectionSet {
    SelectionSet(
      selections: selections.map { selection in
        switch change(selection) {
        case .field(var field):
          field.selectionSet = field.selectionSet?.mapped(change)
          return .field(field)
        case .inlineFragment(var fragment):
          fragment.selectionSet = fragment.selectionSet.mapped(change)
          return .inlineFragment(fragment)
        case .fragmentSpread(let spread): return .fragmentSpread(spread)
        }
      })
  }
}
