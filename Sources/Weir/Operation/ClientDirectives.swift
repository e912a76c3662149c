import GraphQLLanguage

/// Directives that are meant for the cache alone: `@connection(key:filter:)` on a field. Servers do
/// not know them, so they are left out of what is sent.
///
/// They stay in the syntax tree that the cache looks at, and in the operation's identity.
enum ClientDirectives {
  static let names: Set<String> = ["connection"]
}

extension SelectionSet {
  /// Whether any of the client's directives is on a field in here.
  var hasClientDirectives: Bool {
    selections.contains { selection in
      switch selection {
      case .field(let field):
        field.directives.contains { ClientDirectives.names.contains($0.name) }
          || field.selectionSet?.hasClientDirectives == true
      case .fragmentSpread: false
      case .inlineFragment(let fragment): fragment.selectionSet.hasClientDirectives
      }
    }
  }

  /// The selections as a server may see them.
  var withoutClientDirectives: SelectionSet {
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

extension Document {
  /// An operation and the fragments that it reaches as a server may see them; nil if they are that
  /// already.
  var withoutClientDirectives: Document? {
    let hasDirectives = definitions.contains { definition in
      switch definition {
      case .operation(let operation): operation.selectionSet.hasClientDirectives
      case .fragment(let fragment): fragment.selectionSet.hasClientDirectives
      default: false
      }
    }
    guard hasDirectives else { return nil }
    return Document(
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
