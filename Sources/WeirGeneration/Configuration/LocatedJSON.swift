/// A value of a JSON text with its place, so that a message can point to it.
package struct LocatedJSON {
  package enum Content {
    case null
    case bool(Bool)
    case number
    case string(String)
    case array([LocatedJSON])
    /// The members in the order of the text.
    case object([(key: String, keyOffset: Int, value: LocatedJSON)])
  }

  package let content: Content
  /// The number of UTF-8 bytes before the value.
  package let offset: Int
}

/// Why a text is not JSON.
package struct JSONSyntaxError: Error {
  package let message: String
  package let offset: Int
}

extension LocatedJSON {
  /// The first member of an object with a name; nil without one, or for another kind of value.
  package subscript(key: String) -> LocatedJSON? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The elements of a list; nil for another kind of value.
  package var elements: [LocatedJSON]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The text of a string; nil for another kind of value.
  package var string: String? {
    if case .string(let string) = content { string } else { nil }
  }

  /// The value of a Boolean; nil for another kind of value.
  var bool: Bool? {
    if case .bool(let bool) = content { bool } else { nil }
  }

  var isNull: Bool {
    if case .null = content { true } else { false }
  }

  /// Parses a JSON text.
  package init(parsing text: String) throws(JSONSyntaxError) {
    var parser = LocatedJSONParser(bytes: Array(text.utf8))
    self = try parser.parse()
  }
}

/// A parser for small files. It accepts what RFC 8259 does.
private struct LocatedJSONParser {
  let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() throws(JSONSyntaxError) -> LocatedJSON {
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw error("Expected the end of the file.") }
    return value
  }

  private func error(_ message: String) -> JSONSyntaxError {
    JSONSyntaxError(message: message, offset: position)
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[position]) {
      position += 1
    }
  }

  private mutating func next(_ byte: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ byte: Unicode.Scalar) throws(JSONSyntaxError) {
    let name = byte == "\"" ? "a name in quotes" : "\"\(byte)\""
    guard next(byte) else { throw error("Expected \(name).") }
  }

  private mutating func value() throws(JSONSyntaxError) -> LocatedJSON {
    skipSpace()
    let start = position
    depth += 1
    defer { depth -= 1 }
    guard depth <= 100 else { throw error("The values nest too deeply.") }
    if next("{") { return LocatedJSON(content: .object(try members()), offset: start) }
    if next("[") { return LocatedJSON(content: .array(try elements()), offset: start) }
    guard position < bytes.count else { throw error("Expected a value.") }
    if bytes[position] == UInt8(ascii: "\"") {
      return LocatedJSON(content: .string(try string()), offset: start)
    }
    return LocatedJSON(content: try word(), offset: start)
  }

  private mutating func members() throws(JSONSyntaxError) -> [(String, Int, LocatedJSON)] {
    var members: [(String, Int, LocatedJSON)] = []
    if next("}") { return members }
    repeat {
      skipSpace()
      let offset = position
      let key = try string()
      try expect(":")
      members.append((key, offset, try value()))
    } while next(",")
    try expect("}")
    return members
  }

  private mutating func elements() throws(JSONSyntaxError) -> [LocatedJSON] {
    var elements: [LocatedJSON] = []
    if next("]") { return elements }
    repeat { elements.append(try value()) } while next(",")
    try expect("]")
    return elements
  }

  private static let wordEnds = Array(" \n\r\t,]}:".utf8)

  private mutating func word() throws(JSONSyntaxError) -> LocatedJSON.Content {
    let start = position
    while position < bytes.count, !Self.wordEnds.contains(bytes[position]) {
      position += 1
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      if Double(text) != nil { return .number }
      position = start
      throw error("Expected a value.")
    }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    try expect("\"")
    var content: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      guard bytes[position] >= 0x20 else { throw error("A string ends on its line.") }
      if bytes[position] == UInt8(ascii: "\\") {
        content += try escape()
      } else {
        content.append(bytes[position])
        position += 1
      }
    }
    try expect("\"")
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
    let start = position
    let byte = position + 1 < bytes.count ? bytes[position + 1] : 0
    position += 2
    if let simple = Self.escapes[byte] { return [simple] }
    guard byte == UInt8(ascii: "u"), let unit = hexadecimal() else {
      throw JSONSyntaxError(message: "This is not an escape sequence of JSON.", offset: start)
    }
    var units = [unit]
    // The second half of a surrogate pair, if there is one. A half alone becomes U+FFFD.
    if UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [0x5C, 0x75]) {
      position += 2
      guard let next = hexadecimal() else {
        throw JSONSyntaxError(message: "This is not an escape sequence of JSON.", offset: start)
      }
      units.append(next)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "n"): 0x0a, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "r"): 0x0d, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c,
  ]

  /// Reads four hexadecimal digits.
  private mutating func hexadecimal() -> UInt16? {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    position += 4
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
