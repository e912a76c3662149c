import GraphQLLanguage

/// A document to execute has no definitions of the type system (section 5.1.1).
enum ExecutableDefinitions: ValidationRule {
  static let name = "executable-definitions"

  static func check(_ file: SourceFile, _ context: DocumentContext) {
    for definition in file.document.definitions where !definition.isExecutable {
      let name =
        switch definition {
        case .type(let type), .typeExtension(let type): "\"\(type.name)\""
        case .directive(let directive): "\"\(directive.name)\""
        case .schema, .schemaExtension, .operation, .fragment: "schema"
        }
      context.report(
        Self.self, "The \(name) definition is not executable.",
        at: SourcePlace(file: file, location: definition.location))
    }
  }
}
