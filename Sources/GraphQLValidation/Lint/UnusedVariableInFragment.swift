import GraphQLLanguage

/// A fragment that uses variables is spread by an operation, which declares them. Otherwise no request
/// gives them values; only code that reads the fragment from a cache can.
enum UnusedVariableInFragment: ValidationRule {
  static let name = "unused-variable-in-fragment"

  static func check(_ context: DocumentContext) {
    guard context.options.isComplete else { return }
    let reached = context.fragmentsOfOperations()
    for definition in context.definitions {
      guard let fragment = definition.fragment, !reached.contains(fragment.name) else { continue }
      var names: Set<String> = []
      for variable in definition.variables where names.insert(variable.name).inserted {
        context.report(
          Self.self,
          "Variable \"$\(variable.name)\" is used in fragment \"\(fragment.name)\", but no operation "
            + "that declares it spreads the fragment.", at: variable.place)
      }
    }
  }
}
