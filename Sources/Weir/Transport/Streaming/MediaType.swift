/// A `content-type` (RFC 9110, section 8.3.1): a type, and leniently parsed parameters.
struct MediaType: Hashable, Sendable {
  /// Type and subtype in lower case, such as `multipart/mixed`.
  let essence: String
  /// The rest of the field, which is parsed when a parameter is asked for.
  private let rest: Substring

  /// Parses a header field. Never fails; malformed parameters are left out.
  init(_ field: String) {
    let end = field.utf8.firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    let text = field[..<(end ?? field.endIndex)].trimmedWhitespace
    // Nearly always it is in lower case already.
    let isLower = text.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
    essence = isLower ? String(text) : text.lowercased()
    rest = field[(end ?? field.endIndex)...]
  }

  /// The first value of a parameter, without its quotes.
  subscript(parameter: String) -> String? {
    var rest = rest
    while rest.first == ";" {
      rest.removeFirst()
      let equals = rest.firstIndex { "=;,".contains($0) } ?? rest.endIndex
      let name = rest[..<equals].trimmedWhitespace.lowercased()
      rest = rest[equals...]
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      let value = Self.value(&rest)
      if name == parameter { return value }
    }
    return nil
  }

  /// Parses a quoted string, or the text before the next `;` or `,`. That is more than a token,
  /// because boundaries that need quotes are often sent without them.
  private static func value(_ rest: inout Substring) -> String {
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard rest.first == "\"" else {
      let end = rest.firstIndex { $0 == ";" || $0 == "," } ?? rest.endIndex
      defer { rest = rest[end...] }
      return String(rest[..<end].trimmedWhitespace)
    }
    rest.removeFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(character)
      }
    }
    rest = rest.drop { $0 != ";" && $0 != "," }
    return value
  }
}
