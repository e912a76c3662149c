extension Parser {
  /// `TypeSystemExtension`: `extend`, a kind of definition, and at least one addition.
  mutating func parseExtension() throws(GraphQLSyntaxError) -> Definition {
    let location = location
    try advance()
    guard token.kind == .name, let keyword = DefinitionKeyword(source.string(token.range)) else {
      throw unexpected()
    }
    switch keyword {
    case .schema:
      try advance()
      return .schemaExtension(try parseSchema(nil, location, isExtension: true))
    case .type(let kind):
      try advance()
      let type = try parseType(kind, nil, location)
      if type.isEmptyExtension { throw unexpected() }
      return .typeExtension(type)
    case .operation, .fragment, .directive:
      throw unexpected()
    }
  }

  /// `SchemaDefinition`, after its first word. In an extension the block may be absent.
  mutating func parseSchema(
    _ description: StringValue?, _ location: SourceLocation, isExtension: Bool = false
  ) throws(GraphQLSyntaxError) -> SchemaDefinition {
    var schema = SchemaDefinition(
      description: description, directives: try parseDirectives(isConstant: true),
      location: location)
    if isExtension, token.kind != .leftBrace {
      if schema.directives.isEmpty { throw unexpected() }
      return schema
    }
    schema.operationTypes = try many(.leftBrace, .rightBrace) { parser throws(GraphQLSyntaxError) in
      try parser.parseOperationType()
    }
    return schema
  }

  private mutating func parseOperationType() throws(GraphQLSyntaxError) -> OperationTypeDefinition {
    let word = token
    guard let kind = OperationKind(rawValue: try parseName()) else { throw unexpected(word) }
    try expect(.colon)
    return OperationTypeDefinition(
      kind: kind, type: try parseName(), location: SourceLocation(utf8Offset: word.start))
  }

  /// `DirectiveDefinition`, after its first word.
  mutating func parseDirectiveDefinition(
    _ description: StringValue?, _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> DirectiveDefinition {
    try expect(.at)
    let name = try parseName()
    let arguments = try parseArgumentDefinitions()
    let isRepeatable = try skipKeyword("repeatable")
    try expectKeyword("on")
    let locations = try delimited(by: .bar) { parser throws(GraphQLSyntaxError) in
      let word = parser.token
      guard let location = DirectiveLocation(rawValue: try parser.parseName()) else {
        throw parser.unexpected(word)
      }
      return location
    }
    return DirectiveDefinition(
      description: description, name: name, arguments: arguments, isRepeatable: isRepeatable,
      locations: locations, location: location)
  }
}

extension TypeDefinition {
  /// Whether nothing follows the name, which makes an extension invalid.
  fileprivate var isEmptyExtension: Bool {
    interfaces.isEmpty && directives.isEmpty && memberTypes.isEmpty && !hasBlock
  }
}
