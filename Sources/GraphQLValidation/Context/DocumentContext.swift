import GraphQLLanguage

/// The state that the rules for documents share.
final class DocumentContext: ValidationContext {
  let options: ValidationOptions
  /// Whether a rule is on that the specification does not have.
  let isLinting: Bool
  /// The fragments by name; of several with one name, the first.
  let fragments: [String: FragmentUse]
  /// The operations and fragments in the order of the files.
  var definitions: [DefinitionUse] = []
  /// All selection sets, for the rule about merging.
  var selections = SelectionTable()

  init(_ schema: TypeSystem, files: [SourceFile], options: ValidationOptions) {
    self.options = options
    isLinting = options.rules.contains { $1 != .off && ValidationOptions.lintRules.contains($0) }
    var fragments: [String: FragmentUse] = [:]
    for file in files {
      for case .fragment(let fragment) in file.document.definitions
      where fragments[fragment.name] == nil {
        fragments[fragment.name] = FragmentUse(
          fragment: fragment, file: file, index: fragments.count)
      }
    }
    self.fragments = fragments
    super.init(schema)
  }

  override func isError(_ rule: String) -> Bool { options.level(of: rule) == .error }
}

/// A fragment and its file.
struct FragmentUse {
  let fragment: FragmentDefinition
  let file: SourceFile
  /// The position among the fragments that other definitions can use.
  let index: Int
}
