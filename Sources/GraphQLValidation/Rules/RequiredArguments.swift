import GraphQLLanguage

/// A field or a directive has all arguments that are non-null and have no default value (section
/// 5.4.3).
enum RequiredArguments: ValidationRule {
  static let name = "required-arguments"

  static func check(_ use: AppliedArguments, _ context: ValidationContext) {
    guard let defined = use.defined else { return }
    for expected in defined where expected.isRequired {
      if use.arguments.contains(where: { $0.name == expected.name }) { continue }
      context.report(
        Self.self,
        "Argument \"\(owner(use, context))(\(expected.name):)\" of type "
          + "\"\(expected.type.canonicalText)\" is required, but it was not provided.",
        at: use.place)
    }
  }

  private static func owner(_ use: AppliedArguments, _ context: ValidationContext) -> String {
    switch use.owner {
    case .directive(let name): return "@\(name)"
    case .field(let field, let parent):
      guard let parent else { return field.name }
      let type = context.schema.field(field.name, of: parent)?.type.namedType
      return "\(type?.hasPrefix("__") == true ? "<meta>" : parent.name).\(field.name)"
    }
  }
}
