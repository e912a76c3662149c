/// Lengths in UTF-16 code units, in which GraphQL tools count columns.
enum UTF16Width {
  /// The width of valid UTF-8: one for each scalar, two for one outside the basic plane.
  static func of(_ utf8: some Sequence<UInt8>) -> Int {
    utf8.reduce(0) { width, byte in
      // A byte 10xxxxxx goes on with a scalar; 11110xxx begins one that takes a surrogate pair.
      width + (byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1)
    }
  }
}
