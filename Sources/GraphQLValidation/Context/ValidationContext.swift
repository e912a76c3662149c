import GraphQLLanguage

/// What all rules share: the schema and the findings.
///
/// One validation has one context, and uses it from one task.
class ValidationContext {
  let schema: TypeSystem
  private(set) var findings: [Finding] = []

  init(_ schema: TypeSystem) {
    self.schema = schema
  }

  final func report<Rule: ValidationRule>(
    _ rule: Rule.Type, _ message: String, at place: SourcePlace, related: [SourcePlace] = [],
    suggestions: [String] = []
  ) {
    findings.append(
      Finding(
        rule: rule.name, severity: rule.severity, message: message, places: [place] + related,
        suggestions: suggestions))
  }
}

/// A rule with the name that diagnostics and configurations use for it.
protocol ValidationRule {
  static var name: String { get }
  static var severity: Diagnostic.Severity { get }
}

extension ValidationRule {
  static var severity: Diagnostic.Severity { .error }
}
