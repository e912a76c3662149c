import TestSupport
import Testing
import Weir

@testable import WeirJSON

/// Objects with repeated keys, of which the last value counts, in the place of the first.
@Suite("JSON: repeated keys")
struct RepeatedKeysTests {
  /// A random text with repeated keys, and what it means.
  private struct Sample {
    private(set) var text = ""
    private(set) var meaning = ""
    private var random: SeededRandom

    init(seed: UInt64) {
      random = SeededRandom(seed: seed)
      (text, meaning) = value(depth: 0)
    }

    private mutating func next(_ bound: Int) -> Int {
      Int.random(in: 0..<bound, using: &random)
    }

    private mutating func value(depth: Int) -> (text: String, meaning: String) {
      switch next(depth > 5 ? 1 : 3) {
      case 1:
        let elements = (0..<next(5)).map { _ in value(depth: depth + 1) }
        return (
          "[\(elements.map(\.text).joined(separator: ","))]",
          "[\(elements.map(\.meaning).joined(separator: ","))]"
        )
      case 2: return object(depth: depth)
      default:
        let number = "\(next(1000))"
        return (number, number)
      }
    }

    private mutating func object(depth: Int) -> (text: String, meaning: String) {
      var members: [String] = []
      var keys: [String] = []
      var values: [String: String] = [:]
      for _ in 0..<next(12) {
        let key = ["a", "b", "c", "long key"][next(4)]
        let value = value(depth: depth + 1)
        members.append("\"\(key)\":\(value.text)")
        if values.updateValue(value.meaning, forKey: key) == nil { keys.append(key) }
      }
      let kept = keys.map { "\"\($0)\":\(values[$0] ?? "")" }
      return ("{\(members.joined(separator: ","))}", "{\(kept.joined(separator: ","))}")
    }
  }

  @Test("The last value counts, in the place of the first, however deeply objects nest (H10)")
  func meaning() throws {
    for seed in 1...400 {
      let sample = Sample(seed: UInt64(seed))
      let json = try JSON(parsing: sample.text)
      #expect(String(decoding: json.compactBytes, as: UTF8.self) == sample.meaning)
      #expect(json == (try JSON(parsing: sample.meaning)))
    }
  }

  @Test(
    "Each value is moved at most once, however many repeated keys are around it (H10)",
    arguments: [1, 10, 100, 400])
  func moves(depth: Int) throws {
    let values = (0..<2_000).map(String.init).joined(separator: ",")
    let open = String(repeating: #"{"a":0,"b":1,"a":"#, count: depth)
    let text = open + "[\(values)]" + String(repeating: "}", count: depth)
    let (document, moved) = try JSONDocument.parseAndCount(Array(text.utf8))
    // The array with its elements, and for each object itself and its other value.
    #expect(moved == 2_001 + 2 * depth)
    var inner = document.root
    for _ in 0..<depth {
      #expect(inner.members.map(\.key) == ["a", "b"])
      inner = try #require(inner["a"])
    }
    #expect(inner.count == 2_000)
  }

  @Test("A text without repeated keys moves nothing (H10)")
  func noMoves() throws {
    let text = #"[{"a":1,"b":{"a":1}},{"b":2,"a":{}},{"a":1}]"#
    #expect(try JSONDocument.parseAndCount(Array(text.utf8)).movedValues == 0)
  }
}
