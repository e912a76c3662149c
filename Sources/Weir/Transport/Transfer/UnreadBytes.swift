/// The bytes of a body that have arrived but were not read yet: first those in memory, then those
/// in a file, which is used only if the request cannot be paused.
struct UnreadBytes {
  /// The maximum size up to which small chunks are joined, in bytes.
  private static let joinedLimit = 16 << 10

  private var chunks = FIFOQueue<[UInt8]>()
  private var file: OverflowFile?

  /// The number of bytes in memory.
  private(set) var count = 0

  /// The number of bytes in the file.
  var fileCount: Int { file?.count ?? 0 }
  var isEmpty: Bool { chunks.isEmpty && fileCount == 0 }

  mutating func append(_ chunk: [UInt8]) {
    chunks.append(chunk)
    count += chunk.count
  }

  mutating func appendToFile(_ chunk: [UInt8]) throws {
    let file = try file ?? OverflowFile()
    self.file = file
    try file.append(chunk)
  }

  /// Returns the next bytes; nil if there are none. Joins small chunks, because a reader that is
  /// slower than the network should not pay for each of them.
  mutating func take() throws -> [UInt8]? {
    guard var taken = chunks.popFirst() else { return try takeFromFile() }
    while let next = chunks.first, next.count <= Self.joinedLimit - taken.count {
      taken += next
      _ = chunks.popFirst()
    }
    count -= taken.count
    return taken
  }

  private mutating func takeFromFile() throws -> [UInt8]? {
    guard let file, file.count > 0 else { return nil }
    let chunk = try file.take()
    // An empty file is closed, to free its disk space.
    if file.count == 0 { self.file = nil }
    return chunk
  }

  mutating func removeAll() {
    self = UnreadBytes()
  }
}
