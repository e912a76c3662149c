import WeirSupport

/// Text that is written piece by piece. A short one is in the value itself, so that writing it
/// allocates nothing.
struct ShortText: JSONSink {
  private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  private static let capacity = MemoryLayout<Words>.size

  private var words: Words = (0, 0, 0, 0, 0, 0, 0, 0)
  /// The whole text as soon as it is longer than that.
  private var long: [UInt8] = []
  private var count = 0

  mutating func append(_ byte: UInt8) {
    guard count < Self.capacity else { return moveAndAppend(CollectionOfOne(byte)) }
    withUnsafeMutableBytes(of: &words) { $0[count] = byte }
    count += 1
  }

  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    guard count + bytes.count <= Self.capacity else { return moveAndAppend(bytes) }
    withUnsafeMutableBytes(of: &words) { words in
      // Proof: the range lies within the words, and the bytes do not overlap it.
      UnsafeMutableRawBufferPointer(rebasing: words[count..<count + bytes.count])
        .copyMemory(from: UnsafeRawBufferPointer(bytes))
    }
    count += bytes.count
  }

  @inline(never)
  private mutating func moveAndAppend(_ bytes: some Collection<UInt8>) {
    if count <= Self.capacity {
      long.reserveCapacity(2 * Self.capacity + bytes.count)
      withUnsafeBytes(of: words) { long.append(contentsOf: $0.prefix(count)) }
    }
    long.append(contentsOf: bytes)
    count += bytes.count
  }

  var bytes: CompactBytes {
    guard count <= Self.capacity else { return CompactBytes(long) }
    return withUnsafeBytes(of: words) { words in
      // Proof: the words have been written up to the count.
      words.withMemoryRebound(to: UInt8.self) { bytes in
        CompactBytes(UnsafeBufferPointer(rebasing: bytes[..<count]))
      }
    }
  }
}
