/// An escape sequence of a string: the scalar that it denotes, and its length in bytes.
struct EscapeSequence {
  var scalar: Unicode.Scalar
  var length: Int

  private init?(_ code: UInt32, length: Int) {
    guard let scalar = Unicode.Scalar(code) else { return nil }
    self.scalar = scalar
    self.length = length
  }

  /// Reads the escape sequence whose backslash is at `offset`; `nil` if it is invalid.
  init?(in source: SourceText, at offset: Int) {
    switch source.byte(at: offset + 1) {
    case UInt8(ascii: "\""): self.init(0x22, length: 2)
    case UInt8(ascii: "\\"): self.init(0x5C, length: 2)
    case UInt8(ascii: "/"): self.init(0x2F, length: 2)
    case UInt8(ascii: "b"): self.init(0x08, length: 2)
    case UInt8(ascii: "f"): self.init(0x0C, length: 2)
    case UInt8(ascii: "n"): self.init(0x0A, length: 2)
    case UInt8(ascii: "r"): self.init(0x0D, length: 2)
    case UInt8(ascii: "t"): self.init(0x09, length: 2)
    case UInt8(ascii: "u"):
      if source.byte(at: offset + 2) == Ascii.leftBrace {
        self.init(variableWidthIn: source, at: offset)
      } else {
        self.init(fixedWidthIn: source, at: offset)
      }
    default: return nil
    }
  }

  /// `\u{1F600}`: one to eight hexadecimal digits.
  private init?(variableWidthIn source: SourceText, at offset: Int) {
    var code: UInt32 = 0
    for digits in 0...Self.maximumDigits {
      let byte = source.byte(at: offset + 3 + digits)
      if byte == Ascii.rightBrace {
        guard digits > 0 else { return nil }
        self.init(code, length: digits + 4)
        return
      }
      guard let digit = Ascii.hexadecimalValue(byte) else { return nil }
      // Eight digits fill 32 bits. A ninth one overflows, but then the loop ends without a result.
      code = code << 4 | digit
    }
    return nil
  }

  private static let maximumDigits = 8

  /// `\u00E9`, or the two halves of a surrogate pair: `\uD83D\uDE00`.
  private init?(fixedWidthIn source: SourceText, at offset: Int) {
    guard let code = Self.fourDigits(in: source, at: offset + 2) else { return nil }
    if let sequence = Self(code, length: 6) {
      self = sequence
      return
    }
    guard code <= 0xDBFF, source.hasText("\\u", at: offset + 6),
      let trail = Self.fourDigits(in: source, at: offset + 8), (0xDC00...0xDFFF).contains(trail)
    else { return nil }
    self.init(0x10000 + (code - 0xD800) << 10 + (trail - 0xDC00), length: 12)
  }

  private static func fourDigits(in source: SourceText, at offset: Int) -> UInt32? {
    var code: UInt32 = 0
    for position in offset..<offset + 4 {
      guard let digit = Ascii.hexadecimalValue(source.byte(at: position)) else { return nil }
      code = code << 4 | digit
    }
    return code
  }

  /// The part of an invalid sequence that a message shows; the same part as in graphql-js.
  static func invalidExcerpt(in source: SourceText, at offset: Int) -> String {
    var length = 2
    if source.byte(at: offset + 1) == UInt8(ascii: "u") {
      length = 6
      if source.byte(at: offset + 2) == Ascii.leftBrace {
        length = 3
        while length < 4 + maximumDigits, offset + length < source.count {
          length += 1
          if Ascii.hexadecimalValue(source.byte(at: offset + length - 1)) == nil { break }
        }
      }
    }
    return source.prefix(utf16Width: length, at: offset)
  }
}
