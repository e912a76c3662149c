package import Weir

/// The text of an entity's key after its type: an id as it is, or several as a JSON array.
package enum EntityKeyText {
  /// One part of a key. A number and a string with the same spelling are the same; nil for values
  /// that cannot be part of a key.
  package static func component(_ cell: JSONCell, _ tape: JSONTape) -> [UInt8]? {
    switch cell.kind {
    case .number: return Array(tape.text(cell))
    case .string:
      let text = Array(tape.string(cell).utf8)
      return text.isEmpty ? nil : text
    case .true: return Array("true".utf8)
    case .false: return Array("false".utf8)
    case .null, .array, .object: return nil
    }
  }

  /// Joins the parts of a key; nil if one is missing.
  package static func make(_ components: [[UInt8]?]) -> [UInt8]? {
    let present = components.compactMap { $0 }
    guard present.count == components.count, let first = present.first else { return nil }
    if present.count == 1 { return first }
    let strings = present.map { CanonicalJSON.string(String(decoding: $0, as: UTF8.self)) }
    return [UInt8(ascii: "[")] + strings.joined(separator: [UInt8(ascii: ",")])
      + [UInt8(ascii: "]")]
  }
}
