import GraphQLLanguage

/// An object exists to which both a fragment and the type around it apply (section 5.5.2.3).
enum FragmentSpreadIsPossible: ValidationRule {
  static let name = "fragment-spread-is-possible"

  /// Checks a spread of a named fragment, or an inline fragment without a name.
  static func check(
    _ condition: String, of fragment: String?, in parent: SchemaType?, _ place: SourcePlace,
    _ context: DocumentContext
  ) {
    guard let parent, parent.isComposite, let type = context.schema.types[condition],
      type.isComposite, !context.schema.overlap(condition, parent.name)
    else { return }
    let subject = fragment.map { "Fragment \"\($0)\"" } ?? "Fragment"
    context.report(
      Self.self,
      "\(subject) cannot be spread here as objects of type \"\(parent.name)\" can never be of type "
        + "\"\(condition)\".",
      at: place)
  }
}
