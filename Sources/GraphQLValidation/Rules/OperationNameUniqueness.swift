import GraphQLLanguage

/// No two operations have the same name (section 5.2.2.1).
enum OperationNameUniqueness: ValidationRule {
  static let name = "operation-name-uniqueness"

  static func check(_ context: DocumentContext) {
    var known: [String: SourcePlace] = [:]
    for definition in context.definitions {
      guard let operation = definition.operation, let name = operation.name else { continue }
      let place = operation.namePlace(in: definition.file)
      if let first = known[name] {
        context.report(
          Self.self, "There can be only one operation named \"\(name)\".", at: first,
          related: [place])
      } else {
        known[name] = place
      }
    }
  }
}

extension OperationDefinition {
  func namePlace(in file: SourceFile) -> SourcePlace {
    SourcePlace(file, location, tokens: description == nil ? 1 : 2)
  }
}
