extension Parser {
  /// `Document`: one or more definitions.
  mutating func parseDocument() throws(GraphQLSyntaxError) -> Document {
    var definitions: [Definition] = []
    repeat { definitions.append(try parseDefinition()) } while token.kind != .endOfFile
    return Document(definitions: definitions)
  }

  /// `Definition`: identified by its first word, which a description may precede.
  private mutating func parseDefinition() throws(GraphQLSyntaxError) -> Definition {
    let start = token
    if start.kind == .leftBrace { return .operation(try parseShorthandQuery()) }
    let description = try parseDescription()
    if let keyword = DefinitionKeyword(try definitionWord(after: description, at: start)) {
      return try parseDefinition(keyword, description, at: start)
    }
    guard description == nil else {
      throw error(
        "Unexpected description, only GraphQL definitions support descriptions.", at: start)
    }
    guard isKeyword("extend") else { throw unexpected() }
    return try parseExtension()
  }

  /// The keyword of the definition at the current token; does not advance.
  private func definitionWord(
    after description: StringValue?, at start: Token
  ) throws(GraphQLSyntaxError) -> String {
    if description != nil, token.kind == .leftBrace {
      throw error(
        "Unexpected description, descriptions are not supported on shorthand queries.", at: start)
    }
    guard token.kind == .name else { throw unexpected() }
    return source.string(token.range)
  }

  private mutating func parseDefinition(
    _ keyword: DefinitionKeyword, _ description: StringValue?, at start: Token
  ) throws(GraphQLSyntaxError) -> Definition {
    let location = SourceLocation(utf8Offset: start.start)
    try advance()
    switch keyword {
    case .operation(let kind):
      return .operation(try parseOperation(kind, description, location))
    case .fragment:
      return .fragment(try parseFragment(description, location))
    case .schema:
      return .schema(try parseSchema(description, location))
    case .directive:
      return .directive(try parseDirectiveDefinition(description, location))
    case .type(let kind):
      return .type(try parseType(kind, description, location))
    }
  }

  /// `Description`: a string of either form, or nothing.
  mutating func parseDescription() throws(GraphQLSyntaxError) -> StringValue? {
    guard token.kind == .string || token.kind == .blockString else { return nil }
    return try parseString()
  }
}

/// The first words of definitions.
enum DefinitionKeyword {
  case operation(OperationKind)
  case fragment
  case schema
  case directive
  case type(TypeDefinition.Kind)

  init?(_ word: String) {
    switch word {
    case "query": self = .operation(.query)
    case "mutation": self = .operation(.mutation)
    case "subscription": self = .operation(.subscription)
    case "fragment": self = .fragment
    case "schema": self = .schema
    case "directive": self = .directive
    default:
      guard let kind = TypeDefinition.Kind(rawValue: word) else { return nil }
      self = .type(kind)
    }
  }
}
