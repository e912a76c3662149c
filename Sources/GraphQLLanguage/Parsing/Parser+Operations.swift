extension Parser {
  /// `OperationDefinition` in its short form, which is only a selection set.
  mutating func parseShorthandQuery() throws(GraphQLSyntaxError) -> OperationDefinition {
    let location = location
    return OperationDefinition(selectionSet: try parseSelectionSet(), location: location)
  }

  /// `OperationDefinition`, after its first word.
  mutating func parseOperation(
    _ kind: OperationKind, _ description: StringValue?, _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> OperationDefinition {
    OperationDefinition(
      description: description,
      kind: kind,
      name: token.kind == .name ? try takeText() : nil,
      variableDefinitions: try parseInputValues(
        .leftParenthesis, .rightParenthesis, areVariables: true),
      directives: try parseDirectives(isConstant: false),
      selectionSet: try parseSelectionSet(),
      location: location)
  }

  /// `FragmentDefinition`, after its first word.
  mutating func parseFragment(
    _ description: StringValue?, _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> FragmentDefinition {
    if isKeyword("on") { throw unexpected() }
    let name = try parseName()
    try expectKeyword("on")
    return FragmentDefinition(
      description: description,
      name: name,
      typeCondition: try parseName(),
      directives: try parseDirectives(isConstant: false),
      selectionSet: try parseSelectionSet(),
      location: location)
  }
}
