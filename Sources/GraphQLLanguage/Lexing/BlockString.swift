/// Decodes block strings (specification, section 2.10.4 "BlockStringValue").
enum BlockString {
  /// The value of a token of kind `.blockString`: without common indentation and without blank
  /// lines at both ends, the lines joined by line feeds.
  static func value(of token: Token, in source: SourceText) -> String {
    let lines = lines(of: token.start + 3..<token.end - 3, in: source)
    let indents = lines.map { indent(of: $0, in: source) }
    let isBlank = zip(lines, indents).map { $0.count == $1 }
    guard let first = isBlank.firstIndex(of: false), let last = isBlank.lastIndex(of: false)
    else { return "" }
    // The first line follows the quotes, so its indentation does not count.
    let common = zip(indents, isBlank).dropFirst().filter { !$1 }.map(\.0).min() ?? 0
    var bytes: [UInt8] = []
    bytes.reserveCapacity(token.end - token.start)
    for index in first...last {
      if index > first { bytes.append(Ascii.lineFeed) }
      let removed = index == 0 ? 0 : min(common, lines[index].count)
      appendUnescaped(lines[index].dropFirst(removed), of: source, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func lines(of content: Range<Int>, in source: SourceText) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = content.lowerBound
    var position = start
    while position < content.upperBound {
      let byte = source[position]
      guard byte == Ascii.lineFeed || byte == Ascii.carriageReturn else {
        position += 1
        continue
      }
      lines.append(start..<position)
      let isPair = byte == Ascii.carriageReturn && source[position + 1] == Ascii.lineFeed
      position += isPair ? 2 : 1
      start = position
    }
    lines.append(start..<content.upperBound)
    return lines
  }

  private static func indent(of line: Range<Int>, in source: SourceText) -> Int {
    source.slice(line).prefix { $0 == Ascii.space || $0 == Ascii.tab }.count
  }

  /// Appends a line in which `\"""` is replaced by `"""`.
  private static func appendUnescaped(
    _ line: Range<Int>, of source: SourceText, to bytes: inout [UInt8]
  ) {
    for position in line {
      let isEscape =
        source[position] == Ascii.backslash && source.hasText("\"\"\"", at: position + 1)
      if !isEscape { bytes.append(source[position]) }
    }
  }
}
