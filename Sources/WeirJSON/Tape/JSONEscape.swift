/// Decodes the escapes of strings that the parser has accepted.
enum JSONEscape {
  /// Writes a string's content, and returns its length, which never exceeds that of the text.
  ///
  /// Proof: every escape is longer than the character that it stands for, so `output`, which is as
  /// large as `text`, has enough room; half a surrogate pair has six bytes and becomes three. The parser has
  /// checked that each escape is complete.
  static func decode(
    _ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var at = 0
    var written = 0
    while at < text.count {
      guard text[at] == UInt8(ascii: "\\") else {
        output[written] = text[at]
        at += 1
        written += 1
        continue
      }
      let letter = text[at + 1]
      at += 2
      guard letter == UInt8(ascii: "u") else {
        output[written] = character(letter)
        written += 1
        continue
      }
      for byte in scalar(text, &at) {
        output[written] = byte
        written += 1
      }
    }
    return written
  }

  /// Returns whether a string has this content. Decodes no more than the beginning that they share.
  static func matches(
    _ text: UnsafeBufferPointer<UInt8>, _ content: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // No text is shorter than its content.
    guard text.count >= content.count else { return false }
    var at = 0
    var matched = 0
    while at < text.count {
      var byte = text[at]
      at += 1
      if byte == UInt8(ascii: "\\") {
        byte = text[at]
        at += 1
        if byte == UInt8(ascii: "u") {
          for byte in scalar(text, &at) {
            guard matched < content.count, content[matched] == byte else { return false }
            matched += 1
          }
          continue
        }
        byte = character(byte)
      }
      guard matched < content.count, content[matched] == byte else { return false }
      matched += 1
    }
    return matched == content.count
  }

  /// Decodes the digits of an escape with `u`, and the second escape of a surrogate pair. One half without the
  /// other becomes U+FFFD.
  private static func scalar(
    _ text: UnsafeBufferPointer<UInt8>, _ at: inout Int
  ) -> UTF8.EncodedScalar {
    var scalar = unit(text, at)
    at += 4
    if scalar & 0xfc00 == 0xd800, at + 6 <= text.count, text[at] == UInt8(ascii: "\\"),
      text[at + 1] == UInt8(ascii: "u")
    {
      let low = unit(text, at + 2)
      if low & 0xfc00 == 0xdc00 {
        scalar = 0x10000 + (scalar & 0x3ff) << 10 + (low & 0x3ff)
        at += 6
      }
    }
    return Unicode.Scalar(scalar).flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter
  }

  /// Returns the character that a one-letter escape stands for.
  static func character(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// Returns the value of a hexadecimal digit; nil for other characters.
  static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 55
    default: nil
    }
  }

  private static func unit(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 4 | (digit(text[at + $1]) ?? 0) }
  }
}
