/// The bytes of a body that have come and were not read yet: first those in memory, then those in a
/// file, which there is only where a request cannot be paused.
struct UnreadBytes {
  private var chunks: [[UInt8]] = []
  /// The first chunk that was not taken yet.
  private var first = 0
  private var file: OverflowFile?

  /// The bytes in memory.
  private(set) var count = 0

  /// The bytes in the file.
  var fileCount: Int { file?.count ?? 0 }
  var isEmpty: Bool { first == chunks.count && fileCount == 0 }

  mutating func append(_ chunk: [UInt8]) {
    chunks.append(chunk)
    count += chunk.count
  }

  mutating func appendToFile(_ chunk: [UInt8]) throws {
    let file = try file ?? OverflowFile()
    self.file = file
    try file.append(chunk)
  }

  /// The next bytes; nil if there are none.
  mutating func take() throws -> [UInt8]? {
    guard first < chunks.count else { return try takeFromFile() }
    let chunk = chunks[first]
    chunks[first] = []
    first += 1
    if first == chunks.count {
      chunks.removeAll(keepingCapacity: first <= 64)
      first = 0
    } else if first >= 64, first > chunks.count / 2 {
      chunks.removeFirst(first)
      first = 0
    }
    count -= chunk.count
    return chunk
  }

  private mutating func takeFromFile() throws -> [UInt8]? {
    guard let file, file.count > 0 else { return nil }
    let chunk = try file.take()
    // Gives the disk back what it lent.
    if file.count == 0 { self.file = nil }
    return chunk
  }

  mutating func removeAll() {
    self = UnreadBytes()
  }
}
