import GraphQLLanguage

/// An operation uses every variable that it declares, itself or in a fragment (section 5.8.4).
enum AllVariablesUsed: ValidationRule {
  static let name = "all-variables-used"

  static func check(_ variables: OperationVariables, _ context: DocumentContext) {
    guard !variables.declared.isEmpty, context.options.isComplete else { return }
    let used = Set(variables.reached.lazy.flatMap(\.variables).map(\.name))
    for variable in variables.operation.variableDefinitions where !used.contains(variable.name) {
      context.report(
        Self.self, "Variable \"$\(variable.name)\" is never used\(variables.suffix("in")).",
        at: SourcePlace(file: variables.definition.file, location: variable.location))
    }
  }
}
