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
}
