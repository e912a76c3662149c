import GraphQLLanguage

/// A field or a directive has no argument twice (section 5.4.2).
enum ArgumentUniqueness: ValidationRule {
  static let name = "argument-uniqueness"

  static func check(_ use: AppliedArguments, _ context: ValidationContext) {
    for group in Repetitions.groups(of: use.arguments, by: \.name) {
      let places = group.elements.map { use.place(of: $0) }
      context.report(
        Self.self, "There can be only one argument named \"\(group.name)\".", at: places[0],
        related: Array(places.dropFirst()))
    }
  }
}
