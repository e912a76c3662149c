import GraphQLLanguage

/// An operation or a fragment, with what the walk has collected in it.
final class DefinitionUse {
  enum Syntax {
    case operation(OperationDefinition)
    case fragment(FragmentDefinition)
  }

  let syntax: Syntax
  let file: SourceFile
  /// The spreads in the order of the source text.
  var spreads: [(name: String, place: SourcePlace)] = []
  /// The variables in arguments, in the order of the source text.
  var variables: [VariableUse] = []
  /// The selection set of the definition itself.
  var selectionSet: SelectionTable.SetID?

  init(_ syntax: Syntax, _ file: SourceFile) {
    self.syntax = syntax
    self.file = file
  }

  var operation: OperationDefinition? {
    if case .operation(let operation) = syntax { operation } else { nil }
  }

  var fragment: FragmentDefinition? {
    if case .fragment(let fragment) = syntax { fragment } else { nil }
  }

  /// The place of the definition.
  var place: SourcePlace {
    switch syntax {
    case .operation(let operation): SourcePlace(file: file, location: operation.location)
    case .fragment(let fragment): SourcePlace(file: file, location: fragment.location)
    }
  }
}

/// A variable at a position where a value is expected.
struct VariableUse {
  let name: String
  let place: SourcePlace
  /// The type of the position; nil if it is unknown.
  let type: TypeReference?
  /// Whether the position has a default value.
  let hasDefault: Bool
  /// The `@oneOf` input object of which the position is a field.
  let oneOf: SchemaType?
}

extension DocumentContext {
  /// The definitions of fragments by name.
  func fragmentDefinitions() -> [String: DefinitionUse] {
    var all: [String: DefinitionUse] = [:]
    for definition in definitions {
      if let fragment = definition.fragment, all[fragment.name] == nil {
        all[fragment.name] = definition
      }
    }
    return all
  }

  /// The names of the fragments that operations spread, directly or through other fragments.
  func fragmentsOfOperations() -> Set<String> {
    let fragments = fragmentDefinitions()
    var reached: Set<String> = []
    var pending = definitions.filter { $0.operation != nil }
    while let definition = pending.popLast() {
      for spread in definition.spreads where reached.insert(spread.name).inserted {
        if let fragment = fragments[spread.name] { pending.append(fragment) }
      }
    }
    return reached
  }
}
