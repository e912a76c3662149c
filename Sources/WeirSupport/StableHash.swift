/// A fast hash that is the same in every process, on every platform and in every version. (`Hasher`
/// differs from run to run.)
///
/// Takes eight bytes at a step, and mixes them by a multiplication to 128 bits whose halves are
/// folded together. It spreads well but does not withstand an attacker: tables compare what they
/// find.
package struct StableHash {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let increment: UInt64 = 0xD1B5_4A32_D192_ED03
  package private(set) var value: UInt64

  package init(seed: UInt64 = 0) {
    value = seed ^ Self.increment
  }

  package mutating func combine(_ word: UInt64) {
    let product = (value ^ word).multipliedFullWidth(by: Self.multiplier)
    value = (product.high ^ product.low) &+ Self.increment
  }

  /// Combines the bytes and their number, so that neighbours cannot run into each other.
  package mutating func combine(_ bytes: Span<UInt8>) {
    let raw = bytes.bytes
    var offset = 0
    while offset &+ 8 <= raw.byteCount {
      // Proof: the loop's condition keeps the eight bytes within the span.
      let word = raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      combine(UInt64(littleEndian: word))
      offset &+= 8
    }
    var rest: UInt64 = 0
    var shift: UInt64 = 0
    while offset < raw.byteCount {
      rest |= UInt64(bytes[offset]) &<< shift
      shift &+= 8
      offset &+= 1
    }
    combine(rest)
    combine(UInt64(truncatingIfNeeded: raw.byteCount))
  }

  package mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { buffer in
      // Proof: the span is used only within the closure that receives the buffer.
      combine(Span(_unsafeElements: buffer))
    }
  }
}
