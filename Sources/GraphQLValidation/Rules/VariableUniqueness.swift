import GraphQLLanguage

/// An operation declares no variable twice (section 5.8.1).
enum VariableUniqueness: ValidationRule {
  static let name = "variable-uniqueness"

  static func check(
    _ operation: OperationDefinition, _ file: SourceFile, _ context: DocumentContext
  ) {
    for group in Repetitions.groups(of: operation.variableDefinitions, by: \.name) {
      let places = group.elements.map { variable in
        SourcePlace(file, variable.location, tokens: variable.description == nil ? 1 : 2)
      }
      context.report(
        Self.self, "There can be only one variable named \"$\(group.name)\".", at: places[0],
        related: Array(places.dropFirst()))
    }
  }
}
