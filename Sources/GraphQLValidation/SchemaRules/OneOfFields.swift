import GraphQLLanguage

/// The fields of a `@oneOf` input object are nullable and have no default value (section 3.10.1).
enum OneOfFields: ValidationRule {
  static let name = "one-of-fields"

  static func check(
    _ field: SchemaInput, of type: SchemaType, _ context: ValidationContext
  ) {
    guard type.isOneOf else { return }
    let coordinate = "\(type.name).\(field.name)"
    if field.type.isNonNull {
      context.report(
        Self.self, "OneOf input field \(coordinate) must be nullable.", at: field.typePlace)
    }
    if field.defaultValue != nil {
      context.report(
        Self.self, "OneOf input field \(coordinate) cannot have a default value.", at: field.place)
    }
  }
}
