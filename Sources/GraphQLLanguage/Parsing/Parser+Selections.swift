extension Parser {
  /// `SelectionSet`
  ///
  /// Its own loop instead of `many`, and a separate function for the head of a field, keep the
  /// stack frames of a nesting level small in debug builds, too.
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

  /// The part of `Field` before its selection set.
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

  /// The part of `InlineFragment` between its dots and its selection set.
  private mutating func parseInlineFragmentHead() throws(GraphQLSyntaxError) -> (
    typeCondition: String?, directives: [Directive]
  ) {
    let typeCondition = try skipKeyword("on") ? try parseName() : nil
    return (typeCondition, try parseDirectives(isConstant: false))
  }

  /// `FragmentSpread`, after its dots.
  private mutating func parseFragmentSpread(
    _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> Selection {
    let name = try parseName()
    let directives = try parseDirectives(isConstant: false)
    return .fragmentSpread(FragmentSpread(name: name, directives: directives, location: location))
  }

  /// `Directives`, which may be absent.
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

  /// `Arguments`, which may be absent.
  mutating func parseArguments(isConstant: Bool) throws(GraphQLSyntaxError) -> [Argument] {
    try optionalMany(.leftParenthesis, .rightParenthesis) { parser throws(GraphQLSyntaxError) in
      let location = parser.location
      let name = try parser.parseName()
      try parser.expect(.colon)
      return Argument(
        name: name, value: try parser.parseValue(isConstant: isConstant), location: location)
    }
  }
}
