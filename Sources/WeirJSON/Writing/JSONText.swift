/// A buffer that JSON text is written to.
protocol JSONSink {
  mutating func append(_ byte: UInt8)
  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>)
}

extension [UInt8]: JSONSink {}
extension Scratch<UInt8>: JSONSink {}

extension [UInt8] {
  /// Makes a JSON string of a text.
  package init(jsonString text: String) {
    self = []
    append(jsonString: text)
  }

  /// Appends a JSON string: the text with quotes and escapes.
  package mutating func append(jsonString text: String) {
    JSONText.append(text, to: &self)
  }
}

/// Writes the parts of JSON text.
///
/// Only quotes, backslashes and control characters are escaped, as RFC 8259 requires. A `Double` is
/// written with the fewest digits that are read back as the same value, and always with a point or
/// an exponent, so that it is not read as an integer.
///
/// Proof for all buffers: a sink copies the bytes before the call returns, and parts of a buffer
/// are within its indices.
enum JSONText {
  /// Writes a string with its quotes.
  static func append(_ string: String, to output: inout some JSONSink) {
    var string = string
    string.withUTF8 { append(content: $0, to: &output) }
  }

  /// Writes a string, given as UTF-8, with its quotes.
  static func append(content: UnsafeBufferPointer<UInt8>, to output: inout some JSONSink) {
    output.append(UInt8(ascii: "\""))
    var start = 0
    for at in content.indices where needsEscape(content[at]) {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: content[start..<at]))
      appendEscape(content[at], to: &output)
      start = at + 1
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: content[start...]))
    output.append(UInt8(ascii: "\""))
  }

  static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(_ byte: UInt8, to output: inout some JSONSink) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0a: output.append(UInt8(ascii: "n"))
    case 0x0c: output.append(UInt8(ascii: "f"))
    case 0x0d: output.append(UInt8(ascii: "r"))
    case ..<0x20:
      let digits: StaticString = "0123456789abcdef"
      append(ascii: "u00", to: &output)
      output.append(digits.utf8Start[Int(byte >> 4)])
      output.append(digits.utf8Start[Int(byte & 15)])
    default: output.append(byte)
    }
  }

  /// Writes ASCII text unchanged.
  static func append(ascii text: StaticString, to output: inout some JSONSink) {
    output.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number, which must be finite.
  static func append<Number: Numeric & LosslessStringConvertible>(
    _ number: Number, to output: inout some JSONSink
  ) {
    append(plain: number.description, to: &output)
  }

  /// Writes text unchanged.
  static func append(plain text: String, to output: inout some JSONSink) {
    var text = text
    text.withUTF8 { output.append(contentsOf: $0) }
  }
}
