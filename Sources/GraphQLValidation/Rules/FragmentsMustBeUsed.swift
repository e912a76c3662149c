import GraphQLLanguage

/// An operation uses every fragment, directly or through other fragments (section 5.5.1.4).
enum FragmentsMustBeUsed: ValidationRule {
  static let name = "fragments-must-be-used"

  static func check(_ context: DocumentContext) {
    guard context.options.isComplete else { return }
    let used = context.fragmentsOfOperations()
    for definition in context.definitions {
      guard let fragment = definition.fragment, !used.contains(fragment.name) else { continue }
      context.report(
        Self.self, "Fragment \"\(fragment.name)\" is never used.", at: definition.place)
    }
  }
}
