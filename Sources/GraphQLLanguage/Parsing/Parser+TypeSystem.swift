extension Parser {
  /// `TypeSystemExtension`: `extend`, a kind of definition, and at least one addition.
  mutating func parseTypeSystemExtension() throws(GraphQLSyntaxError) -> TypeSystemExtension {
    let location = location
    try advance()
    guard token.kind == .name, let keyword = DefinitionKeyword(source.string(token.range)) else {
      throw unexpected()
    }
    switch keyword {
    case .schema:
      try advance()
      let schema = try parseSchemaExtension(location)
      return .schema(schema)
    case .type(let keyword):
      try advance()
      let type = try parseType(keyword, nil, location)
      if type.isEmptyExtension { throw unexpected() }
      return .type(type)
    case .operation, .fragment, .directive:
      throw unexpected()
    }
  }

  private mutating func parseSchemaExtension(
    _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> SchemaDefinition {
    let directives = try parseDirectives(isConstant: true)
    let types = token.kind == .leftBrace ? try parseOperationTypes() : []
    if directives.isEmpty && types.isEmpty { throw unexpected() }
    return SchemaDefinition(directives: directives, operationTypes: types, location: location)
  }

  /// `SchemaDefinition`, after its first word.
  mutating func parseSchema(
    _ description: StringValue?, _ location: SourceLocation
  ) throws(GraphQLSyntaxError) -> SchemaDefinition {
    SchemaDefinition(
      description: description,
      directives: try parseDirectives(isConstant: true),
      operationTypes: try parseOperationTypes(),
      location: location)
  }

  private mutating func parseOperationTypes() throws(GraphQLSyntaxError)
    -> [OperationTypeDefinition]
  {
    try many(
      .leftBrace,
      { (parser: inout Parser) throws(GraphQLSyntaxError) in
        try parser.parseOperationType()
      }, .rightBrace)
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
    return DirectiveDefinition(
      description: description,
      name: name,
      arguments: arguments,
      isRepeatable: isRepeatable,
      locations: try parseDirectiveLocations(),
      location: location)
  }

  private mutating func parseDirectiveLocations() throws(GraphQLSyntaxError) -> [DirectiveLocation]
  {
    try delimited(by: .bar) { (parser: inout Parser) throws(GraphQLSyntaxError) in
      let word = parser.token
      guard let location = DirectiveLocation(rawValue: try parser.parseName()) else {
        throw parser.unexpected(word)
      }
      return location
    }
  }
}

extension TypeDefinition {
  /// Whether nothing follows the name, which makes an extension invalid.
  fileprivate var isEmptyExtension: Bool {
    guard directives.isEmpty else { return false }
    return switch self {
    case .scalar: true
    case .object(let type): type.interfaces.isEmpty && type.fields.isEmpty
    case .interface(let type): type.interfaces.isEmpty && type.fields.isEmpty
    case .union(let type): type.types.isEmpty
    case .enum(let type): type.values.isEmpty
    case .inputObject(let type): type.fields.isEmpty
    }
  }
}
