import GraphQLLanguage

/// Names that begin with two underscores belong to the introspection (section 2.1.8).
enum ReservedNames: ValidationRule {
  static let name = "reserved-names"

  static func check(_ element: some SchemaElement, _ context: ValidationContext) {
    guard element.name.hasPrefix("__"), element.place.file !== TypeSystem.builtIn else { return }
    context.report(
      Self.self,
      "Name \"\(element.name)\" must not begin with \"__\", which is reserved by GraphQL "
        + "introspection.",
      at: element.place)
  }
}
