/// Finds tokens of a parsed text again.
///
/// Few nodes of a syntax tree carry a location. A tool that reports an error counts the tokens
/// between the nearest location and the node, and asks here for the offset.
package struct TokenFinder {
  private let source: SourceText

  package init(_ text: String) {
    source = SourceText(text)
  }

  /// Returns the bytes of a token.
  ///
  /// - Parameters:
  ///   - offset: The offset of a token.
  ///   - count: How many tokens to skip, beginning with that one.
  ///   - name: If set, the next name with this text is meant.
  /// - Returns: nil at the end of the text, or if the offset is not within the text.
  package func token(from offset: Int, skipping count: Int, name: String? = nil) -> Range<Int>? {
    guard offset < source.count else { return nil }
    var lexer = Lexer(source)
    lexer.position = offset
    var remaining = count
    while let token = try? lexer.next(), token.kind != .endOfFile {
      defer { remaining -= 1 }
      guard remaining <= 0 else { continue }
      guard let name else { return token.range }
      if token.kind == .name, source.string(token.range) == name { return token.range }
    }
    return nil
  }
}
