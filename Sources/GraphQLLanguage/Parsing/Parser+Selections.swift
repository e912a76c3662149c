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
            ? try parser.parseFragmentSelection() : try parser.parseField()
        }, .rightBrace))
  }

  /// `Field`
  private mutating func parseField() throws(GraphQLSyntaxError) -> Selection {
    let location = location
    var name = try parseName()
    var alias: String?
    if try skip(.colon) {
      alias = name
      name = try parseName()
    }
    let arguments = try parseArguments(isConstant: false)
    let directives = try parseDirectives(isConstant: false)
    let selectionSet = token.kind == .leftBrace ? try parseSelectionSet() : nil
    return .field(
      Field(
        alias: alias, name: name, arguments: arguments, directives: directives,
        selectionSet: selectionSet, location: location))
  }

  /// `FragmentSpread` or `InlineFragment`: both begin with three dots.
  private mutating func parseFragmentSelection() throws(GraphQLSyntaxError) -> Selection {
    let location = location
    try expect(.spread)
    if token.kind == .name && !isKeyword("on") {
      return .fragmentSpread(try parseFragmentSpread(location))
    }
    return .inlineFragment(try parseInlineFragment(location))
  }

  /// `FragmentSpread` from behind its dots.
  private mutating func parseFragmentSpread(
    _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> FragmentSpread {
    FragmentSpread(
      name: try parseName(), directives: try parseDirectives(isConstant: false), location: location)
  }

  /// `InlineFragment` from behind its dots.
  private mutating func parseInlineFragment(
    _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> InlineFragment {
    InlineFragment(
      typeCondition: try skipKeyword("on") ? try parseName() : nil,
      directives: try parseDirectives(isConstant: false),
      selectionSet: try parseSelectionSet(),
      location: location)
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
