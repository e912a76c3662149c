/// A value of a JSON text with its place, so that a message can point to it.
struct LocatedJSON {
  enum Content {
    case null
    case bool(Bool)
    case number
    case string(String)
    case array([LocatedJSON])
    /// The members in the order of the text.
    case object([(key: String, keyOffset: Int, value: LocatedJSON)])
  }

  let content: Content
  /// The number of UTF-8 bytes before the value.
  let offset: Int
}

/// Why a text is not JSON.
struct JSONSyntaxError: Error {
  let message: String
  let offset: Int
}

extension LocatedJSON {
  /// Parses a JSON text.
  init(parsing text: String) throws(JSONSyntaxError) {
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
    guard next(byte) else { throw error("Expected \"\(byte)\".") }
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

  private mutating func word() throws(JSONSyntaxError) -> LocatedJSON.Content {
    let start = position
    while position < bytes.count, !Array(" \n\r\t,]}:".utf8).contains(bytes[position]) {
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
    let simple: [UInt8: UInt8] = [
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
      UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "n"): 0x0a, UInt8(ascii: "t"): 0x09,
      UInt8(ascii: "r"): 0x0d, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c,
    ]
    guard position + 1 < bytes.count, let byte = simple[bytes[position + 1]] else {
      throw error("This escape sequence is not supported here.")
    }
    position += 2
    return [byte]
  }
}
