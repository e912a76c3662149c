import GraphQLLanguage

/// The type of a variable exists and is a scalar, an enumeration or an input object (section 5.8.2).
enum VariablesAreInputTypes: ValidationRule {
  static let name = "variables-are-input-types"

  static func check(
    _ variable: VariableDefinition, _ file: SourceFile, _ context: DocumentContext
  ) {
    let name = variable.type.namedType
    let tokens = variable.tokensBeforeType + 1
    guard let type = context.schema.types[name] else {
      let similar = context.similarTypes(Self.self, to: name)
      return context.report(
        Self.self, "Unknown type \"\(name)\".\(Suggestions.question(similar))",
        at: SourcePlace(file, variable.location, tokens: tokens, name: name), suggestions: similar)
    }
    if type.isInput { return }
    context.report(
      Self.self,
      "Variable \"$\(variable.name)\" cannot be non-input type "
        + "\"\(variable.type.canonicalText)\".",
      at: SourcePlace(file, variable.location, tokens: tokens))
  }
}
