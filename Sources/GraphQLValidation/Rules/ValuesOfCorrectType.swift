import GraphQLLanguage

/// A literal fits the type of its position (section 5.6.1); an input object has only defined fields
/// (5.6.2) and all required ones (5.6.4).
enum ValuesOfCorrectType: ValidationRule {
  static let name = "values-of-correct-type"

  static func check(_ use: AppliedValue, _ context: ValidationContext) {
    guard let type = use.type, context.schema.type(of: type) != nil else { return }
    let check = LiteralCheck(Self.self, context) { problem in
      context.report(
        Self.self, problem.message, at: use.place(behind: problem.tokens),
        suggestions: problem.suggestions)
    }
    var tokens = use.tokens
    check.check(use.value, type, &tokens, path: "")
  }
}
