import GraphQLLanguage

/// An operation has the name of its file.
enum NameMatchesFile: ValidationRule {
  static let name = "name-matches-file"

  static func check(_ context: DocumentContext) {
    for definition in context.definitions {
      guard let operation = definition.operation, let name = operation.name else { continue }
      let file = definition.file.path.split(separator: "/").last ?? ""
      let base = file.split(separator: ".").first ?? ""
      if base == name { continue }
      context.report(
        Self.self,
        "The operation \"\(name)\" is in the file \"\(file)\". Give both the same name.",
        at: operation.namePlace(in: definition.file))
    }
  }
}
