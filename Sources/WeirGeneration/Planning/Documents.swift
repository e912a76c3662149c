import GraphQLLanguage
import GraphQLValidation

/// The operations and fragments of all documents.
struct Documents {
  struct Fragment {
    let definition: FragmentDefinition
    let file: SourceFile
  }

  private(set) var fragments: [String: Fragment] = [:]
  private(set) var findings: [GenerationFinding] = []

  /// Collects the definitions, and reports names that occur twice.
  init(_ files: [SourceFile], namespace: String) {
    var places: [String: (SourceFile, SourceLocation)] = [:]
    for file in files {
      for definition in file.document.definitions {
        switch definition {
        case .fragment(let fragment):
          fragments[fragment.name] =
            fragments[fragment.name] ?? Fragment(definition: fragment, file: file)
        case .operation: break
        default: continue
        }
        guard let name = definition.executableName else {
          findings.append(
            GenerationFinding(
              "An operation needs a name, which becomes the name of its Swift type.", file,
              definition.location))
          continue
        }
        let typeName = SwiftName.firstUpper(name)
        if typeName == namespace {
          findings.append(
            GenerationFinding(
              "\"\(name)\" is also the namespace of the schema's types. Rename one of them; the "
                + "namespace is set in weir.json.", file, definition.location))
        }
        guard let (other, location) = places[typeName] else {
          places[typeName] = (file, definition.location)
          continue
        }
        findings.append(
          GenerationFinding(
            "The Swift type \"\(typeName)\" has two definitions. Rename one of them.", file,
            definition.location,
            related: [GenerationFinding("The other one is here.", other, location)]))
      }
    }
  }

  /// Returns the names of the fragments that a selection set spreads, in the order of the text.
  static func spreads(in selections: SelectionSet) -> [String] {
    var found: [String] = []
    collect(selections, into: &found)
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  private static func collect(_ selections: SelectionSet, into found: inout [String]) {
    for selection in selections.selections {
      switch selection {
      case .field(let field): if let inner = field.selectionSet { collect(inner, into: &found) }
      case .fragmentSpread(let spread): found.append(spread.name)
      case .inlineFragment(let fragment): collect(fragment.selectionSet, into: &found)
      }
    }
  }
}

extension Definition {
  fileprivate var executableName: String? {
    switch self {
    case .operation(let operation): operation.name
    case .fragment(let fragment): fragment.name
    default: nil
    }
  }
}

extension [Directive] {
  /// Whether a response may lack what has these directives.
  var areConditional: Bool {
    contains { ["include", "skip", "defer"].contains($0.name) }
  }
}
