/// What to look for in documents besides the rules of the specification, and how to report it.
///
/// ```swift
/// var options = ValidationOptions(rules: ValidationOptions.recommended)
/// options.keys = ["Book": ["isbn"]]
/// let findings = schema.validate(files, options: options)
/// ```
///
/// A comment `# weir:ignore rule` in the line of a finding, or in the comment above it, silences a
/// rule that the specification does not have.
public struct ValidationOptions: Sendable {
  /// How the findings of a rule are reported.
  public enum Level: String, Hashable, Sendable {
    /// As errors.
    case error
    /// As warnings.
    case warning
    /// Not at all.
    case off
  }

  /// The levels of rules by their names. A rule of the specification that is not here is an error;
  /// any other rule is off.
  public var rules: [String: Level]
  /// The fields that identify objects of a type in a normalized cache, for the rule `require-key`.
  public var keys: [String: [String]]
  /// Whether all files of the documents are there. Pass false if one is missing, for example because
  /// it could not be parsed. Then fragments and variables that are unknown or unused are not reported.
  public var isComplete: Bool

  /// Makes options; those without arguments are for the rules of the specification only.
  public init(
    rules: [String: Level] = [:], keys: [String: [String]] = [:], isComplete: Bool = true
  ) {
    self.rules = rules
    self.keys = keys
    self.isComplete = isComplete
  }

  /// The levels of rules that suit most projects.
  public static let recommended: [String: Level] = [
    "deprecated": .warning, "require-key": .warning, "mutation-selects-nothing": .warning,
    "no-typename-alias": .error,
  ]

  /// The names of all rules for documents.
  public static let allRules: Set<String> = lintRules.union([
    "executable-definitions", "operation-type-existence", "operation-name-uniqueness",
    "lone-anonymous-operation", "single-root-field", "field-selections", "field-selection-merging",
    "leaf-field-selections", "argument-names", "argument-uniqueness", "required-arguments",
    "fragment-name-uniqueness", "fragment-spread-type-existence", "fragments-on-composite-types",
    "fragments-must-be-used", "fragment-spread-target-defined",
    "fragment-spreads-must-not-form-cycles", "fragment-spread-is-possible",
    "values-of-correct-type", "input-object-field-uniqueness", "directives-are-defined",
    "directives-are-in-valid-locations", "directives-are-unique-per-location",
    "variable-uniqueness", "variables-are-input-types", "all-variable-uses-defined",
    "all-variables-used", "all-variable-usages-are-allowed",
  ])

  /// The names of the rules that the specification does not have.
  public static let lintRules: Set<String> = [
    "deprecated", "require-key", "mutation-selects-nothing", "no-typename-alias",
    "unused-field-alias", "unbounded-connection", "unused-variable-in-fragment",
    "name-matches-file",
  ]
}
