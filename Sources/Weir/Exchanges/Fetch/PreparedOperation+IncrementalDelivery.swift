import GraphQLLanguage

extension PreparedOperation {
  /// Whether the operation or one of its fragments contains `@defer` or `@stream`. Visits every
  /// selection if there are directives.
  var asksForIncrementalDelivery: Bool {
    mayHaveDirectives
      && (definition.selectionSet.asksForIncrementalDelivery
        || fragments.values.contains { $0.selectionSet.asksForIncrementalDelivery })
  }
}

extension SelectionSet {
  fileprivate var asksForIncrementalDelivery: Bool {
    selections.contains { selection in
      switch selection {
      case .field(let field):
        field.directives.contains { $0.name == "stream" }
          || field.selectionSet?.asksForIncrementalDelivery == true
      case .fragmentSpread(let spread):
        spread.directives.contains { $0.name == "defer" }
      case .inlineFragment(let fragment):
        fragment.directives.contains { $0.name == "defer" }
          || fragment.selectionSet.asksForIncrementalDelivery
      }
    }
  }
}
