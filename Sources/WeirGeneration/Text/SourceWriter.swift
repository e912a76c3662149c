/// Writes Swift source text.
struct SourceWriter {
  private(set) var text = ""
  private var depth = 0

  private static let width = 100

  /// Writes a line. What follows a line break in it is indented by one more level.
  mutating func line(_ content: String = "") {
    guard content.utf8.contains(UInt8(ascii: "\n")) else {
      if !content.isEmpty { indent(depth) }
      text += content
      text += "\n"
      return
    }
    var indentation = depth
    for part in content.split(separator: "\n", omittingEmptySubsequences: false) {
      if !part.isEmpty {
        indent(indentation)
        text += part
      }
      text += "\n"
      indentation = depth + 1
    }
  }

  private mutating func indent(_ depth: Int) {
    for _ in 0..<depth { text += "  " }
  }

  /// Writes lines in braces.
  mutating func block(_ header: String, _ content: (inout SourceWriter) -> Void) {
    line("\(header) {")
    indented(content)
    line("}")
  }

  /// Writes a statement for each property that an initializer sets.
  mutating func assignments(_ properties: [String]) {
    indented { output in
      for property in properties { output.line("self.\(property) = \(property)") }
    }
  }

  /// Writes lines one level deeper.
  mutating func indented(_ content: (inout SourceWriter) -> Void) {
    depth += 1
    content(&self)
    depth -= 1
  }

  /// Writes a list in one line, or with one line for each item if that is too long.
  mutating func list(_ open: String, _ items: [String], _ close: String) {
    let single = open + items.joined(separator: ", ") + close
    guard single.utf8.contains(UInt8(ascii: "\n")) || 2 * depth + single.utf8.count > Self.width,
      items.count > 1
    else { return line(single) }
    line(open)
    depth += 1
    for (position, item) in items.enumerated() {
      line(position + 1 < items.count ? "\(item)," : item)
    }
    depth -= 1
    line(close.hasPrefix(" ") ? String(close.dropFirst()) : close)
  }

  /// Writes a documentation comment. An empty text is none: some servers have one for each element.
  mutating func comment(_ text: String?) {
    guard let text, !text.isEmpty else { return }
    if text.isPrintableASCII { return line("/// \(text)") }
    // All kinds of line breaks: what follows one must not become code. The compiler warns about zeros.
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline || $0 == "\0" }
    for part in lines {
      line(part.isEmpty ? "///" : "/// \(part)")
    }
  }
}

extension String {
  fileprivate var isPrintableASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

  /// The text as a literal of Swift.
  var swiftLiteral: String {
    if isPrintableASCII, !utf8.contains(UInt8(ascii: "\"")), !utf8.contains(UInt8(ascii: "\\")) {
      return "\"\(self)\""
    }
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
