extension Parser {
  /// `SelectionSet`
  mutating func parseSelectionSet() throws(GraphQLSyntaxError) -> SelectionSet {
    try enter()
    defer { leave() }
    return SelectionSet(
      selections: try many(
        .leftBrace,
        { (parser: inout Parser) throws(GraphQLSyntaxError) in
          parser.token.kind == .spread
            ? try parser.parseFragmentSelection() : .field(try parser.parseField())
        }, .rightBrace))
  }

  /// `Field`
  private mutating func parseField() throws(GraphQLSyntaxError) -> Field {
    let location = location
    var name = try parseName()
    var alias: String?
    if try skip(.colon) {
      alias = name
      name = try parseName()
    }
    return Field(
      alias: alias,
      name: name,
      arguments: try parseArguments(isConstant: false),
      directives: try parseDirectives(isConstant: false),
      selectionSet: token.kind == .leftBrace ? try parseSelectionSet() : nil,
      location: location)
  }

  /// `FragmentSpread` or `InlineFragment`: both begin with three dots.
  private mutating func parseFragmentSelection() throws(GraphQLSyntaxError) -> Selection {
    let location = location
    try expect(.spread)
    let hasTypeCondition = try skipKeyword("on")
    if !hasTypeCondition, token.kind == .name {
      return .fragmentSpread(
        FragmentSpread(
          name: try takeText(), directives: try parseDirectives(isConstant: false),
          location: location))
    }
    return .inlineFragment(
      InlineFragment(
        typeCondition: hasTypeCondition ? try parseName() : nil,
        directives: try parseDirectives(isConstant: false),
        selectionSet: try parseSelectionSet(),
        location: location))
  }

  /// `Directives`: possibly none.
  mutating func parseDirectives(isConstant: Bool) throws(GraphQLSyntaxError) -> [Directive] {
    var directives: [Directive] = []
    while token.kind == .at {
      let location = location
      try advance()
      directives.append(
        Directive(
          name: try parseName(), arguments: try parseArguments(isConstant: isConstant),
          location: location))
    }
    return directives
  }

  /// `Arguments`: possibly none.
  mutating func parseArguments(isConstant: Bool) throws(GraphQLSyntaxError) -> [Argument] {
    try optionalMany(
      .leftParenthesis,
      { (parser: inout Parser) throws(GraphQLSyntaxError) in
        let location = parser.location
        let name = try parser.parseName()
        try parser.expect(.colon)
        return Argument(
          name: name, value: try parser.parseValue(isConstant: isConstant), location: location)
      }, .rightParenthesis)
  }
}
