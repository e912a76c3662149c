extension TypeSystem {
  /// Validates the schema by the rules of the specification (section 3).
  ///
  /// Schemas of real servers often break some of them and work nevertheless, so the findings are
  /// warnings. It takes time in proportion to the schema. It records the first 1,000 findings of each
  /// rule, and suggests similar names for the first 50 unknown names of each rule.
  ///
  /// - Parameter strict: Whether the findings are errors.
  /// - Returns: The findings, in the order of the sources and lines.
  public func validate(strict: Bool = false) -> [Diagnostic] {
    let context = ValidationContext(self)
    SchemaWalk(context: context).visit()
    return context.findings.map { finding in
      var finding = finding
      finding.severity = strict ? .error : .warning
      return finding
    }.diagnostics(order: sources)
  }
}
