/// A `content-type` (RFC 9110, section 8.3.1): a type, and parameters that are read leniently.
struct MediaType: Hashable, Sendable {
  /// Type and subtype in lower case, such as `multipart/mixed`.
  let essence: String
  private let parameters: [String: String]

  /// Reads a header field. Never fails: what makes no sense is left out.
  init(_ field: String) {
    var rest = Substring(field)
    let end = rest.firstIndex { $0 == ";" || $0 == "," } ?? rest.endIndex
    essence = rest[..<end].trimmed.lowercased()
    rest = rest[end...]
    var parameters: [String: String] = [:]
    while rest.first == ";" {
      rest.removeFirst()
      let equals = rest.firstIndex { "=;,".contains($0) } ?? rest.endIndex
      let name = rest[..<equals].trimmed.lowercased()
      rest = rest[equals...]
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      let value = Self.value(&rest)
      if parameters[name] == nil { parameters[name] = value }
    }
    self.parameters = parameters
  }

  /// The value of a parameter, without its quotes.
  subscript(parameter: String) -> String? { parameters[parameter] }

  /// A quoted string, or whatever comes before the next `;` or `,`: more than a token, since
  /// boundaries are often sent unquoted though they need quotes.
  private static func value(_ rest: inout Substring) -> String {
    rest = rest.drop { $0 == " " || $0 == "\t" }
    guard rest.first == "\"" else {
      let end = rest.firstIndex { $0 == ";" || $0 == "," } ?? rest.endIndex
      defer { rest = rest[end...] }
      return String(rest[..<end].trimmed)
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

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
