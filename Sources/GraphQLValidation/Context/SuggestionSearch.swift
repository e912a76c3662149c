/// Finds the names that messages suggest, once for each unknown name.
///
/// Without the limit, each mistake in a text would be compared with all names of the schema.
struct SuggestionSearch {
  /// For how many unknown names of each rule others are suggested.
  static let limit = 50

  private struct Key: Hashable {
    let rule: String
    let scope: String
    let name: String
  }

  private var known: [Key: [String]] = [:]
  private var counts: [String: Int] = [:]

  /// Returns what `find` returns; nothing beyond the limit. `scope` says which candidates there are.
  mutating func suggestions(
    _ rule: String, for name: String, in scope: String, _ find: () -> [String]
  ) -> [String] {
    let key = Key(rule: rule, scope: scope, name: name)
    if let found = known[key] { return found }
    let count = counts[rule, default: 0]
    if count == Self.limit { return [] }
    counts[rule] = count + 1
    let found = find()
    known[key] = found
    return found
  }
}

extension ValidationContext {
  /// Returns the candidates that are similar to an unknown name, with the limit of `SuggestionSearch`.
  /// They differ by the scope, and are made only if they are needed.
  func similar<Rule: ValidationRule>(
    _ rule: Rule.Type, to name: String, in scope: String, among candidates: () -> [String]
  ) -> [String] {
    search.suggestions(rule.name, for: name, in: scope) {
      Suggestions.similar(to: name, among: candidates())
    }
  }

  /// Returns the types that are similar to an unknown one.
  func similarTypes<Rule: ValidationRule>(_ rule: Rule.Type, to name: String) -> [String] {
    similar(rule, to: name, in: "") { Array(schema.types.keys) }
  }
}
