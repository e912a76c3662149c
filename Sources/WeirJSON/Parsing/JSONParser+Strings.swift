extension JSONParser {
  /// Moves behind the closing quote of a string, and returns whether the string has escapes.
  ///
  /// Inspects eight bytes at a time: the expression sets the highest bit of each byte that is a
  /// quote, a backslash, a control character, or not ASCII. With its second bit flipped, a quote is
  /// 0x20, control characters are below that, and all others are above. A carry disturbs only bits
  /// above the first one that is set correctly, and only the first one counts.
  @inline(__always)
  mutating func skipString() throws(JSONError) -> Bool {
    var isIrregular = false
    while true {
      while at + 8 <= end {
        let word = load(at)
        let ends = (word ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
        let escapes = (word ^ 0x5c5c_5c5c_5c5c_5c5c) &- 0x0101_0101_0101_0101
        let found = (ends | escapes | word) & 0x8080_8080_8080_8080
        if found != 0 {
          at += found.trailingZeroBitCount >> 3
          break
        }
        at += 8
      }
      guard at < end else { throw JSONError(.unexpectedEnd, offset: end) }
      if text[at] == UInt8(ascii: "\"") {
        at += 1
        return isIrregular
      }
      try special(&isIrregular)
    }
  }

  /// Loads eight bytes, the first one lowest.
  ///
  /// Proof: each caller checks that `index + 8` is at most `end`.
  func load(_ index: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Moves over one byte, escape, or run of non-ASCII characters.
  @inline(never)
  private mutating func special(_ isIrregular: inout Bool) throws(JSONError) {
    switch text[at] {
    case UInt8(ascii: "\\"):
      isIrregular = true
      try escape()
    case 0x80...:
      while at < end, text[at] >= 0x80 { try multibyte() }
    case ..<0x20:
      throw JSONError(.controlCharacter, offset: at)
    default:
      at += 1
    }
  }

  private mutating func escape() throws(JSONError) {
    let start = at
    at += 1
    guard at < end else { throw JSONError(.unexpectedEnd, offset: end) }
    let letter = text[at]
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      // The halves of a surrogate pair are two escapes; `JSONEscape` joins them.
      try hexadecimal()
    default:
      throw JSONError(.invalidEscape, offset: start)
    }
  }

  private mutating func hexadecimal() throws(JSONError) {
    for _ in 0..<4 {
      guard at < end else { throw JSONError(.unexpectedEnd, offset: end) }
      guard JSONEscape.digit(text[at]) != nil else { throw JSONError(.invalidEscape, offset: at) }
      at += 1
    }
  }

  /// Moves over one well-formed sequence of two to four bytes (Unicode 16.0, table 3-7).
  private mutating func multibyte() throws(JSONError) {
    let lead = text[at]
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch lead {
      case 0xc2...0xdf: (2, 0x80...0xbf)
      case 0xe0: (3, 0xa0...0xbf)
      case 0xed: (3, 0x80...0x9f)
      case 0xe1...0xef: (3, 0x80...0xbf)
      case 0xf0: (4, 0x90...0xbf)
      case 0xf1...0xf3: (4, 0x80...0xbf)
      case 0xf4: (4, 0x80...0x8f)
      default: (0, 0x80...0xbf)
      }
    guard length > 0, at + length <= end, second.contains(text[at + 1]) else {
      throw JSONError(.invalidUTF8, offset: at)
    }
    for index in 2..<max(2, length) where text[at + index] & 0xc0 != 0x80 {
      throw JSONError(.invalidUTF8, offset: at)
    }
    at += length
  }
}
