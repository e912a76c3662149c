import Testing

@testable import Weir

@Suite("Bytes that wait to be read")
struct UnreadBytesTests {
  @Test("Small chunks are joined, large ones are kept as they are, and none is lost (H4)")
  func joining() throws {
    var unread = UnreadBytes()
    var expected: [UInt8] = []
    for number in 0..<5_000 {
      let chunk = [UInt8](
        repeating: UInt8(truncatingIfNeeded: number), count: number == 2_500 ? 1 << 20 : 20)
      unread.append(chunk)
      expected += chunk
    }
    var taken: [[UInt8]] = []
    while let chunk = try unread.take() { taken.append(chunk) }
    #expect(taken.flatMap { $0 } == expected)
    #expect(taken.map(\.count).max() == 1 << 20)
    // 100,000 bytes in pieces of 20 would be 5,000 chunks.
    #expect(taken.count < 12)
    #expect(unread.isEmpty)
    #expect(unread.count == 0)
  }

  @Test("Tiny chunks take no more memory than their bytes: they are joined when they arrive (H4)")
  func tinyChunks() throws {
    var unread = UnreadBytes()
    for number in 0..<1_000_000 {
      unread.append([UInt8(truncatingIfNeeded: number)])
      // A reader that is behind.
      if number == 500_000 { #expect(try unread.take()?.first == 0) }
    }
    #expect(unread.chunkCount < 100)
    var count = 0
    while let chunk = try unread.take() { count += chunk.count }
    #expect(count > 900_000 && unread.isEmpty && unread.count == 0)
  }

  @Test("A reader that is always behind does not let a file grow without end")
  func files() throws {
    var unread = UnreadBytes()
    func chunk(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: 1 << 20) }
    var taken = 0
    func take() throws {
      let bytes = try #require(try unread.take())
      #expect(bytes.allSatisfy { $0 == UInt8(taken >> 20) })
      taken += bytes.count
    }
    for number in 0..<200 {
      try unread.appendToFile(chunk(number))
      while unread.fileCount > 2 << 20 { try take() }
      #expect(unread.sizeOnDisk <= UnreadBytes.fileLimit + 4 << 20)
    }
    while !unread.isEmpty { try take() }
    #expect(taken == 200 << 20 && unread.sizeOnDisk == 0)
  }
}
