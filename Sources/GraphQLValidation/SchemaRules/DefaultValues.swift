import GraphQLLanguage

/// A default value fits the type of its input (sections 3.6.1 and 3.10).
enum DefaultValues: ValidationRule {
  static let name = "default-values"

  static func check(
    _ input: SchemaInput, _ coordinate: String, _ context: ValidationContext
  ) {
    guard let use = input.appliedDefault, let type = context.schema.type(of: input.type),
      type.isInput
    else { return }
    let check = LiteralCheck(Self.self, context) { problem in
      context.report(
        Self.self,
        "\(coordinate) has invalid default value\(problem.path.isEmpty ? "" : " at \(problem.path)"): "
          + problem.message,
        at: use.place(behind: problem.tokens), suggestions: problem.suggestions)
    }
    var tokens = use.tokens
    check.check(use.value, input.type, &tokens, path: "")
  }
}
