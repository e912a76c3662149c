/// A text in a block of memory of its size, or none. An array would take 32 bytes more, which counts for
/// a cache of small results.
struct KeptText: ~Copyable, Sendable {
  // Proof: the memory is written by `init`, never written again, and freed by `deinit`. So any
  // thread may read it as long as the value exists.
  private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>?
  private let count: UInt32

  /// No text.
  init() {
    start = nil
    count = 0
  }

  /// A copy of a text with less than 2^32 bytes.
  init(_ bytes: [UInt8]) {
    count = UInt32(bytes.count)
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = memory.initialize(from: bytes)
    start = memory.baseAddress
  }

  deinit {
    start?.deallocate()
  }

  /// Whether there is a text.
  var exists: Bool { start != nil }

  /// A copy of the text; nil if there is none.
  var bytes: [UInt8]? {
    // Proof: `start` points to `count` bytes, which are copied.
    start.map { Array(UnsafeBufferPointer(start: $0, count: Int(count))) }
  }
}
