import GraphQLValidation
import WeirGeneration

extension Verb {
  static let explain = Verb(
    name: "explain", summary: "Explains a rule, or lists all rules.", operands: "[RULE]",
    options: []
  ) { (invocation) throws(ToolFailure) in
    try invocation.arguments.expectOperands(0...1, "RULE")
    let write = invocation.environment.write
    guard let name = invocation.arguments.operands.first else {
      write(RuleExplanation.all.keys.sorted().joined(separator: "\n"))
      return
    }
    guard let explanation = RuleExplanation.all[name] else {
      let similar = Suggestions.similar(to: name, among: RuleExplanation.all.keys)
      throw ToolFailure(
        .usage, "Unknown rule \"\(name)\".\(Suggestions.question(similar)) See weir explain.")
    }
    write(
      """
      \(name)

      \(explanation.rule)

      \(explanation.cure)

      Level: \(level(of: name))
      """)
  }

  /// The level of the rule by default, and how to change it.
  private static func level(of rule: String) -> String {
    if GenerationConfiguration.requiredRules.contains(rule) {
      return "error, which weir.json cannot change, because generated code relies on the rule."
    }
    return "\(defaultLevel(of: rule)). To change it, write in weir.json: "
      + "\"lint\": {\"\(rule)\": \"error, warning, or off\"}"
  }

  private static func defaultLevel(of rule: String) -> String {
    if RuleExplanation.schemas[rule] != nil {
      return "warning, because schemas of real servers break such rules; weir schema check reports "
        + "an error"
    }
    return GenerationConfiguration.defaultLevels[rule]?.rawValue
      ?? (ValidationOptions.lintRules.contains(rule) ? "off" : "error")
  }
}
