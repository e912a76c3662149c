/// The text of a number, or of a string without its quotes, that the parser has accepted.
package struct JSONScalarText {
  let text: UnsafeBufferPointer<UInt8>
  /// As of a `JSONCell`.
  let isMarked: Bool

  @inline(__always)
  package init(text: UnsafeBufferPointer<UInt8>, isMarked: Bool) {
    self.text = text
    self.isMarked = isMarked
  }

  /// The content of a string.
  package var string: String { isMarked ? unescaped : String(utf8: text) }

  /// A string that has escapes.
  @inline(never)
  var unescaped: String {
    String(unsafeUninitializedCapacity: text.count) { JSONEscape.decode(text, into: $0) }
  }

  /// The exact value of a number that is an integer; also of `1.0` and `1e2`. Nil if it does not
  /// fit.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    isMarked
      ? double.flatMap { Integer(exactly: $0) } : JSONNumber.integer(text, as: type)
  }

  /// The value of a number, rounded to the nearest `Double`.
  @inline(__always)
  var double: Double? { JSONNumber.double(text) }
}

extension String {
  /// Bytes that are known to be UTF-8. Those that a string holds without an allocation are written
  /// straight into it, which takes two thirds of the time.
  @inline(__always)
  fileprivate init(utf8 text: UnsafeBufferPointer<UInt8>) {
    if text.count <= 15 {
      self.init(unsafeUninitializedCapacity: text.count) { $0.initialize(from: text).index }
    } else {
      self.init(decoding: text, as: UTF8.self)
    }
  }
}
