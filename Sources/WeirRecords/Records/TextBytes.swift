import Foundation

/// Copies bytes. For 16 to 32 bytes, which most out-of-line strings have, it makes no call.
@inline(__always)
func copyBytes(
  from source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int
) {
  guard count >= 16, count <= 32 else {
    memcpy(target, source, count)
    return
  }
  // Proof: there are at least 16 bytes, so the first and the last 16 lie within them.
  let (source, target) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
  let first = source.loadUnaligned(as: SIMD2<UInt64>.self)
  let last = source.loadUnaligned(fromByteOffset: count - 16, as: SIMD2<UInt64>.self)
  target.storeBytes(of: first, as: SIMD2<UInt64>.self)
  target.storeBytes(of: last, toByteOffset: count - 16, as: SIMD2<UInt64>.self)
}

/// Whether bytes are equal. For 16 to 32 bytes, which most out-of-line strings have, it makes no
/// call.
@inline(__always)
func bytesAreEqual(
  _ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, count: Int
) -> Bool {
  guard count >= 16, count <= 32 else { return memcmp(one, other, count) == 0 }
  // Proof: there are at least 16 bytes, so the first and the last 16 lie within them.
  let (one, other) = (UnsafeRawPointer(one), UnsafeRawPointer(other))
  let first =
    one.loadUnaligned(as: SIMD2<UInt64>.self) ^ other.loadUnaligned(as: SIMD2<UInt64>.self)
  let last =
    one.loadUnaligned(fromByteOffset: count - 16, as: SIMD2<UInt64>.self)
    ^ other.loadUnaligned(fromByteOffset: count - 16, as: SIMD2<UInt64>.self)
  let difference = first | last
  return difference[0] | difference[1] == 0
}
