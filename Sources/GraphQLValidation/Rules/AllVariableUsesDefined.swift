import GraphQLLanguage

/// An operation declares every variable that it and its fragments use (section 5.8.3).
enum AllVariableUsesDefined: ValidationRule {
  static let name = "all-variable-uses-defined"

  static func check(_ variables: OperationVariables, _ context: DocumentContext) {
    for part in variables.reached {
      for use in part.variables where variables.declared[use.name] == nil {
        context.report(
          Self.self, "Variable \"$\(use.name)\" is not defined\(variables.suffix("by")).",
          at: use.place, related: [variables.definition.place])
      }
    }
  }
}
