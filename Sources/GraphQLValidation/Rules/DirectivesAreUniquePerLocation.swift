import GraphQLLanguage

/// Only a directive that is defined as `repeatable` stands several times at one place (section
/// 5.7.3).
enum DirectivesAreUniquePerLocation: ValidationRule {
  static let name = "directives-are-unique-per-location"

  static func check(_ use: AppliedDirectives, _ context: ValidationContext) {
    guard use.directives.count > 1 else { return }
    var known: [String: SourcePlace] = [:]
    check(use, &known, context)
  }

  /// Checks directives of a definition whose other parts have the `known` ones.
  static func check(
    _ use: AppliedDirectives, _ known: inout [String: SourcePlace], _ context: ValidationContext
  ) {
    for directive in use.directives {
      guard let definition = context.schema.directives[directive.name], !definition.isRepeatable
      else { continue }
      let place = use.place(of: directive)
      if let first = known[directive.name] {
        context.report(
          Self.self,
          "The directive \"@\(directive.name)\" can only be used once at this location.", at: first,
          related: [place])
      } else {
        known[directive.name] = place
      }
    }
  }
}
