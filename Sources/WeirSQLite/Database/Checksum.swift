/// A 32-bit checksum that detects damage, but not deliberate changes.
///
/// SQLite detects damage to the structure of its file but not to the values in it. The checksum
/// takes in eight bytes at a time, and has the same value on every platform.
struct Checksum {
  private(set) var hash: UInt64

  init(seed: UInt64 = 0) {
    hash = seed &+ 0x9E37_79B9_7F4A_7C15
  }

  mutating func combine(_ value: UInt64) {
    hash = (hash ^ value) &* 0xBF58_476D_1CE4_E5B9
    hash ^= hash >> 29
  }

  mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    combine(UInt64(bytes.count))
    var offset = 0
    // Proof: the loop condition keeps each read of eight bytes within the buffer.
    while offset + 8 <= bytes.count {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    combine(rest)
  }

  mutating func combine(_ text: String) {
    var text = text
    // Proof: `combine` reads the bytes and does not keep the pointer.
    text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
  }

  /// The stored form: a signed 32-bit number, which takes at most four bytes of a row.
  var value: Int64 {
    Int64(Int32(truncatingIfNeeded: hash ^ hash >> 32))
  }

  /// Returns the checksum of a row.
  static func row(
    key: UnsafeRawBufferPointer, type: Int64, value: UnsafeRawBufferPointer
  ) -> Int64 {
    var checksum = Checksum(seed: UInt64(bitPattern: type))
    checksum.combine(key)
    checksum.combine(value)
    return checksum.value
  }
}
