import GraphQLLanguage

/// The schema defines every argument of a field or a directive (section 5.4.1).
enum ArgumentNames: ValidationRule {
  static let name = "argument-names"

  static func check(_ use: AppliedArguments, _ context: ValidationContext) {
    guard let defined = use.defined else { return }
    for argument in use.arguments where !defined.contains(where: { $0.name == argument.name }) {
      let owner =
        switch use.owner {
        case .field(let field, let parent): "field \"\(parent?.name ?? "").\(field.name)\""
        case .directive(let name): "directive \"@\(name)\""
        }
      let similar = context.similar(Self.self, to: argument.name, in: owner) {
        defined.map(\.name)
      }
      context.report(
        Self.self,
        "Unknown argument \"\(argument.name)\" on \(owner).\(Suggestions.question(similar))",
        at: use.place(of: argument), suggestions: similar)
    }
  }
}
