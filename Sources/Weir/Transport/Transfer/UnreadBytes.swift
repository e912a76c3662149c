/// The bytes of a body that have arrived but were not read yet: first those in memory, then those
/// in files, which are used only if the request cannot be paused.
struct UnreadBytes {
  /// The maximum size up to which small chunks are joined, in bytes.
  private static let joinedLimit = 16 << 10
  /// The size in bytes from which on a file is not continued.
  static let fileLimit = 64 << 20

  /// Small ones are joined, because a reader that is slower than the network should not pay for each of
  /// them, and because each takes memory for itself: those of one byte, 56 times as much as they count.
  private var chunks = FIFOQueue<[UInt8]>()
  /// Several, because a file keeps what was read: a reader that is always a little behind would let it
  /// grow without end.
  private var files = FIFOQueue<OverflowFile>()

  /// The number of bytes in memory.
  private(set) var count = 0

  /// The number of unread bytes on disk.
  private(set) var fileCount = 0
  /// The size of all files in bytes, for tests.
  private(set) var sizeOnDisk = 0
  /// The number of chunks in memory, for tests.
  var chunkCount: Int { chunks.count }
  var isEmpty: Bool { chunks.isEmpty && fileCount == 0 }

  mutating func append(_ chunk: [UInt8]) {
    count += chunk.count
    guard var last = chunks.last, last.count <= Self.joinedLimit - chunk.count else {
      chunks.append(chunk)
      return
    }
    // Removed, so that no other reference makes it a copy.
    chunks.removeLast()
    last += chunk
    chunks.append(last)
  }

  mutating func appendToFile(_ chunk: [UInt8]) throws {
    if files.last.map({ $0.written >= Self.fileLimit }) ?? true { files.append(try OverflowFile()) }
    try files.last?.append(chunk)
    fileCount += chunk.count
    sizeOnDisk += chunk.count
  }

  /// Returns the next bytes; nil if there are none.
  mutating func take() throws -> [UInt8]? {
    guard let taken = chunks.popFirst() else { return try takeFromFile() }
    count -= taken.count
    return taken
  }

  private mutating func takeFromFile() throws -> [UInt8]? {
    guard let file = files.first else { return nil }
    let chunk = try file.take()
    fileCount -= chunk.count
    // Closed, to free its disk space.
    if file.count == 0 {
      sizeOnDisk -= file.written
      _ = files.popFirst()
    }
    return chunk
  }

  mutating func removeAll() {
    self = UnreadBytes()
  }
}
