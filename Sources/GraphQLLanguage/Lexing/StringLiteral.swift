/// Decodes string tokens.
enum StringLiteral {
  /// The value of a token of kind `.string` or `.blockString`.
  static func value(of token: Token, in source: SourceText) -> String {
    if token.kind == .blockString { return BlockString.value(of: token, in: source) }
    let content = token.start + 1..<token.end - 1
    if !source.slice(content).contains(Ascii.backslash) { return source.string(content) }
    return unescaped(content, in: source)
  }

  private static func unescaped(_ content: Range<Int>, in source: SourceText) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count)
    var position = content.lowerBound
    while position < content.upperBound {
      // The lexer has rejected invalid escape sequences.
      if source[position] == Ascii.backslash,
        let escape = EscapeSequence(in: source, at: position)
      {
        bytes.append(contentsOf: UTF8.encode(escape.scalar) ?? .init())
        position += escape.length
      } else {
        bytes.append(source[position])
        position += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
