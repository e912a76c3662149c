/// Finds tokens of a parsed text again.
///
/// Few nodes of a syntax tree carry a location. A tool that reports an error counts the tokens
/// between the nearest location and the node, and asks here for the offset. The tokens behind the
/// last location are kept, so asking for many of them takes time in proportion to the text.
package struct TokenFinder {
  private let source: SourceText
  private var lexer: Lexer
  private var start = 0
  private var tokens: [Range<Int>] = []

  package init(_ text: String) {
    source = SourceText(text)
    lexer = Lexer(source)
  }

  /// Returns the bytes of a token.
  ///
  /// - Parameters:
  ///   - offset: The offset of a token.
  ///   - count: How many tokens to skip, beginning with that one.
  ///   - name: If set, the next name with this text is meant.
  /// - Returns: nil at the end of the text, or if the offset is not within the text.
  package mutating func token(
    from offset: Int, skipping count: Int, name: String? = nil
  ) -> Range<Int>? {
    guard offset < source.count else { return nil }
    if offset != start || tokens.isEmpty {
      start = offset
      tokens = []
      lexer.position = offset
    }
    var position = count
    while let token = token(at: position) {
      if name == nil || source.string(token) == name { return token }
      position += 1
    }
    return nil
  }

  private mutating func token(at position: Int) -> Range<Int>? {
    while tokens.count <= position {
      guard let token = try? lexer.next(), token.kind != .endOfFile else { return nil }
      tokens.append(token.range)
    }
    return tokens[position]
  }
}
