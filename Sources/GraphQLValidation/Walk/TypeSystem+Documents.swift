extension TypeSystem {
  /// Validates executable documents by the rules of the specification (section 5).
  ///
  /// The files count as one document: a fragment can be in another file than the operation that uses
  /// it, and names are unique in all files.
  ///
  /// It takes time in proportion to the documents.
  ///
  /// - Parameters:
  ///   - files: The documents.
  ///   - isComplete: Pass false if a file is missing, for example because it could not be parsed.
  ///     Then fragments and variables that are unknown or unused are not reported.
  /// - Returns: The mistakes, in the order of the files and lines.
  public func validate(_ files: [SourceFile], isComplete: Bool = true) -> [Diagnostic] {
    let context = DocumentContext(self, files: files, isComplete: isComplete)
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
    return context.findings.diagnostics(order: files)
  }
}
