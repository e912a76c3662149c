import Foundation
import Testing
import Weir

@testable import WeirJSON
@testable import WeirSupport

/// No JSON text and no type makes this work slow: if each step looked at everything, the tests would not
/// end within the time limit.
@Suite("JSON: cost", .timeLimit(.minutes(3)))
struct JSONCostTests {
  @Test("Small trees from a large document cost what they hold")
  func smallTrees() throws {
    let errors = (0..<100_000).map { #"{"message":"m","extensions":{"k\#($0)":\#($0)}}"# }
    let json = try JSON(parsing: "[\(errors.joined(separator: ","))]")
    let count = json.elements.count { error in
      error["extensions"]?.value.object?.count == 1 && error["message"]?.value == "m"
    }
    #expect(count == errors.count)
    #expect(json[7]?.value == ["message": "m", "extensions": ["k7": 7]])
  }

  @Test("Looking up a key again does not search a large object")
  func repeatedKeys() throws {
    struct Values: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONPathKey.self)
        for number in 0..<20_000 {
          let (key, absent) = (JSONPathKey("k\(number)"), JSONPathKey("absent\(number)"))
          guard container.contains(key), !container.contains(absent),
            (try? container.decode(Bool.self, forKey: key)) == nil,
            try container.decode(Int.self, forKey: key) == number
          else { throw CancellationError() }
        }
      }
    }
    let members = (0..<20_000).map { "\"\($0 % 2 == 0 ? "k" : "\\u006b")\($0)\":\($0)" }
    let json = try JSON(parsing: "{\(members.joined(separator: ","))}")
    _ = try json.decode(Values.self)
  }

  @Test("Texts that only look the same have different hashes")
  func hashes() {
    // The order of these two marks does not count for Swift.
    let texts = (0..<500).map { position in
      (0..<500).map { $0 == position ? "\u{316}" : "\u{301}" }.joined()
    }
    #expect(Set(texts).count == 1)
    #expect(Set(texts.map { ExactString($0).hashValue }).count == texts.count)
    #expect(Set((texts + texts).map(ExactString.init)).count == texts.count)
  }

  #if os(Linux)
    @Test("The parser reads no byte behind the text")
    func endOfText() async {
      await #expect(processExitsWith: .success) {
        let size = Int(getpagesize())
        let memory = mmap(nil, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let pages = try #require(memory)
        try #require(mprotect(pages + size, size, PROT_NONE) == 0)
        for length in 0..<24 {
          // Two keys of this length; the second one's last load ends where the text does.
          let key = String(repeating: "k", count: length)
          for value in ["1", "12", "123", "1234", "12345", "123456"] {
            let text = Array("[{\"\(key)\":1},{\"\(key)\":\(value)}]".utf8)
            let start = (pages + size - text.count).assumingMemoryBound(to: UInt8.self)
            start.update(from: text, count: text.count)
            try JSONCostTests.parse(start, text.count)
          }
        }
      }
    }

    private static func parse(_ text: UnsafeMutablePointer<UInt8>, _ length: Int) throws {
      var parser = JSONParser(
        text: text, end: length, maximumDepth: 512, cells: Scratch(capacity: 64),
        lists: KeyListTable(words: Scratch(capacity: 64), childLists: Scratch(capacity: 64)),
        pending: Scratch(capacity: 64), frames: Scratch(capacity: 64))
      try parser.parse()
      parser.cells.release()
      parser.lists.release()
      parser.pending.release()
      parser.frames.release()
    }
  #endif
}
