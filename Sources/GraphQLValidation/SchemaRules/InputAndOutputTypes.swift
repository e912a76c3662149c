import GraphQLLanguage

/// Fields have output types; arguments and fields of input objects have input types (section 3.4.2).
enum InputAndOutputTypes: ValidationRule {
  static let name = "input-and-output-types"

  static func check(
    _ field: SchemaField, of type: SchemaType, _ context: ValidationContext
  ) {
    guard context.schema.type(of: field.type)?.kind == .inputObject else { return }
    context.report(
      Self.self,
      "The type of \(type.name).\(field.name) must be Output Type but got: "
        + "\(field.type.canonicalText).",
      at: field.typePlace)
  }

  /// Checks an input. Its coordinate is for example `Type.field(argument:)`.
  static func check(
    _ input: SchemaInput, _ coordinate: String, at place: SourcePlace,
    _ context: ValidationContext
  ) {
    guard context.schema.type(of: input.type)?.isInput == false else { return }
    context.report(
      Self.self,
      "The type of \(coordinate) must be Input Type but got: \(input.type.canonicalText).",
      at: place)
  }
}
