import GraphQLLanguage

/// The schema has a root type for the kind of each operation (section 5.2.1.1).
enum OperationTypeExistence: ValidationRule {
  static let name = "operation-type-existence"

  static func check(
    _ operation: OperationDefinition, _ place: SourcePlace, _ context: DocumentContext
  ) {
    if context.schema.rootType(operation.kind) != nil { return }
    context.report(
      Self.self,
      "The \(operation.kind.rawValue) operation is not supported by the schema.", at: place)
  }
}
