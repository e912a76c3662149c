package import GraphQLLanguage
import Weir

/// The variables of one execution.
package struct VariableValues {
  /// Canonical JSON: an object without white space.
  private let text: CompactBytes
  private let members: [Member]
  private let defaults: [String: Value]

  /// Where a variable is in the text.
  private struct Member {
    let name: Range<Int>
    let value: Range<Int>
  }

  init(_ text: CompactBytes, defaults: [String: Value]) {
    self.text = text
    members = text.withBytes(Self.members)
    self.defaults = defaults
  }

  func hasText(_ other: CompactBytes) -> Bool { text == other }

  /// Whether the variables take so little memory that they may be kept without a reason.
  var isShort: Bool { text.count <= 256 }

  /// Whether a variable makes `@include` or `@skip` true.
  func isTrue(_ name: String) -> Bool {
    guard let range = range(of: name) else { return defaults[name] == .boolean(true) }
    return text.withBytes { $0[range].elementsEqual("true".utf8) }
  }

  /// Finds the members of an object, without looking into their values.
  private static func members(of text: UnsafeBufferPointer<UInt8>) -> [Member] {
    var members: [Member] = []
    var (start, colon, depth) = (1, 1, 0)
    var at = 1
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "\""):
        at += 1
        while at < text.count, text[at] != UInt8(ascii: "\"") {
          at += text[at] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: ":") where depth == 0:
        colon = at
      case UInt8(ascii: ","), UInt8(ascii: "}"):
        guard depth == 0 else {
          if text[at] == UInt8(ascii: "}") { depth -= 1 }
          break
        }
        // The name of a variable contains no character that is escaped.
        if colon > start + 1 {
          members.append(Member(name: start + 1..<colon - 1, value: colon + 1..<at))
        }
        start = at + 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
      case UInt8(ascii: "]"):
        depth -= 1
      default:
        break
      }
      at += 1
    }
    return members
  }

  private func range(of name: String) -> Range<Int>? {
    text.withBytes { text in
      members.first { text[$0.name].elementsEqual(name.utf8) }?.value
    }
  }

  /// A value as canonical JSON, with variables resolved; nil for an absent variable.
  package func resolved(_ value: Value) -> [UInt8]? {
    var text: [UInt8] = []
    return write(value, to: &text) ? text : nil
  }

  /// Appends a value as canonical JSON, with variables resolved.
  ///
  /// - Returns: false, and appends nothing, for an absent variable.
  func write(_ value: Value, to text: inout [UInt8]) -> Bool {
    switch value {
    case .variable(let name):
      guard let range = range(of: name) else {
        return defaults[name].map { write($0, to: &text) } ?? false
      }
      // A part of canonical JSON is canonical.
      self.text.withBytes { text += $0[range] }
    case .int(let number): text += number.utf8
    case .float(let number): text += CanonicalJSON.float(number)
    case .string(let string): text += CanonicalJSON.string(string.value)
    case .boolean(let flag): text += (flag ? "true" : "false").utf8
    case .null: text += "null".utf8
    case .enum(let name): text += CanonicalJSON.string(name)
    case .list(let elements): write(elements, to: &text)
    case .object(let fields): write(fields, to: &text)
    }
    return true
  }

  private func write(_ elements: [Value], to text: inout [UInt8]) {
    text.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if !write(element, to: &text) { text += "null".utf8 }
    }
    text.append(UInt8(ascii: "]"))
  }

  private func write(_ fields: [ObjectField], to text: inout [UInt8]) {
    let start = text.count
    for field in fields.sorted(by: { $0.name < $1.name }) {
      let end = text.count
      text.append(end == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text += CanonicalJSON.string(field.name)
      text.append(UInt8(ascii: ":"))
      if !write(field.value, to: &text) { text.removeSubrange(end...) }
    }
    if text.count == start { text.append(UInt8(ascii: "{")) }
    text.append(UInt8(ascii: "}"))
  }
}
