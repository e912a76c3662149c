import GraphQLLanguage

/// The fragment of a spread exists (section 5.5.2.1).
enum FragmentSpreadTargetDefined: ValidationRule {
  static let name = "fragment-spread-target-defined"

  static func check(_ spread: FragmentSpread, _ file: SourceFile, _ context: DocumentContext) {
    guard context.options.isComplete, context.fragments[spread.name] == nil else { return }
    context.report(
      Self.self, "Unknown fragment \"\(spread.name)\".",
      at: SourcePlace(file, spread.location, tokens: 1))
  }
}
