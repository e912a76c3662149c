import Testing
import Weir

@Suite("JSON: conformance")
struct JSONConformanceTests {
  @Test("Each text is accepted or rejected as RFC 8259 says", arguments: ConformanceCase.all)
  func verdict(_ one: ConformanceCase) {
    let result = Result { () throws(JSONError) in try JSON(parsing: one.bytes) }
    switch result {
    case .success(let json):
      #expect(one.isAccepted)
      // An accepted value can be written and read again.
      #expect((try? JSON(parsing: json.compactBytes)) == json)
      #expect((try? JSON(parsing: json.canonicalBytes)) == json)
      #expect((try? JSON(json.value).value) == json.value)
    case .failure(let error):
      #expect(!one.isAccepted)
      #expect(error.offset <= one.bytes.count)
    }
  }

  @Test(
    "A value within a larger text is accepted or rejected in the same way",
    arguments: ConformanceCase.all)
  func nested(_ one: ConformanceCase) {
    // Only nesting depth makes a difference, and white space or a second value after the first.
    guard one.bytes.count < 1000 else { return }
    let inner = one.bytes
    let list = Array(#"[{"k":1,"v":"#.utf8) + inner + Array(#"},{"k":2,"v":"#.utf8) + inner
    let isAccepted = (try? JSON(parsing: list + Array("}]".utf8))) != nil
    #expect(isAccepted == (one.isAccepted && inner != [] && !one.verdict.isDepthLimit(inner)))
  }

  @Test(
    "Errors name the reason and the offset",
    arguments: [
      ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[1", .unexpectedEnd, 2),
      ("[1 x]", .unexpectedCharacter, 3), ("[] x", .trailingContent, 3),
      ("[01]", .invalidNumber, 2), ("[1.]", .invalidNumber, 3), ("1e999", .numberOutOfRange, 0),
      (#""\x""#, .invalidEscape, 1), (#""\u12g4""#, .invalidEscape, 5),
      (#"["ab\ud8g0"]"#, .invalidEscape, 8), (#"["\ud800\u004"]"#, .invalidEscape, 13),
      ("\"a\nb\"", .controlCharacter, 2), ("\"abc", .unexpectedEnd, 4),
      (#"{"a":1,}"#, .unexpectedCharacter, 7), (#"{"a" 1}"#, .unexpectedCharacter, 5),
      ("tru", .unexpectedEnd, 3), ("trux", .unexpectedCharacter, 3),
    ] as [(String, JSONError.Code, Int)])
  func errors(_ text: String, _ code: JSONError.Code, _ offset: Int) {
    #expect(throws: JSONError(code, offset: offset)) { try JSON(parsing: text) }
  }

  @Test("Errors about invalid UTF-8 name the offset")
  func invalidUTF8() {
    let bytes: [UInt8] = [0x5b, 0x22, 0x61, 0xc3, 0x28, 0x22, 0x5d]
    #expect(throws: JSONError(.invalidUTF8, offset: 3)) { try JSON(parsing: bytes) }
  }

  @Test("The depth limit can be lowered but not raised", arguments: [0, 1, 2, 511, 512, 513, 9999])
  func depth(_ limit: Int) {
    let options = JSONParseOptions(maximumDepth: limit)
    let allowed = min(limit, 512)
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    if allowed > 0 {
      #expect((try? JSON(parsing: nested(allowed), options: options)) != nil)
    }
    #expect(throws: JSONError(.tooDeep, offset: allowed)) {
      try JSON(parsing: nested(allowed + 1), options: options)
    }
    #expect((try? JSON(parsing: "1", options: options)) != nil)
  }

  @Test("A value of the maximum depth can be read, compared, written and decoded")
  func deepest() throws {
    let text = String(repeating: #"{"a":["#, count: 256) + String(repeating: "]}", count: 256)
    let json = try JSON(parsing: text)
    #expect(json.description == text)
    #expect(try JSON(json.value) == json)
    #expect(try json.decode(JSONValue.self) == json.value)
    #expect(String(decoding: try JSON.encode(json.value), as: UTF8.self) == text)
    #expect(json.value.hashValue == (try JSON(parsing: text + " ").value.hashValue))
  }
}

extension Character {
  /// Whether two more levels around brackets exceed the limit.
  fileprivate func isDepthLimit(_ bytes: [UInt8]) -> Bool {
    bytes.prefix { $0 == 0x5b }.count > 510
  }
}
