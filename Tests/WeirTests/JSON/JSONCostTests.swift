import Foundation
import TestSupport
import Testing
import Weir

@testable import WeirJSON
@testable import WeirSupport

#if os(Linux)
  /// An element of 16 KB.
  private struct LargeElement: Decodable {
    var text = [2_000 of Int](repeating: 0)

    private enum CodingKeys: String, CodingKey { case value }

    init(from decoder: any Decoder) throws {
      text[0] = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .value)
    }
  }
#endif

/// No JSON text and no type makes this work slow: if each step looked at everything, the tests would not
/// end within the time limit.
@Suite("JSON: cost", .timeLimit(.minutes(10)))
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
        for number in 0..<100_000 {
          let (key, absent) = (JSONPathKey("k\(number)"), JSONPathKey("absent\(number)"))
          guard container.contains(key), !container.contains(absent),
            (try? container.decode(Bool.self, forKey: key)) == nil,
            try container.decode(Int.self, forKey: key) == number
          else { throw CancellationError() }
        }
      }
    }
    let members = (0..<100_000).map { "\"\($0 % 2 == 0 ? "k" : "\\u006b")\($0)\":\($0)" }
    let json = try JSON(parsing: "{\(members.joined(separator: ","))}")
    _ = try json.decode(Values.self)
  }

  @Test("A long key with escapes is decoded only as far as it equals another")
  func escapedKey() throws {
    let key = String(repeating: "k", count: 16 << 20)
    let json = try JSON(parsing: #"{"\u006b\#(key)":0,"b":1}"#)
    for _ in 0..<100_000 {
      guard json["b"]?.int == 1, json["kj"] == nil else { throw CancellationError() }
    }
    #expect(json["k" + key]?.int == 0)
  }

  /// Reads fields of an object with many members: those that it lacks, and its first and its last.
  private struct Picky: SelectionDecodable {
    static let count = 300_000

    init(reading fields: inout FieldReader) throws {
      for _ in 0..<Self.count {
        let absent: Int? = try fields.read("absent")
        guard absent == nil, try fields.read("k299999") == Self.count - 1,
          try fields.read("k0") == 0
        else { throw CancellationError() }
      }
    }

    init(from decoder: any Decoder) throws { throw CancellationError() }
  }

  @Test("A field that an object lacks, or has elsewhere, is not searched for again and again")
  func absentFields() throws {
    let members = (0..<Picky.count).map { "\"k\($0)\":\($0)" }
    _ = try JSON(parsing: "{\(members.joined(separator: ","))}").decode(Picky.self)
  }

  @Test("Elements are found in descending order without a walk over those before each")
  func descendingElements() throws {
    let count = 300_000
    let json = try JSON(
      parsing: "[\(String(repeating: "null,", count: count - 1))true,[\(count)]]")
    var finder = ElementFinder()
    for position in (0..<count - 1).reversed() {
      guard finder.element(of: json, at: position)?.isNull == true else {
        throw CancellationError()
      }
    }
    #expect(finder.element(of: json, at: count - 1)?.bool == true)
    #expect(finder.element(of: json, at: count)?[0]?.int == Int64(count))
    #expect(finder.element(of: json, at: count + 1) == nil)
  }

  @Test("Members of a large object are found without a search for each")
  func largeObject() throws {
    let members = (0..<300_000).map { "\"\($0 % 2 == 0 ? "k" : "\\u006b")\($0)\":\($0)" }
    let json = try JSON(parsing: #"{\#(members.joined(separator: ",")),"\u00e9":1,"e\u0301":2}"#)
    var finder = ElementFinder()
    for number in (0..<300_000).reversed() {
      guard finder.member(of: json, named: "k\(number)")?.int == Int64(number) else {
        throw CancellationError()
      }
    }
    #expect(finder.member(of: json, named: "k300000") == nil)
    #expect(finder.member(of: json, named: "\u{e9}")?.int == 1)
    #expect(finder.member(of: json, named: "e\u{301}")?.int == 2)
    #expect(finder.member(of: try JSON(parsing: "[1]"), named: "k1") == nil)
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
    @Test(
      "The room for elements is not more than a multiple of their text",
      .enabled(if: Stress.factor >= 1, "The sanitizer alone needs more addresses."))
    func largeElements() async {
      await #expect(processExitsWith: .success) {
        // Two million elements of 16 KB would be 32 GB.
        var limit = rlimit(rlim_cur: 16 << 30, rlim_max: 16 << 30)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
        let json = try JSON(parsing: "[\(String(repeating: "0,", count: 2_000_000))0]")
        #expect(throws: (any Error).self) { _ = try json.decode([LargeElement].self) }
        let rows = (0..<2_000).map { #"{"value":\#($0)}"# }
        let decoded = try JSON(parsing: "[\(rows.joined(separator: ","))]").decode(
          [LargeElement].self)
        #expect(decoded.map { $0.text[0] } == Array(0..<2_000))
      }
    }

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
