extension BlockString {
  private static let quotes = Array("\"\"\"".utf8)
  private static let escapedQuotes = Array("\\\"\"\"".utf8)
  /// The length in UTF-16 code units from which the quotes around a single line are placed on
  /// separate lines.
  private static let longLine = 70

  /// The lines, including the quotes, of a block string with the given value.
  ///
  /// - Returns: `nil` if a block string cannot express the value, because `value(of:in:)` would
  ///   remove or replace a part of it.
  static func lines(of value: String, isMinified: Bool) -> [[UInt8]]? {
    let lines = value.utf8.split(
      separator: Ascii.lineFeed, omittingEmptySubsequences: false
    ).map(Array.init)
    guard isPrintable(lines) else { return nil }
    let layout = Layout(lines, isMinified: isMinified)
    var printed = lines.map(escape)
    if layout.hasLeadingLineBreak { printed.insert([], at: 0) }
    if layout.hasTrailingLineBreak { printed.append([]) }
    printed[0] = quotes + printed[0]
    printed[printed.count - 1] += quotes
    return printed
  }

  /// The placement of the quotes, as graphql-js's `printBlockString` chooses it.
  private struct Layout {
    var hasLeadingLineBreak: Bool
    var hasTrailingLineBreak: Bool

    init(_ lines: [[UInt8]], isMinified: Bool) {
      let isSingle = lines.count == 1
      let last = lines[lines.count - 1]
      // Otherwise the indentation of the lines after the first would be taken for the block's.
      let isIndented = !isSingle && lines.dropFirst().allSatisfy { $0.isEmpty || isBlank($0[0]) }
      let endsWithTripleQuotes = escape(last).suffix(4).elementsEqual(escapedQuotes)
      // After these characters, closing quotes would not be recognized.
      let mustEndLine =
        last.last == Ascii.quote && !endsWithTripleQuotes || last.last == Ascii.backslash
      let isVertical =
        !isMinified
        && (!isSingle || UTF16Width.of(last) > longLine || mustEndLine || endsWithTripleQuotes)
      let keepsIndentation = isSingle && last.first.map(isBlank) == true
      hasLeadingLineBreak = isVertical && !keepsIndentation || isIndented
      hasTrailingLineBreak = isVertical || mustEndLine
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == Ascii.space || byte == Ascii.tab
  }

  /// Whether parsing yields the same lines again: no blank line at either end, no common
  /// indentation, no carriage return.
  private static func isPrintable(_ lines: [[UInt8]]) -> Bool {
    if lines.contains(where: { $0.contains(Ascii.carriageReturn) }) { return false }
    let isBlankLine = lines.map { $0.allSatisfy(isBlank) }
    if lines.count == 1 { return lines[0].isEmpty || !isBlankLine[0] }
    if isBlankLine[0] || isBlankLine[lines.count - 1] { return false }
    return zip(lines, isBlankLine).contains { !$1 && $0.first.map(isBlank) == false }
  }

  /// The line, with `"""` replaced by `\"""`.
  private static func escape(_ line: [UInt8]) -> [UInt8] {
    guard line.contains(Ascii.quote) else { return line }
    var escaped: [UInt8] = []
    var rest = line[...]
    while let byte = rest.first {
      if rest.starts(with: quotes) {
        escaped += escapedQuotes
        rest = rest.dropFirst(3)
      } else {
        escaped.append(byte)
        rest = rest.dropFirst()
      }
    }
    return escaped
  }
}
