extension Document {
  /// Parses a source text of any length in linear time.
  ///
  /// The syntax is that of the GraphQL specification of September 2025, which includes that of
  /// October 2021.
  ///
  /// - Throws: `GraphQLSyntaxError` for the first syntax error in `text`, or if the text exceeds a
  ///   limit in `options`.
  public init(
    parsing text: String, options: ParseOptions = ParseOptions()
  ) throws(GraphQLSyntaxError) {
    self = try Document.parse(text, options: options).document
  }

  /// Parses a source text like `init(parsing:options:)`, and counts its tokens.
  package static func parse(
    _ text: String, options: ParseOptions
  ) throws(GraphQLSyntaxError) -> (document: Document, tokens: Int) {
    var parser = try Parser(text, options: options)
    return (try parser.parseDocument(), parser.tokenCount)
  }
}

extension Value {
  /// Parses a text that contains one value, for example `{ ids: [1, 2], first: $count }`.
  ///
  /// - Throws: `GraphQLSyntaxError` if the text is anything else.
  public init(
    parsing text: String, options: ParseOptions = ParseOptions()
  ) throws(GraphQLSyntaxError) {
    var parser = try Parser(text, options: options)
    self = try parser.parseValue(isConstant: false)
    try parser.expect(.endOfFile)
  }
}

extension TypeReference {
  /// Parses a text that contains one type reference, for example `[ID!]!`.
  ///
  /// - Throws: `GraphQLSyntaxError` if the text is anything else.
  public init(
    parsing text: String, options: ParseOptions = ParseOptions()
  ) throws(GraphQLSyntaxError) {
    var parser = try Parser(text, options: options)
    self = try parser.parseTypeReference()
    try parser.expect(.endOfFile)
  }
}
