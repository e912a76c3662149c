import GraphQLLanguage

/// A directive stands only where its definition allows it (section 5.7.2).
enum DirectivesAreInValidLocations: ValidationRule {
  static let name = "directives-are-in-valid-locations"

  static func check(_ use: AppliedDirectives, _ context: ValidationContext) {
    for directive in use.directives {
      guard let definition = context.schema.directives[directive.name],
        !definition.locations.contains(use.location)
      else { continue }
      context.report(
        Self.self, "Directive \"@\(directive.name)\" may not be used on \(use.location.rawValue).",
        at: use.place(of: directive))
    }
  }
}
