extension Lexer {
  /// Reads `StringValue` in either form (specification, section 2.10.4).
  mutating func readStringToken() throws(GraphQLSyntaxError) -> Token {
    if source.hasText("\"\"\"", at: position) { return try readBlockString() }
    return try readString()
  }

  private mutating func readString() throws(GraphQLSyntaxError) -> Token {
    let start = position
    position += 1
    while true {
      switch source[position] {
      case Ascii.quote:
        position += 1
        return Token(kind: .string, start: start, end: position)
      case Ascii.backslash:
        position += try readEscape().length
      case Ascii.lineFeed, Ascii.carriageReturn:
        throw unterminated()
      case 0 where position == source.count:
        throw unterminated()
      default:
        position += 1
      }
    }
  }

  private mutating func readBlockString() throws(GraphQLSyntaxError) -> Token {
    let start = position
    position += 3
    while position < source.count {
      if source[position] == Ascii.quote, source.hasText("\"\"\"", at: position) {
        position += 3
        return Token(kind: .blockString, start: start, end: position)
      }
      let isEscape =
        source[position] == Ascii.backslash && source.hasText("\"\"\"", at: position + 1)
      position += isEscape ? 4 : 1
    }
    throw unterminated()
  }

  private func unterminated() -> GraphQLSyntaxError {
    error("Unterminated string.", at: position)
  }

  /// Checks the escape sequence at the position, without moving on.
  private func readEscape() throws(GraphQLSyntaxError) -> EscapeSequence {
    if let escape = EscapeSequence(in: source, at: position) { return escape }
    let isUnicode = source[position + 1] == UInt8(ascii: "u")
    let kind = isUnicode ? "Unicode" : "character"
    let excerpt = EscapeSequence.invalidExcerpt(in: source, at: position)
    throw error("Invalid \(kind) escape sequence: \"\(excerpt)\".", at: position)
  }
}
