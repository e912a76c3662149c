import GraphQLLanguage

/// An input that a request must provide is not deprecated (section 3.13.3).
enum DeprecatedInputs: ValidationRule {
  static let name = "deprecated-inputs"

  static func check(
    _ input: SchemaInput, _ subject: String, _ context: ValidationContext
  ) {
    guard input.isRequired, let place = input.deprecationPlace else { return }
    context.report(
      Self.self, "Required \(subject) cannot be deprecated.", at: place,
      related: [input.typePlace])
  }
}
