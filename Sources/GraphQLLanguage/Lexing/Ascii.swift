/// The ASCII characters that have a meaning in GraphQL.
enum Ascii {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let bang: UInt8 = 0x21
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let dollar: UInt8 = 0x24
  static let ampersand: UInt8 = 0x26
  static let apostrophe: UInt8 = 0x27
  static let leftParenthesis: UInt8 = 0x28
  static let rightParenthesis: UInt8 = 0x29
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let dot: UInt8 = 0x2E
  static let zero: UInt8 = 0x30
  static let colon: UInt8 = 0x3A
  static let equals: UInt8 = 0x3D
  static let at: UInt8 = 0x40
  static let leftBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let rightBracket: UInt8 = 0x5D
  static let leftBrace: UInt8 = 0x7B
  static let bar: UInt8 = 0x7C
  static let rightBrace: UInt8 = 0x7D

  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- zero < 10
  }

  /// Whether a name may start with the byte: a letter or an underscore.
  static func isNameStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte == 0x5F
  }

  /// Whether a name may contain the byte after its start: a letter, an underscore or a digit.
  static func isNameContinue(_ byte: UInt8) -> Bool {
    isNameStart(byte) || isDigit(byte)
  }

  /// The value of a hexadecimal digit in upper or lower case; `nil` for any other byte.
  static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte - zero) }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) + 10 : nil
  }
}
