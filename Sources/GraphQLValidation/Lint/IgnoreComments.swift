import GraphQLLanguage

/// A comment `# weir:ignore rule` names rules that a comment can silence.
enum IgnoreComments: ValidationRule {
  static let name = "ignore-comments"

  static func check(_ files: [SourceFile], _ context: DocumentContext) {
    // Few files have such a comment.
    for file in files where file.text.contains(LineTable.ignoreMarker) {
      let lines = LineTable(file.text)
      for line in 1...lines.count {
        guard let words = lines.ignoreComment(in: line) else { continue }
        for (message, word, suggestions) in mistakes(in: words) {
          let offset = lines.offset(of: word, in: line)
          context.report(
            Self.self, message,
            at: SourcePlace(file, SourceLocation(utf8Offset: offset), tokens: -1),
            suggestions: suggestions)
        }
      }
    }
  }

  private typealias Mistake = (message: String, word: Substring, suggestions: [String])

  private static func mistakes(in words: [Substring]) -> [Mistake] {
    if words.count == 1 { return [("The comment names no rule.", words[0], [])] }
    return words.dropFirst().enumerated().compactMap { mistake($1, isFirst: $0 == 0) }
  }

  /// The mistake in a word, if there is one. A reason may follow the first rule.
  private static func mistake(_ word: Substring, isFirst: Bool) -> Mistake? {
    let name = String(word)
    if ValidationOptions.silencedRules.contains(name) { return nil }
    if ValidationOptions.lintRules.contains(name) {
      return ("Generated code relies on the rule \"\(name)\", which no comment silences.", word, [])
    }
    if ValidationOptions.allRules.contains(name) {
      let message = "The rule \"\(name)\" is one of the specification, which no comment silences."
      return (message, word, [])
    }
    let similar = Suggestions.similar(to: name, among: ValidationOptions.silencedRules)
    guard isFirst || !similar.isEmpty else { return nil }
    return (
      "No rule \"\(name)\" can be ignored.\(Suggestions.question(similar))", word, similar
    )
  }
}
