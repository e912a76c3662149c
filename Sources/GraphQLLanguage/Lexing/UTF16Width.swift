/// Measures text in UTF-16 code units, which GraphQL tools use for columns.
enum UTF16Width {
  /// The width of valid UTF-8: two for a scalar outside the basic plane, one for any other.
  static func of(_ utf8: some Sequence<UInt8>) -> Int {
    utf8.reduce(0) { width, byte in
      // A byte 10xxxxxx continues a scalar; 11110xxx begins one that needs a surrogate pair.
      width + (byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1)
    }
  }
}
