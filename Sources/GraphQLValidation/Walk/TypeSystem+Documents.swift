extension TypeSystem {
  /// Validates executable documents by the rules of the specification (section 5), and by further
  /// rules if the options name some.
  ///
  /// The files count as one document: a fragment can be in another file than the operation that uses
  /// it, and names are unique in all files.
  ///
  /// It takes time nearly in proportion to the documents. It records the first 1,000 errors of each
  /// rule, and all warnings. It compares the first 50 unknown names of each rule with the names of the
  /// schema, and suggests similar ones.
  ///
  /// - Parameters:
  ///   - files: The documents.
  ///   - options: The levels of rules.
  /// - Returns: The findings, in the order of the files and lines.
  public func validate(
    _ files: [SourceFile], options: ValidationOptions = ValidationOptions()
  ) -> [Diagnostic] {
    let context = DocumentContext(self, files: files, options: options)
    for file in files { DocumentWalk.visit(file, context) }
    OperationNameUniqueness.check(context)
    LoneAnonymousOperation.check(context)
    FragmentNameUniqueness.check(context)
    FragmentsMustBeUsed.check(context)
    FragmentSpreadsMustNotFormCycles.check(context)
    let fragments = context.fragmentDefinitions()
    for definition in context.definitions {
      guard let variables = OperationVariables(definition, fragments: fragments) else { continue }
      AllVariableUsesDefined.check(variables, context)
      AllVariablesUsed.check(variables, context)
      AllVariableUsagesAreAllowed.check(variables, context)
    }
    FieldSelectionMerging.check(context)
    if context.isLinting {
      RequireKey.check(context)
      MutationSelectsNothing.check(context)
      NameMatchesFile.check(context)
      HiddenSwiftType.check(context)
      UnusedVariableInFragment.check(context)
      IgnoreComments.check(files, context)
    }
    return context.leveledFindings.diagnostics(order: files, comments: context.isLinting)
  }
}

extension DocumentContext {
  /// The findings with the severities of the options, without those of rules that are off.
  fileprivate var leveledFindings: [Finding] {
    findings.compactMap { finding in
      var finding = finding
      switch options.level(of: finding.rule) {
      case .error: finding.severity = .error
      case .warning: finding.severity = .warning
      case .off: return nil
      }
      return finding
    }
  }
}
