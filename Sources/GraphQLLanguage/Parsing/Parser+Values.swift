extension Parser {
  /// `Value`; a constant value contains no variable.
  mutating func parseValue(isConstant: Bool) throws(GraphQLSyntaxError) -> Value {
    switch token.kind {
    case .leftBracket: try parseList(isConstant: isConstant)
    case .leftBrace: try parseObject(isConstant: isConstant)
    default: try parseLeaf(isConstant: isConstant)
    }
  }

  private mutating func parseLeaf(isConstant: Bool) throws(GraphQLSyntaxError) -> Value {
    switch token.kind {
    case .int: return .int(try takeText())
    case .float: return .float(try takeText())
    case .string, .blockString: return .string(try parseString())
    case .name: return try parseNamedValue()
    case .dollar: return try parseVariable(isConstant: isConstant)
    default: throw unexpected()
    }
  }

  /// `DefaultValue`, which may be absent.
  mutating func parseDefaultValue() throws(GraphQLSyntaxError) -> Value? {
    try skip(.equals) ? try parseValue(isConstant: true) : nil
  }

  /// `StringValue`
  mutating func parseString() throws(GraphQLSyntaxError) -> StringValue {
    let string = StringValue(
      StringLiteral.value(of: token, in: source), isBlock: token.kind == .blockString)
    try advance()
    return string
  }

  /// `TypeReference`
  mutating func parseTypeReference() throws(GraphQLSyntaxError) -> TypeReference {
    let type: TypeReference
    if try skip(.leftBracket) {
      try enter()
      type = .list(try parseTypeReference())
      leave()
      try expect(.rightBracket)
    } else {
      type = .named(try parseName())
    }
    return try skip(.bang) ? .nonNull(type) : type
  }

  private mutating func parseNamedValue() throws(GraphQLSyntaxError) -> Value {
    let name = try takeText()
    switch name {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: return .enum(name)
    }
  }

  private mutating func parseVariable(isConstant: Bool) throws(GraphQLSyntaxError) -> Value {
    let dollar = token
    try advance()
    guard isConstant else { return .variable(try parseName()) }
    guard token.kind == .name else { throw unexpected(dollar) }
    let name = source.string(token.range)
    throw error("Unexpected variable \"$\(name)\" in constant value.", at: dollar)
  }

  private mutating func parseList(isConstant: Bool) throws(GraphQLSyntaxError) -> Value {
    try enter()
    defer { leave() }
    return .list(
      try any(.leftBracket, .rightBracket) { parser throws(GraphQLSyntaxError) in
        try parser.parseValue(isConstant: isConstant)
      })
  }

  private mutating func parseObject(isConstant: Bool) throws(GraphQLSyntaxError) -> Value {
    try enter()
    defer { leave() }
    return .object(
      try any(.leftBrace, .rightBrace) { parser throws(GraphQLSyntaxError) in
        let name = try parser.parseName()
        try parser.expect(.colon)
        return ObjectField(name: name, value: try parser.parseValue(isConstant: isConstant))
      })
  }
}
