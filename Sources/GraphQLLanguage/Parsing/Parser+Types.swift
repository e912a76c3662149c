extension Parser {
  /// `TypeDefinition` or `TypeExtension`, after its first word.
  mutating func parseType(
    _ kind: TypeDefinition.Kind, _ description: StringValue?, _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> TypeDefinition {
    var type = TypeDefinition(
      kind, description: description, name: try parseName(), location: location)
    if kind == .object || kind == .interface, try skipKeyword("implements") {
      type.interfaces = try parseNames(delimitedBy: .ampersand)
    }
    type.directives = try parseDirectives(isConstant: true)
    switch kind {
    case .scalar:
      break
    case .object, .interface:
      type.fields = try optionalMany(.leftBrace, .rightBrace) { parser throws(GraphQLSyntaxError) in
        try parser.parseFieldDefinition()
      }
    case .union:
      if try skip(.equals) { type.memberTypes = try parseNames(delimitedBy: .bar) }
    case .enum:
      type.values = try optionalMany(.leftBrace, .rightBrace) { parser throws(GraphQLSyntaxError) in
        try parser.parseEnumValue()
      }
    case .inputObject:
      type.inputFields = try parseInputValues(.leftBrace, .rightBrace)
    }
    return type
  }

  /// `ArgumentsDefinition`, which may be absent.
  mutating func parseArgumentDefinitions() throws(GraphQLSyntaxError) -> [InputValueDefinition] {
    try parseInputValues(.leftParenthesis, .rightParenthesis)
  }

  /// The names of `ImplementsInterfaces` or `UnionMemberTypes`.
  private mutating func parseNames(
    delimitedBy delimiter: TokenKind
  ) throws(GraphQLSyntaxError) -> [String] {
    try delimited(by: delimiter) { parser throws(GraphQLSyntaxError) in try parser.parseName() }
  }

  private mutating func parseFieldDefinition() throws(GraphQLSyntaxError) -> FieldDefinition {
    let location = location
    let description = try parseDescription()
    let name = try parseName()
    let arguments = try parseArgumentDefinitions()
    try expect(.colon)
    return FieldDefinition(
      description: description,
      name: name,
      arguments: arguments,
      type: try parseTypeReference(),
      directives: try parseDirectives(isConstant: true),
      location: location)
  }

  /// `InputFieldsDefinition`, `ArgumentsDefinition` or `VariablesDefinition`, which may be absent.
  mutating func parseInputValues(
    _ open: TokenKind, _ close: TokenKind, areVariables: Bool = false
  ) throws(GraphQLSyntaxError) -> [InputValueDefinition] {
    try optionalMany(open, close) { parser throws(GraphQLSyntaxError) in
      try parser.parseInputValue(isVariable: areVariables)
    }
  }

  private mutating func parseInputValue(
    isVariable: Bool
  ) throws(GraphQLSyntaxError) -> InputValueDefinition {
    let location = location
    let description = try parseDescription()
    if isVariable { try expect(.dollar) }
    let name = try parseName()
    try expect(.colon)
    return InputValueDefinition(
      description: description,
      name: name,
      type: try parseTypeReference(),
      defaultValue: try parseDefaultValue(),
      directives: try parseDirectives(isConstant: true),
      location: location)
  }

  private mutating func parseEnumValue() throws(GraphQLSyntaxError) -> EnumValueDefinition {
    let location = location
    let description = try parseDescription()
    if isKeyword("true") || isKeyword("false") || isKeyword("null") {
      throw error("\(tokenDescription) is reserved and cannot be used for an enum value.")
    }
    return EnumValueDefinition(
      description: description,
      name: try parseName(),
      directives: try parseDirectives(isConstant: true),
      location: location)
  }
}
