import GraphQLLanguage

/// The variables that an operation declares and uses, also in its fragments.
struct OperationVariables {
  let operation: OperationDefinition
  let definition: DefinitionUse
  let declared: [String: VariableDefinition]
  /// The operation, and the fragments that it reaches, each once.
  let reached: [DefinitionUse]

  init?(_ definition: DefinitionUse, fragments: [String: DefinitionUse]) {
    guard let operation = definition.operation else { return nil }
    self.operation = operation
    self.definition = definition
    declared = Dictionary(operation.variableDefinitions.map { ($0.name, $0) }) { _, last in last }
    var reached = [definition]
    var names: Set<String> = []
    var next = 0
    while next < reached.count {
      for spread in reached[next].spreads where names.insert(spread.name).inserted {
        if let fragment = fragments[spread.name] { reached.append(fragment) }
      }
      next += 1
    }
    self.reached = reached
  }

  /// The end of a message about this operation: ` by operation "Name"`, or nothing.
  func suffix(_ preposition: String) -> String {
    operation.name.map { " \(preposition) operation \"\($0)\"" } ?? ""
  }
}
