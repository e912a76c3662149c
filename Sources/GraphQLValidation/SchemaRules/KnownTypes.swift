import GraphQLLanguage

/// Every type that a schema names is defined (section 3.4).
enum KnownTypes: ValidationRule {
  static let name = "known-types"

  static func check(_ name: String, _ place: SourcePlace, _ context: ValidationContext) {
    if context.schema.types[name] != nil { return }
    let similar = context.similarTypes(Self.self, to: name)
    context.report(
      Self.self, "Unknown type \"\(name)\".\(Suggestions.question(similar))", at: place,
      suggestions: similar)
  }

  /// Checks a type reference, which can have brackets before the name.
  static func check(
    _ type: TypeReference, _ place: SourcePlace, _ context: ValidationContext
  ) {
    let name = type.namedType
    let namePlace = SourcePlace(
      place.file, place.location, tokens: Int(place.tokens), name: name)
    check(name, namePlace, context)
  }
}
