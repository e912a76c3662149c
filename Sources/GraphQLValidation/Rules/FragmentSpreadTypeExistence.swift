import GraphQLLanguage

/// The schema defines the type that a fragment applies to (section 5.5.1.2).
enum FragmentSpreadTypeExistence: ValidationRule {
  static let name = "fragment-spread-type-existence"

  static func check(_ condition: String, _ place: SourcePlace, _ context: DocumentContext) {
    if context.schema.types[condition] != nil { return }
    let similar = context.similarTypes(Self.self, to: condition)
    context.report(
      Self.self, "Unknown type \"\(condition)\".\(Suggestions.question(similar))", at: place,
      suggestions: similar)
  }
}
