/// The identity of what an operation asks for: a hash of its canonical document and variables, its
/// endpoint, and the headers that were declared part of the key.
///
/// Equal in every process and on every platform, so it may be logged, compared between runs, or
/// used as a file name. Two operations could share one by accident; Weir's own tables compare the
/// operations themselves.
public struct OperationKey: Hashable, Sendable, CustomStringConvertible {
  /// The hash.
  public let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A fast hash that is the same everywhere and for ever; `Hasher` differs from run to run.
///
/// Eight bytes at a step, mixed by a multiplication to 128 bits whose halves are folded together.
/// It spreads well, and need not withstand an attacker: tables compare what they find.
struct StableHash {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let increment: UInt64 = 0xD1B5_4A32_D192_ED03
  private(set) var value: UInt64

  init(seed: UInt64 = 0) {
    value = seed ^ Self.increment
  }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    let product = (value ^ word).multipliedFullWidth(by: Self.multiplier)
    value = (product.high ^ product.low) &+ Self.increment
  }

  /// Combines the bytes and their number, so that neighbours cannot run into each other.
  mutating func combine(_ bytes: Span<UInt8>) {
    let raw = bytes.bytes
    var offset = 0
    while offset &+ 8 <= raw.byteCount {
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

  mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { buffer in
      combine(Span(_unsafeElements: buffer))
    }
  }
}
