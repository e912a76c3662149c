import GraphQLLanguage

/// A field with the arguments `first` or `last` has one of them, so that a list has a limit.
enum UnboundedConnection: ValidationRule {
  static let name = "unbounded-connection"

  private static let limits: Set = ["first", "last"]

  static func check(_ use: AppliedField, _ context: DocumentContext) {
    guard let defined = use.definition?.definition.arguments,
      defined.contains(where: { limits.contains($0.name) }),
      !use.field.arguments.contains(where: { limits.contains($0.name) })
    else { return }
    context.report(
      Self.self,
      "Field \"\(use.field.name)\" returns a list without a limit. Add the argument \"first\" or "
        + "\"last\".",
      at: use.place)
  }
}
