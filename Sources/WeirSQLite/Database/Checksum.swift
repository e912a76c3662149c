import Weir

extension StableHash {
  /// A 32-bit checksum that detects damage, but not deliberate changes: a signed number, which takes
  /// at most four bytes of a row.
  ///
  /// SQLite detects damage to the structure of its file but not to the values in it. The checksum is
  /// a part of the format of the file.
  var checksum: Int64 {
    Int64(Int32(truncatingIfNeeded: value ^ value >> 32))
  }

  /// Returns the checksum of a row.
  static func checksum(
    key: UnsafeRawBufferPointer, type: Int64, value: UnsafeRawBufferPointer
  ) -> Int64 {
    var hash = StableHash(seed: UInt64(bitPattern: type))
    // Proof: the caller keeps the buffers alive during this call, and the spans do not outlive it.
    hash.combine(Span(_unsafeBytes: key))
    hash.combine(Span(_unsafeBytes: value))
    return hash.checksum
  }
}
