import GraphQLLanguage

/// A type has at least one field, member or value (sections 3.6 to 3.10).
enum NonEmptyTypes: ValidationRule {
  static let name = "non-empty-types"

  static func check(_ type: SchemaType, _ context: ValidationContext) {
    let message: String
    switch type.kind {
    case .scalar: return
    case .object, .interface:
      guard type.fields.isEmpty else { return }
      message = "Type \(type.name) must define one or more fields."
    case .union:
      guard type.memberTypes.isEmpty else { return }
      message = "Union type \(type.name) must define one or more member types."
    case .enum:
      guard type.values.isEmpty else { return }
      message = "Enum type \(type.name) must define one or more values."
    case .inputObject:
      guard type.inputFields.isEmpty else { return }
      message = "Input Object type \(type.name) must define one or more fields."
    }
    context.report(
      Self.self, message, at: type.place,
      related: type.parts.filter(\.isExtension).map(\.place))
  }
}
