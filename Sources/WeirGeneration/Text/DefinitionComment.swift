import GraphQLLanguage
import GraphQLValidation

extension SourceFile {
  /// The documentation of an operation or a fragment: its description, otherwise the lines of the comment
  /// directly above it. Comments for tools, such as `# weir:ignore`, and lines without a word do not count.
  func documentation(_ description: StringValue?, at location: SourceLocation) -> String? {
    if let description { return description.value }
    guard let offset = location.utf8Offset else { return nil }
    var rest = text.utf8.prefix(offset)
    /// Takes the last line, without the spaces around it.
    func takeLine() -> Substring {
      let start = rest.lastIndex { $0 == UInt8(ascii: "\n") }
      var line = Substring(start.map { rest[rest.index(after: $0)...] } ?? rest)
      rest = rest[..<(start ?? rest.startIndex)]
      while line.last?.isWhitespace == true { line.removeLast() }
      return line.drop { $0.isWhitespace }
    }
    var lines: [Substring] = []
    // Anything before the definition in its own line belongs to another one.
    guard takeLine().isEmpty else { return nil }
    while true {
      let line = takeLine()
      guard line.first == "#" else { break }
      let words = line.drop { $0 == "#" }.drop { $0.isWhitespace }
      guard words.contains(where: \.isLetter), LineTable.ignoreComment(words) == nil,
        !words.hasPrefix("import \"")
      else { continue }
      lines.append(words)
    }
    return lines.isEmpty ? nil : lines.reversed().joined(separator: "\n")
  }
}
