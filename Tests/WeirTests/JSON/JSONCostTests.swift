import Foundation
import Testing
import Weir

@testable import WeirJSON
@testable import WeirSupport

/// No JSON text and no type makes this work slow. Each limit is many times what the work takes, and a
/// small part of what it takes if each step looks at everything.
@Suite("JSON: cost", .timeLimit(.minutes(10)))
struct JSONCostTests {
  private func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  @Test("Small trees from a large document cost what they hold")
  func smallTrees() throws {
    let errors = (0..<60_000).map { #"{"message":"m","extensions":{"k\#($0)":\#($0)}}"# }
    let json = try JSON(parsing: "[\(errors.joined(separator: ","))]")
    let time = seconds {
      for (number, error) in json.elements.enumerated() {
        #expect(error["extensions"]?.value == ["k\(number)": .int(Int64(number))])
        #expect(error["message"]?.value == "m")
      }
    }
    #expect(time < 12)
    #expect(json[7]?.value == ["message": "m", "extensions": ["k7": 7]])
  }

  @Test("Looking up a key again does not search a large object")
  func repeatedKeys() throws {
    struct Values: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONPathKey.self)
        for number in 0..<20_000 {
          let (key, absent) = (JSONPathKey("k\(number)"), JSONPathKey("absent\(number)"))
          #expect(container.contains(key))
          #expect((try? container.decode(Bool.self, forKey: key)) == nil)
          #expect(try container.decode(Int.self, forKey: key) == number)
          #expect(!container.contains(absent))
        }
      }
    }
    let members = (0..<20_000).map { "\"\($0 % 2 == 0 ? "k" : "\\u006b")\($0)\":\($0)" }
    let json = try JSON(parsing: "{\(members.joined(separator: ","))}")
    let time = try seconds { _ = try json.decode(Values.self) }
    #expect(time < 12)
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
    @Test("The parser reads no byte behind the text", arguments: 0..<24)
    func endOfText(padding: Int) async {
      await #expect(processExitsWith: .success) { [padding] in
        let size = Int(getpagesize())
        let memory = mmap(nil, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let pages = try #require(memory)
        try #require(mprotect(pages + size, size, PROT_NONE) == 0)
        // Two keys of `padding` bytes; the second one's last load ends where the text does.
        let key = String(repeating: "k", count: padding)
        for value in ["1", "12", "123", "1234", "12345", "123456"] {
          let text = Array("[{\"\(key)\":1},{\"\(key)\":\(value)}]".utf8)
          let start = (pages + size - text.count).assumingMemoryBound(to: UInt8.self)
          start.update(from: text, count: text.count)
          var parser = JSONParser(
            text: start, end: text.count, maximumDepth: 512, cells: Scratch(capacity: 64),
            lists: KeyListTable(
              words: Scratch(capacity: 64), childLists: Scratch(capacity: 64)),
            pending: Scratch(capacity: 64), frames: Scratch(capacity: 64))
          try parser.parse()
          parser.cells.release()
          parser.lists.release()
          parser.pending.release()
          parser.frames.release()
        }
      }
    }
  #endif
}
