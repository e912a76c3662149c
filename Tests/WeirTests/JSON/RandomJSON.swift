import TestSupport
import Weir

/// Makes random values, and random texts for them.
struct RandomJSON {
  var generator: SeededRandom

  init(seed: UInt64) { generator = SeededRandom(seed: seed) }

  mutating func value(depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0..<(depth > 5 ? 6 : 9), using: &generator) {
    case 0: .null
    case 1: .bool(Bool.random(using: &generator))
    case 2:
      .int(
        Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0...63, using: &generator))
    case 3: .double(double())
    case 4, 5: .string(string())
    case 6:
      .array((0..<Int.random(in: 0...5, using: &generator)).map { _ in value(depth: depth + 1) })
    case 7: .object(object(depth: depth))
    default: list(depth: depth)
    }
  }

  /// Objects that mostly have the same keys, as in a response.
  private mutating func list(depth: Int) -> JSONValue {
    let sample = object(depth: depth)
    return .array(
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        var copy = sample
        if Bool.random(using: &generator) { copy[string()] = value(depth: depth + 1) }
        if Int.random(in: 0...3, using: &generator) == 0,
          let key = copy.keys.randomElement(using: &generator)
        {
          copy[key] = Bool.random(using: &generator) ? nil : value(depth: depth + 1)
        }
        return .object(copy)
      })
  }

  private mutating func object(depth: Int) -> JSONObject {
    var object = JSONObject()
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      object[string()] = value(depth: depth + 1)
    }
    return object
  }

  private mutating func double() -> Double {
    let exponent = Int.random(in: -30...30, using: &generator)
    var value = Double(Int64(truncatingIfNeeded: generator.next()) >> 12)
    for _ in 0..<abs(exponent) { value = exponent < 0 ? value / 10 : value * 10 }
    return value + 0.5
  }

  private mutating func string() -> String {
    let alphabet = Array("aabcdeidname_\"\\/\n\u{1}é日👍🏽\u{7f} ")
    return String(
      (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? "x"
      })
  }

  /// Writes the value with random white space and with escapes that are not needed.
  mutating func text(of value: JSONValue) -> String {
    switch value {
    case .array(let elements):
      return "[" + space()
        + elements.map { text(of: $0) + space() }.joined(separator: "," + space()) + "]"
    case .object(let object):
      let members = object.map { key, value in
        text(of: .string(key)) + space() + ":" + space() + text(of: value) + space()
      }
      return "{" + space() + members.joined(separator: "," + space()) + "}"
    case .string(let string):
      return "\"" + string.unicodeScalars.map { escaped($0) }.joined() + "\""
    default:
      return value.description
    }
  }

  private mutating func space() -> String {
    Int.random(in: 0...5, using: &generator) > 0
      ? "" : [" ", "\n", "\t\r "].randomElement(using: &generator) ?? ""
  }

  private mutating func escaped(_ scalar: Unicode.Scalar) -> String {
    let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
    if !mustEscape, Int.random(in: 0...9, using: &generator) > 0 { return String(scalar) }
    return String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
