extension Parser {
  /// `SelectionSet`
  ///
  /// It has a loop of its own instead of `many`, and a field has a head, so that a level of nesting
  /// takes little of the stack also where nothing is optimised.
  mutating func parseSelectionSet() throws(GraphQLSyntaxError) -> SelectionSet {
    try enter()
    defer { leave() }
    try expect(.leftBrace)
    var selections: [Selection] = []
    selections.reserveCapacity(4)
    repeat { selections.append(try parseSelection()) } while token.kind != .rightBrace
    try advance()
    return SelectionSet(selections: selections)
  }

  /// `Selection`
  @inline(__always)
  private mutating func parseSelection() throws(GraphQLSyntaxError) -> Selection {
    token.kind == .spread ? try parseFragmentSelection() : try parseField()
  }

  /// `Field`
  private mutating func parseField() throws(GraphQLSyntaxError) -> Selection {
    let location = location
    let (alias, name, arguments, directives) = try parseFieldHead()
    let selectionSet = token.kind == .leftBrace ? try parseSelectionSet() : nil
    return .field(
      Field(
        alias: alias, name: name, arguments: arguments, directives: directives,
        selectionSet: selectionSet, location: location))
  }

  /// `Field` up to its selection set.
  @inline(__always)
  private mutating func parseFieldHead() throws(GraphQLSyntaxError) -> (
    alias: String?, name: String, arguments: [Argument], directives: [Directive]
  ) {
    var name = try parseName()
    var alias: String?
    if try skip(.colon) {
      alias = name
      name = try parseName()
    }
    let arguments = try parseArguments(isConstant: false)
    return (alias, name, arguments, try parseDirectives(isConstant: false))
  }

  /// `FragmentSpread` or `InlineFragment`: both begin with three dots.
  private mutating func parseFragmentSelection() throws(GraphQLSyntaxError) -> Selection {
    let location = location
    try expect(.spread)
    if token.kind == .name && !isKeyword("on") { return try parseFragmentSpread(location) }
    let (typeCondition, directives) = try parseInlineFragmentHead()
    let selectionSet = try parseSelectionSet()
    return .inlineFragment(
      InlineFragment(
        typeCondition: typeCondition, directives: directives, selectionSet: selectionSet,
        location: location))
  }

  /// `InlineFragment` from behind its dots up to its selection set.
  private mutating func parseInlineFragmentHead() throws(GraphQLSyntaxError) -> (
    typeCondition: String?, directives: [Directive]
  ) {
    let typeCondition = try skipKeyword("on") ? try parseName() : nil
    return (typeCondition, try parseDirectives(isConstant: false))
  }

  /// `FragmentSpread` from behind its dots.
  private mutating func parseFragmentSpread(
    _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> Selection {
    let name = try parseName()
    let directives = try parseDirectives(isConstant: false)
    return .fragmentSpread(FragmentSpread(name: name, directives: directives, location: location))
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
