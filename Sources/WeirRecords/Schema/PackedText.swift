import Weir

/// A text of at most 14 bytes, which is compared as words.
struct PackedText: Equatable {
  static let maximumLength = 14

  private let low: UInt64
  private let high: UInt64
  private let length: Int

  init(_ text: UnsafeBufferPointer<UInt8>) {
    (low, high) = Self.words(of: text)
    length = text.count
  }

  /// A text of a document, without escapes.
  @inline(__always)
  init(_ text: JSONCell, _ tape: JSONTape) {
    (low, high) = Self.words(of: text, tape)
    length = text.length
  }

  /// Packs up to 14 bytes into two words. The upper 16 bits of the second word are zero.
  @inline(__always)
  static func words(of text: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
    let count = text.count
    guard let base = UnsafeRawPointer(text.baseAddress), count > 0 else { return (0, 0) }
    // Proof: every load lies between the first and the last of the `count` bytes.
    if count >= 8 {
      let first = base.loadUnaligned(as: UInt64.self)
      if count == 8 { return (first, 0) }
      let last = base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      return (first, last >> UInt64((16 - count) * 8))
    }
    if count >= 4 {
      let first = UInt64(base.loadUnaligned(as: UInt32.self))
      let last = UInt64(base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      return (first | last << UInt64((count - 4) * 8), 0)
    }
    var word = UInt64(base.load(as: UInt8.self))
    if count > 1 { word |= UInt64(base.load(fromByteOffset: 1, as: UInt8.self)) << 8 }
    if count > 2 { word |= UInt64(base.load(fromByteOffset: 2, as: UInt8.self)) << 16 }
    return (word, 0)
  }

  /// Packs a text of a document.
  @inline(__always)
  static func words(of leaf: JSONCell, _ tape: JSONTape) -> (UInt64, UInt64) {
    let end = leaf.offset + leaf.length
    guard end >= 16 else { return words(of: tape.text(leaf)) }
    // Proof: the document has the 16 bytes before the end of the slice, which has at most 14. Two
    // loads need no branches, which would be mispredicted where lengths vary.
    let bytes = UnsafeRawPointer(tape.text)
    let first = bytes.loadUnaligned(fromByteOffset: end - 16, as: UInt64.self)
    let second = bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self)
    // The 16 bytes shifted by those before the text. A shift by a negative number goes the other
    // way, and one by 64 or more gives 0.
    let unused = 8 * (16 - leaf.length)
    return ((first >> unused) | (second << (64 - unused)), second >> unused)
  }
}
