/// Splits a source text into tokens, one at a time (specification, section 2.1).
///
/// A returned token is valid to its last byte, so decoding it later cannot fail.
struct Lexer: Sendable {
  let source: SourceText
  /// The offset of the first byte that was not read yet.
  var position = 0

  init(_ source: SourceText) {
    self.source = source
  }

  /// Reads the next token; at the end of the text every call returns `.endOfFile`.
  mutating func next() throws(GraphQLSyntaxError) -> Token {
    while true {
      var byte = source[position]
      // A fast path: indentation makes up much of most texts.
      while byte == Ascii.space || byte == Ascii.lineFeed {
        position += 1
        byte = source[position]
      }
      if Ascii.isNameStart(byte) { return readName() }
      switch byte {
      case Ascii.comma, Ascii.tab, Ascii.carriageReturn:
        position += 1
      case Ascii.leftBrace: return punctuator(.leftBrace)
      case Ascii.rightBrace: return punctuator(.rightBrace)
      case Ascii.leftParenthesis: return punctuator(.leftParenthesis)
      case Ascii.rightParenthesis: return punctuator(.rightParenthesis)
      case Ascii.colon: return punctuator(.colon)
      case Ascii.dollar: return punctuator(.dollar)
      case Ascii.bang: return punctuator(.bang)
      case Ascii.at: return punctuator(.at)
      case Ascii.equals: return punctuator(.equals)
      case Ascii.leftBracket: return punctuator(.leftBracket)
      case Ascii.rightBracket: return punctuator(.rightBracket)
      case Ascii.bar: return punctuator(.bar)
      case Ascii.ampersand: return punctuator(.ampersand)
      case Ascii.dot where source.hasText("...", at: position):
        return punctuator(.spread, length: 3)
      case Ascii.hash: skipComment()
      case Ascii.quote: return try readStringToken()
      case Ascii.zero...(Ascii.zero + 9), Ascii.minus: return try readNumber()
      case 0 where position == source.count:
        return Token(kind: .endOfFile, start: position, end: position)
      case 0xEF where source.hasText("\u{FEFF}", at: position):
        position += 3
      default: throw unexpectedCharacter()
      }
    }
  }

  /// Makes an error at an offset of the source text.
  func error(_ message: String, at offset: Int) -> GraphQLSyntaxError {
    GraphQLSyntaxError(message, at: offset, in: source)
  }

  /// The character at an offset as messages show it: `"x"`, `U+00E9` or `<EOF>`.
  func characterDescription(at offset: Int) -> String {
    guard let scalar = source.scalar(at: offset) else { return TokenKind.endOfFile.rawValue }
    if scalar == "\"" { return "'\"'" }
    if (0x20...0x7E).contains(scalar.value) { return "\"\(scalar)\"" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private mutating func punctuator(_ kind: TokenKind, length: Int = 1) -> Token {
    let start = position
    position += length
    return Token(kind: kind, start: start, end: position)
  }

  private mutating func readName() -> Token {
    let start = position
    repeat { position += 1 } while Ascii.isNameContinue(source[position])
    return Token(kind: .name, start: start, end: position)
  }

  private mutating func skipComment() {
    repeat {
      position += 1
    } while position < source.count && source[position] != Ascii.lineFeed
      && source[position] != Ascii.carriageReturn
  }

  private func unexpectedCharacter() -> GraphQLSyntaxError {
    let message =
      source[position] == Ascii.apostrophe
      ? "Unexpected single quote character ('), did you mean to use a double quote (\")?"
      : "Unexpected character: \(characterDescription(at: position))."
    return error(message, at: position)
  }
}
