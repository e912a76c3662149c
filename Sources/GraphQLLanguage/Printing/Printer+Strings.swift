extension Printer {
  /// Writes a string as a quoted or as a block string.
  mutating func write(_ string: StringValue) {
    // In a tree that was built in code, no block string may be able to express the value.
    if string.isBlock, let lines = BlockString.lines(of: string.value, isMinified: isMinified) {
      word(lines: lines)
    } else {
      word(lines: [StringLiteral.quoted(string.value)])
    }
  }

  /// Writes a description, if there is one, and a line break.
  mutating func write(description: StringValue?) {
    guard let description else { return }
    write(description)
    lineBreak()
  }
}

extension StringLiteral {
  /// The string in quotes, with control characters, quotes and backslashes escaped.
  fileprivate static func quoted(_ value: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.utf8.count + 2)
    bytes.append(Ascii.quote)
    for scalar in value.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: bytes.append(contentsOf: [Ascii.backslash, UInt8(scalar.value)])
      case 0x08: bytes.append(contentsOf: "\\b".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0C: bytes.append(contentsOf: "\\f".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x00...0x1F, 0x7F...0x9F: appendCode(scalar.value, to: &bytes)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    bytes.append(Ascii.quote)
    return bytes
  }

  private static func appendCode(_ code: UInt32, to bytes: inout [UInt8]) {
    let digits = String(code, radix: 16, uppercase: true)
    bytes.append(contentsOf: (code < 0x10 ? "\\u000" : "\\u00").utf8)
    bytes.append(contentsOf: digits.utf8)
  }
}
