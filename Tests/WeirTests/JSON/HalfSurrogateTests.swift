import Testing
import Weir

/// Servers that cut texts by UTF-16 units leave halves of emojis.
@Suite("JSON: halves of surrogate pairs")
struct HalfSurrogateTests {
  @Test(
    "A half without the other is read as U+FFFD",
    arguments: [
      (#"\ud83d"#, "\u{FFFD}"), (#"ab\ud83d"#, "ab\u{FFFD}"), (#"\ude00ab"#, "\u{FFFD}ab"),
      (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud83d\ud83d\ude00!"#, "\u{FFFD}\u{1F600}!"),
      (#"\ud83d\ude00\ude00"#, "\u{1F600}\u{FFFD}"), (#"\ud83d\n"#, "\u{FFFD}\n"),
      (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\ud83d\\ude00"#, #"\#u{FFFD}\ude00"#),
      (#"\ud83dude00"#, "\u{FFFD}ude00"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"),
    ])
  func content(_ text: String, _ content: String) throws {
    let json = try JSON(parsing: #"{"\#(text)":"\#(text)"}"#)
    let scalars = Array(content.unicodeScalars)
    #expect(json[content]?.string.map { Array($0.unicodeScalars) } == scalars)
    #expect(json.members.map(\.key).map { Array($0.unicodeScalars) } == [scalars])
    let written = try JSON(.object([content: .string(content)]))
    #expect(json == written && written == json && json.value == written.value)
    #expect(json.value.hashValue == written.value.hashValue)
    #expect(json.canonicalBytes == written.canonicalBytes)
    #expect(try JSON(parsing: json.compactBytes) == json)
    #expect(try json.decode([String: String].self) == [content: content])
    #expect(try JSON(parsing: #"["\#(text)", 1, "\#(text)"]"#).elements.compactMap(\.int) == [1])
  }

  @Test("Keys that differ only in their halves are the same key")
  func keys() throws {
    let json = try JSON(parsing: #"{"\ud800":1,"a":2,"\udfff":3}"#)
    #expect(json.count == 2 && json["\u{FFFD}"]?.int == 3)
  }
}
