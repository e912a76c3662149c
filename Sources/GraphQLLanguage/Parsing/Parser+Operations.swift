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
      variableDefinitions: try parseVariableDefinitions(),
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

  private mutating func parseVariableDefinitions() throws(GraphQLSyntaxError)
    -> [VariableDefinition]
  {
    try optionalMany(
      .leftParenthesis,
      { (parser: inout Parser) throws(GraphQLSyntaxError) in
        try parser.parseVariableDefinition()
      }, .rightParenthesis)
  }

  /// `VariableDefinition`
  private mutating func parseVariableDefinition() throws(GraphQLSyntaxError) -> VariableDefinition {
    let location = location
    let description = try parseDescription()
    try expect(.dollar)
    let name = try parseName()
    try expect(.colon)
    return VariableDefinition(
      description: description,
      name: name,
      type: try parseTypeReference(),
      defaultValue: try parseDefaultValue(),
      directives: try parseDirectives(isConstant: true),
      location: location)
  }
}
