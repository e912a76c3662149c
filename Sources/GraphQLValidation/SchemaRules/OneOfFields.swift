import GraphQLLanguage

/// The fields of a `@oneOf` input object are nullable and have no default value (section 3.10.1), and
/// no extension makes an input object one (section 3.10, "Input Object Extensions").
enum OneOfFields: ValidationRule {
  static let name = "one-of-fields"

  static func check(_ type: SchemaType, _ context: ValidationContext) {
    guard type.kind == .inputObject else { return }
    for part in type.parts where part.isExtension && part.definition.kind == .inputObject {
      for directive in part.definition.directives where directive.name == "oneOf" {
        context.report(
          Self.self,
          "Directive \"@oneOf\" must be on the definition of input object \"\(type.name)\", not on an "
            + "extension.",
          at: SourcePlace(file: part.file, location: directive.location))
      }
    }
  }

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
