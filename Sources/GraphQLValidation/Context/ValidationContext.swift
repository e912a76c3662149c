import GraphQLLanguage

/// The state that all rules share: the schema and the findings.
///
/// One validation has one context, and uses it from one task.
class ValidationContext {
  /// How many errors of each rule are recorded. Without a limit, a text that consists of mistakes would
  /// take much more time and memory than its size suggests. Each rule has its own count, because some
  /// callers look for one rule only, and errors of other rules must not hide it.
  private static let errorLimit = 1_000

  let schema: TypeSystem
  private(set) var findings: [Finding] = []
  final var search = SuggestionSearch()
  private var errors: [String: Int] = [:]

  init(_ schema: TypeSystem) {
    self.schema = schema
  }

  final func report<Rule: ValidationRule>(
    _ rule: Rule.Type, _ message: String, at place: SourcePlace, related: [SourcePlace] = [],
    suggestions: [String] = []
  ) {
    if isError(rule.name) {
      let count = errors[rule.name, default: 0]
      if count >= Self.errorLimit { return }
      errors[rule.name] = count + 1
    }
    findings.append(
      Finding(
        rule: rule.name, severity: rule.severity, message: message, places: [place] + related,
        suggestions: suggestions))
  }

  /// Whether the findings of a rule are errors. Those of a schema can become warnings later, but count
  /// like errors.
  func isError(_ rule: String) -> Bool { true }
}

/// A rule with the name that diagnostics and configurations use for it.
protocol ValidationRule {
  static var name: String { get }
  static var severity: Diagnostic.Severity { get }
}

extension ValidationRule {
  static var severity: Diagnostic.Severity { .error }
}
