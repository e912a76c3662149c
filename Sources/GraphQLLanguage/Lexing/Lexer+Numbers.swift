extension Lexer {
  /// Reads `IntValue` or `FloatValue` (specification, sections 2.10.1 and 2.10.2).
  mutating func readNumber() throws(GraphQLSyntaxError) -> Token {
    let start = position
    var kind = TokenKind.int
    if source[position] == Ascii.minus { position += 1 }
    try readIntegerPart()
    if source[position] == Ascii.dot {
      kind = .float
      position += 1
      try readDigits()
    }
    if source[position] | 0x20 == UInt8(ascii: "e") {
      kind = .float
      position += 1
      if source[position] == Ascii.plus || source[position] == Ascii.minus { position += 1 }
      try readDigits()
    }
    if source[position] == Ascii.dot || Ascii.isNameStart(source[position]) {
      throw expectedDigit()
    }
    return Token(kind: kind, start: start, end: position)
  }

  private mutating func readIntegerPart() throws(GraphQLSyntaxError) {
    guard source[position] == Ascii.zero else { return try readDigits() }
    position += 1
    if Ascii.isDigit(source[position]) {
      let found = characterDescription(at: position)
      throw error("Invalid number, unexpected digit after 0: \(found).", at: position)
    }
  }

  private mutating func readDigits() throws(GraphQLSyntaxError) {
    guard Ascii.isDigit(source[position]) else { throw expectedDigit() }
    repeat { position += 1 } while Ascii.isDigit(source[position])
  }

  private func expectedDigit() -> GraphQLSyntaxError {
    let found = characterDescription(at: position)
    return error("Invalid number, expected digit but got: \(found).", at: position)
  }
}
