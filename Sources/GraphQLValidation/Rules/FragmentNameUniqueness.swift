import GraphQLLanguage

/// No two fragments have the same name (section 5.5.1.1).
enum FragmentNameUniqueness: ValidationRule {
  static let name = "fragment-name-uniqueness"

  static func check(_ context: DocumentContext) {
    var known: [String: SourcePlace] = [:]
    for definition in context.definitions {
      guard let fragment = definition.fragment else { continue }
      let place = fragment.namePlace(in: definition.file)
      if let first = known[fragment.name] {
        context.report(
          Self.self, "There can be only one fragment named \"\(fragment.name)\".", at: first,
          related: [place])
      } else {
        known[fragment.name] = place
      }
    }
  }
}

extension FragmentDefinition {
  func namePlace(in file: SourceFile) -> SourcePlace {
    SourcePlace(file, location, tokens: description == nil ? 1 : 2)
  }

  func conditionPlace(in file: SourceFile) -> SourcePlace {
    SourcePlace(file, location, tokens: description == nil ? 3 : 4)
  }
}
