import Foundation
import TestSupport
import Testing
import Weir

@Suite("JSON: arbitrary bytes")
struct JSONFuzzTests {
  static let samples = [
    #"{"data":{"post":{"id":"1","title":"Post 1","published":true,"author":{"id":"1","name":"Ä"}}}}"#,
    #"[{"id":1,"t":[]},{"id":2,"t":[{"x":null}]},{"id":3.5e-3,"t":[{"x":-0.5}]},{"di":false}]"#,
    #"{"a":"\ud83d\ude00\n","bb":"日本語👍🏽","a":[[[]]],"longer than eight":12345678901234567890}"#,
    #"[{"__typename":"A","a":1},{"__typename":"B","b":2},{"__typename":"A","a":3},{}]"#,
  ]

  /// Uses every accepted value in every way, and expects the same value each time.
  func check(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes) else { return }
    let value = json.value
    #expect((try? JSON(parsing: json.compactBytes).value) == value)
    #expect((try? JSON(parsing: json.canonicalBytes).value) == value)
    #expect((try? JSON(value)) == json)
    #expect((try? value.canonicalBytes()) == json.canonicalBytes)
    #expect((try? json.decode(JSONValue.self)) == value)
    #expect(json.elements.reduce(0) { count, _ in count + 1 } == (value.array?.count ?? 0))
    for (key, member) in json.members { #expect(json[key]?.isIdentical(to: member) == true) }
  }

  @Test("Random bytes never crash the parser", arguments: [1, 2, 3, 4] as [UInt64])
  func randomBytes(_ seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    let alphabet = Array(#"{}[]:,"\u0019de-+.truefalsn "#.utf8) + [0xc3, 0xa9, 0x0a, 0xff, 0x00]
    for _ in 0..<3000 {
      let count = Int.random(in: 0...40, using: &generator)
      check(
        (0..<count).map { _ in
          seed % 2 == 0
            ? UInt8.random(in: 0...255, using: &generator)
            : alphabet.randomElement(using: &generator) ?? 0
        })
    }
  }

  @Test("A text that is truncated anywhere is rejected", arguments: samples)
  func truncation(_ text: String) {
    let bytes = Array(text.utf8)
    check(bytes)
    for count in 0..<bytes.count {
      #expect(throws: JSONError.self) { try JSON(parsing: Array(bytes[..<count])) }
    }
  }

  @Test("Mutated bytes never crash the parser", arguments: samples)
  func mutations(_ text: String) {
    var generator = SeededRandom(seed: 7)
    let original = Array(text.utf8)
    for _ in 0..<4000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
        default: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        }
      }
      check(bytes)
    }
  }

  @Test("Random values survive every way of writing", arguments: 0..<40 as Range<UInt64>)
  func roundTrip(_ seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    for _ in 0..<10 {
      let value = random.value()
      let text = random.text(of: value)
      let json = try JSON(parsing: text)
      #expect(json.value == value, "\(text)")
      #expect(try json == JSON(value))
      #expect(try json.canonicalBytes == value.canonicalBytes())
      #expect(try JSON.encode(value) == value.canonicalBytes())
      #expect(try JSONValue(encoding: value) == value)
      check(Array(text.utf8))
    }
  }

  @Test("Foundation reads the same values", arguments: 100..<130 as Range<UInt64>)
  func againstFoundation(_ seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    for _ in 0..<10 {
      let value = random.value()
      let text = random.text(of: value)
      let other = try JSONSerialization.jsonObject(
        with: Data(text.utf8), options: .fragmentsAllowed)
      #expect(FuzzTarget.json.agrees(try JSON(parsing: text).value, other))
    }
  }
}
