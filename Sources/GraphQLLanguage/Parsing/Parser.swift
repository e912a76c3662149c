/// Parses a source text into a syntax tree by recursive descent, with one token of look-ahead.
///
/// This file holds the parts that all productions share; the productions are in the extensions.
struct Parser {
  private var lexer: Lexer
  /// The token to parse next.
  private(set) var token = Token(kind: .endOfFile, start: 0, end: 0)
  private var remainingDepth: Int
  private var remainingTokens: Int
  private let tokenLimit: Int
  private let options: ParseOptions

  /// Makes a parser that stands at the first token of a text.
  init(_ text: String, options: ParseOptions) throws(GraphQLSyntaxError) {
    lexer = Lexer(SourceText(text))
    self.options = options
    remainingDepth = min(options.maximumDepth, ParseOptions.depthCeiling)
    tokenLimit = max(0, options.maximumTokens ?? .max)
    remainingTokens = tokenLimit
    try advance()
  }
}

// MARK: - Tokens

extension Parser {
  var source: SourceText { lexer.source }

  /// The number of tokens so far, the current one included.
  var tokenCount: Int { tokenLimit - remainingTokens }

  /// The location of the current token.
  var location: SourceLocation { SourceLocation(utf8Offset: token.start) }

  /// Reads the next token.
  mutating func advance() throws(GraphQLSyntaxError) {
    token = try lexer.next()
    if token.kind == .endOfFile { return }
    remainingTokens -= 1
    if remainingTokens < 0 {
      var error = error("Document contains more than \(tokenLimit) tokens. Parsing aborted.")
      error.exceedsTokenLimit = true
      throw error
    }
  }

  /// Moves past a token of the given kind; throws if the current token is of another kind.
  mutating func expect(_ kind: TokenKind) throws(GraphQLSyntaxError) {
    guard try skip(kind) else {
      throw error("Expected \(kind.rawValue), found \(tokenDescription).")
    }
  }

  /// Moves past a token of the given kind, if it is the current one.
  mutating func skip(_ kind: TokenKind) throws(GraphQLSyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  /// Whether the current token is the given word.
  func isKeyword(_ word: StaticString) -> Bool {
    token.kind == .name && token.end - token.start == word.utf8CodeUnitCount
      && source.hasText(word, at: token.start)
  }

  /// Moves past the given word; throws if the current token is another one.
  mutating func expectKeyword(_ word: StaticString) throws(GraphQLSyntaxError) {
    guard try skipKeyword(word) else {
      throw error("Expected \"\(word)\", found \(tokenDescription).")
    }
  }

  /// Moves past the given word, if it is the current token.
  mutating func skipKeyword(_ word: StaticString) throws(GraphQLSyntaxError) -> Bool {
    guard isKeyword(word) else { return false }
    try advance()
    return true
  }

  /// `Name`
  mutating func parseName() throws(GraphQLSyntaxError) -> String {
    guard token.kind == .name else {
      throw error("Expected Name, found \(tokenDescription).")
    }
    return try takeText()
  }

  /// Moves past the current token and returns its source text.
  mutating func takeText() throws(GraphQLSyntaxError) -> String {
    let text = source.string(token.range)
    try advance()
    return text
  }
}

// MARK: - Repetition and nesting

extension Parser {
  typealias Production<Node> = (inout Parser) throws(GraphQLSyntaxError) -> Node

  /// One or more nodes between two tokens.
  mutating func many<Node>(
    _ open: TokenKind, _ close: TokenKind, _ parse: Production<Node>
  ) throws(GraphQLSyntaxError) -> [Node] {
    try expect(open)
    var nodes: [Node] = []
    nodes.reserveCapacity(4)
    repeat { nodes.append(try parse(&self)) } while token.kind != close
    try advance()
    return nodes
  }

  /// One or more nodes between two tokens, or nothing.
  mutating func optionalMany<Node>(
    _ open: TokenKind, _ close: TokenKind, _ parse: Production<Node>
  ) throws(GraphQLSyntaxError) -> [Node] {
    token.kind == open ? try many(open, close, parse) : []
  }

  /// Zero or more nodes between two tokens.
  mutating func any<Node>(
    _ open: TokenKind, _ close: TokenKind, _ parse: Production<Node>
  ) throws(GraphQLSyntaxError) -> [Node] {
    try expect(open)
    var nodes: [Node] = []
    while token.kind != close { nodes.append(try parse(&self)) }
    try advance()
    return nodes
  }

  /// One or more nodes separated by a token, which may also precede the first.
  mutating func delimited<Node>(
    by delimiter: TokenKind, _ parse: Production<Node>
  ) throws(GraphQLSyntaxError) -> [Node] {
    _ = try skip(delimiter)
    var nodes: [Node] = []
    repeat { nodes.append(try parse(&self)) } while try skip(delimiter)
    return nodes
  }

  /// Enters a nesting level; throws at the limit. Every recursive production calls it first.
  mutating func enter() throws(GraphQLSyntaxError) {
    guard remainingDepth > 0 else {
      let limit = max(0, min(options.maximumDepth, ParseOptions.depthCeiling))
      throw error("Document is nested more than \(limit) levels deep. Parsing aborted.")
    }
    remainingDepth -= 1
  }

  /// Leaves a nesting level.
  mutating func leave() {
    remainingDepth += 1
  }
}

// MARK: - Errors

extension Parser {
  /// Makes an error at the given token, by default the current one.
  func error(_ message: String, at other: Token? = nil) -> GraphQLSyntaxError {
    lexer.error(message, at: (other ?? token).start)
  }

  /// Makes an error that reports the given token, by default the current one, as unexpected.
  func unexpected(_ other: Token? = nil) -> GraphQLSyntaxError {
    error("Unexpected \(description(of: other ?? token)).", at: other)
  }

  /// The current token as messages show it.
  var tokenDescription: String { description(of: token) }

  /// A token as messages show it: its kind, and its value if it has one.
  func description(of token: Token) -> String {
    switch token.kind {
    case .name, .int, .float:
      "\(token.kind.rawValue) \"\(source.string(token.range))\""
    case .string, .blockString:
      "\(token.kind.rawValue) \"\(StringLiteral.value(of: token, in: source))\""
    default: token.kind.rawValue
    }
  }
}
