import GraphQLLanguage

/// A fragment applies to an object type, an interface or a union (section 5.5.1.3).
enum FragmentsOnCompositeTypes: ValidationRule {
  static let name = "fragments-on-composite-types"

  /// Checks a named fragment, or an inline fragment without a name.
  static func check(
    _ condition: String, of fragment: String?, _ place: SourcePlace, _ context: DocumentContext
  ) {
    guard let type = context.schema.types[condition], !type.isComposite else { return }
    let subject = fragment.map { "Fragment \"\($0)\"" } ?? "Fragment"
    context.report(
      Self.self, "\(subject) cannot condition on non composite type \"\(condition)\".", at: place)
  }
}
