extension Parser {
  /// `TypeDefinition` or `TypeExtension`, after its first word.
  mutating func parseType(
    _ keyword: TypeKeyword, _ description: StringValue?, _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> TypeDefinition {
    let name = try parseName()
    let interfaces =
      keyword == .object || keyword == .interface ? try parseInterfaces() : []
    let directives = try parseDirectives(isConstant: true)
    switch keyword {
    case .scalar:
      return .scalar(
        ScalarTypeDefinition(
          description: description, name: name, directives: directives, location: location))
    case .object:
      return .object(
        ObjectTypeDefinition(
          description: description, name: name, interfaces: interfaces, directives: directives,
          fields: try parseFieldDefinitions(), location: location))
    case .interface:
      return .interface(
        InterfaceTypeDefinition(
          description: description, name: name, interfaces: interfaces, directives: directives,
          fields: try parseFieldDefinitions(), location: location))
    case .union:
      return .union(
        UnionTypeDefinition(
          description: description, name: name, directives: directives,
          types: try parseUnionMembers(), location: location))
    case .enum:
      return .enum(
        EnumTypeDefinition(
          description: description, name: name, directives: directives,
          values: try parseEnumValues(), location: location))
    case .inputObject:
      return .inputObject(
        InputObjectTypeDefinition(
          description: description, name: name, directives: directives,
          fields: try parseInputValues(.leftBrace, .rightBrace), location: location))
    }
  }

  /// `ArgumentsDefinition`, which may be absent.
  mutating func parseArgumentDefinitions() throws(GraphQLSyntaxError) -> [InputValueDefinition] {
    try parseInputValues(.leftParenthesis, .rightParenthesis)
  }

  /// `ImplementsInterfaces`, which may be absent.
  private mutating func parseInterfaces() throws(GraphQLSyntaxError) -> [String] {
    guard try skipKeyword("implements") else { return [] }
    return try delimited(by: .ampersand) { (parser: inout Parser) throws(GraphQLSyntaxError) in
      try parser.parseName()
    }
  }

  /// `UnionMemberTypes`, which may be absent.
  private mutating func parseUnionMembers() throws(GraphQLSyntaxError) -> [String] {
    guard try skip(.equals) else { return [] }
    return try delimited(by: .bar) { (parser: inout Parser) throws(GraphQLSyntaxError) in
      try parser.parseName()
    }
  }

  /// `FieldsDefinition`, which may be absent.
  private mutating func parseFieldDefinitions() throws(GraphQLSyntaxError) -> [FieldDefinition] {
    try optionalMany(
      .leftBrace,
      { (parser: inout Parser) throws(GraphQLSyntaxError) in
        try parser.parseFieldDefinition()
      }, .rightBrace)
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

  /// `InputFieldsDefinition` or `ArgumentsDefinition`, which differ only in their brackets.
  private mutating func parseInputValues(
    _ open: TokenKind, _ close: TokenKind
  ) throws(GraphQLSyntaxError) -> [InputValueDefinition] {
    try optionalMany(
      open,
      { (parser: inout Parser) throws(GraphQLSyntaxError) in
        try parser.parseInputValue()
      }, close)
  }

  private mutating func parseInputValue() throws(GraphQLSyntaxError) -> InputValueDefinition {
    let location = location
    let description = try parseDescription()
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

  /// `EnumValuesDefinition`, which may be absent.
  private mutating func parseEnumValues() throws(GraphQLSyntaxError) -> [EnumValueDefinition] {
    try optionalMany(
      .leftBrace,
      { (parser: inout Parser) throws(GraphQLSyntaxError) in
        try parser.parseEnumValue()
      }, .rightBrace)
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
