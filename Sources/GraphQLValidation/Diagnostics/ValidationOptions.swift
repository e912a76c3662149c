/// What to look for in documents besides the rules of the specification, and how to report it.
///
/// ```swift
/// var options = ValidationOptions(rules: ValidationOptions.recommended)
/// options.keys = ["Book": ["isbn"]]
/// let findings = schema.validate(files, options: options)
/// ```
///
/// A comment `# weir:ignore rule` in the line of a finding, or in the comment above it, silences a
/// rule that the specification does not have, except `no-typename-alias`.
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
  /// it could not be parsed. Then unknown fragments, and unused fragments and variables, are not
  /// reported.
  public var isComplete: Bool
  /// The names that no generated type gets, for the rule `hidden-swift-type`.
  package var renamedTypes: Set<String> = []

  /// Makes options; those without arguments are for the rules of the specification only.
  public init(
    rules: [String: Level] = [:], keys: [String: [String]] = [:], isComplete: Bool = true
  ) {
    self.rules = rules
    self.keys = keys
    self.isComplete = isComplete
  }

  /// Returns the level at which a rule is reported.
  func level(of rule: String) -> Level {
    rules[rule] ?? (Self.lintRules.contains(rule) ? .off : .error)
  }

  /// The levels of rules that suit most projects.
  public static let recommended: [String: Level] = [
    "deprecated": .warning, "require-key": .warning, "mutation-selects-nothing": .warning,
    "no-typename-alias": .error, "ignore-comments": .warning,
  ]

  /// The names of all rules for documents.
  public static let allRules: Set<String> = lintRules.union(RuleExplanation.documents.keys)

  /// The names of the rules that the specification does not have.
  public static let lintRules: Set<String> = Set(RuleExplanation.lint.keys)

  /// The names of the rules that comments silence. Generated code relies on the other one.
  static let silencedRules = lintRules.subtracting(["no-typename-alias"])
}
