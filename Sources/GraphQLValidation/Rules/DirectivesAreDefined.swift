import GraphQLLanguage

/// The schema defines every directive (section 5.7.1).
enum DirectivesAreDefined: ValidationRule {
  static let name = "directives-are-defined"

  static func check(_ use: AppliedDirectives, _ context: ValidationContext) {
    for directive in use.directives where context.schema.directives[directive.name] == nil {
      context.report(
        Self.self, "Unknown directive \"@\(directive.name)\".", at: use.place(of: directive))
    }
  }
}
