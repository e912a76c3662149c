/// The bytes of a body that have come and were not read yet: first those in memory, then those in a
/// file, which there is only where a request cannot be paused.
struct UnreadBytes {
  /// The most bytes that are copied to come together.
  private static let joinedLimit = 16 << 10

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

  /// The next bytes; nil if there are none. Small chunks come together: who cannot keep up with them
  /// does not pay for each one.
  mutating func take() throws -> [UInt8]? {
    guard first < chunks.count else { return try takeFromFile() }
    var taken = takeFirst()
    while first < chunks.count, chunks[first].count <= Self.joinedLimit - taken.count {
      taken += takeFirst()
    }
    if first == chunks.count {
      chunks.removeAll(keepingCapacity: first <= 64)
      first = 0
    } else if first >= 64, first > chunks.count / 2 {
      chunks.removeFirst(first)
      first = 0
    }
    count -= taken.count
    return taken
  }

  private mutating func takeFirst() -> [UInt8] {
    defer {
      chunks[first] = []
      first += 1
    }
    return chunks[first]
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
