import GraphQLLanguage

/// Directives that only the cache uses: `@connection(key:filter:)` on a field. Servers do not know
/// them, so they are removed from the text that is sent.
///
/// They stay in the syntax tree that the cache reads, and in the operation's identity.
enum ClientDirectives {
  static let names: Set<String> = ["connection"]
}

extension Document {
  /// The definitions without the directives that servers do not know.
  var withoutClientDirectives: Document {
    Document(
      definitions: definitions.map { definition in
        switch definition {
        case .operation(var operation):
          operation.selectionSet = operation.selectionSet.withoutClientDirectives
          return .operation(operation)
        case .fragment(var fragment):
          fragment.selectionSet = fragment.selectionSet.withoutClientDirectives
          return .fragment(fragment)
        default: return definition
        }
      })
  }
}

extension SelectionSet {
  fileprivate var withoutClientDirectives: SelectionSet {
    var result = self
    for index in result.selections.indices {
      switch result.selections[index] {
      case .field(var field):
        field.directives.removeAll { ClientDirectives.names.contains($0.name) }
        field.selectionSet = field.selectionSet?.withoutClientDirectives
        result.selections[index] = .field(field)
      case .inlineFragment(var fragment):
        fragment.selectionSet = fragment.selectionSet.withoutClientDirectives
        result.selections[index] = .inlineFragment(fragment)
      case .fragmentSpread: continue
      }
    }
    return result
  }
}
