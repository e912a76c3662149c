/// The UTF-8 bytes of a source text, followed by a zero byte.
///
/// Thanks to the zero, the lexer reads the next byte without checking for the end.
struct SourceText: Sendable {
  private let bytes: [UInt8]
  /// The number of bytes, not counting the zero at the end.
  let count: Int

  init(_ text: String) {
    var text = text
    bytes = text.withUTF8 { utf8 in
      Array(unsafeUninitializedCapacity: utf8.count + 1) { buffer, initializedCount in
        // Proof: the buffer has room for `utf8.count + 1` bytes. Every one is initialized, the
        // first `utf8.count` from the text and the last with zero.
        _ = buffer.initialize(fromContentsOf: utf8)
        buffer.initializeElement(at: utf8.count, to: 0)
        initializedCount = utf8.count + 1
      }
    }
    count = bytes.count - 1
  }

  /// The byte at an offset from 0 through `count`.
  subscript(offset: Int) -> UInt8 {
    bytes[offset]
  }

  /// The byte at any non-negative offset; zero beyond the end.
  func byte(at offset: Int) -> UInt8 {
    offset < count ? bytes[offset] : 0
  }

  /// The bytes in a range.
  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[range]
  }

  /// The text in a range that begins and ends on character boundaries.
  func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// Whether the text at `offset` starts with `ascii`.
  func hasText(_ ascii: StaticString, at offset: Int) -> Bool {
    guard offset + ascii.utf8CodeUnitCount <= count else { return false }
    return ascii.withUTF8Buffer { $0.elementsEqual(bytes[offset..<offset + $0.count]) }
  }

  /// The Unicode scalar whose first byte is at the offset; `nil` at the end.
  func scalar(at offset: Int) -> Unicode.Scalar? {
    guard offset < count else { return nil }
    let end = min(offset + 4, count)
    return String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first
  }

  /// The 1-based line and the 1-based column, in UTF-16 code units, of an offset.
  func lineAndColumn(at offset: Int) -> (line: Int, column: Int) {
    var line = 1
    var lineStart = 0
    for position in 0..<min(offset, count) {
      let byte = bytes[position]
      let isReturnOfPair = byte == Ascii.carriageReturn && bytes[position + 1] == Ascii.lineFeed
      if byte == Ascii.lineFeed || byte == Ascii.carriageReturn && !isReturnOfPair {
        line += 1
        lineStart = position + 1
      }
    }
    return (line, UTF16Width.of(bytes[lineStart..<offset]) + 1)
  }
}

extension SourceText {
  /// The characters from `offset` on that begin within the first `utf16Width` code units.
  func prefix(utf16Width: Int, at offset: Int) -> String {
    var end = offset
    var width = 0
    while end < count, width < utf16Width, let scalar = scalar(at: end) {
      width += scalar.utf16.count
      end += scalar.utf8.count
    }
    return string(offset..<end)
  }
}
