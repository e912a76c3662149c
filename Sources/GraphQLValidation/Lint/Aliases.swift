import GraphQLLanguage

/// No field has the alias `__typename`: caches read the type of an object there.
enum NoTypenameAlias: ValidationRule {
  static let name = "no-typename-alias"

  static func check(_ use: AppliedField, _ context: DocumentContext) {
    guard use.field.alias == "__typename", use.field.name != "__typename" else { return }
    context.report(
      Self.self,
      "The alias \"__typename\" hides the type of the object from caches. Choose another one.",
      at: use.place)
  }
}

/// An alias differs from the name of the field.
enum UnusedFieldAlias: ValidationRule {
  static let name = "unused-field-alias"

  static func check(_ use: AppliedField, _ context: DocumentContext) {
    guard use.field.alias == use.field.name else { return }
    context.report(
      Self.self, "The alias \"\(use.field.name)\" is the name of the field. Remove it.",
      at: use.place)
  }
}
