import Testing
import Weir

@testable import WeirJSON

/// The parts of selections, as generated from fragments and type conditions.
@Suite("JSON: parts of selections")
struct SelectionPartTests {
  private struct Text: SelectionData {
    var text: String
    init(_ text: String) { self.text = text }
    init(reading fields: inout FieldReader) throws { text = try fields.read("text") }
    func write(to fields: inout FieldWriter) { fields.write("text", text) }
  }

  private struct Number: SelectionData {
    var number: Double
    init(reading fields: inout FieldReader) throws { number = try fields.read("text") }
    func write(to fields: inout FieldWriter) { fields.write("text", number) }
  }

  private struct Whole<Part: SelectionData>: SelectionData {
    var one: Part
    var other: Part
    init(reading fields: inout FieldReader) throws {
      one = try fields.part()
      other = try fields.part()
    }
    func write(to fields: inout FieldWriter) {
      fields.part(one)
      fields.part(other)
    }
  }

  private struct Typed: SelectionDecodable {
    var post: Text?
    var keyed: Bool
    init(reading fields: inout FieldReader) throws {
      post = try fields.part(on: "Post")
      keyed = fields.has("Post:missing")
    }
  }

  @Test("A type name is found however it is spelled", arguments: ["Post", "P\\u006fst"])
  func typenames(_ name: String) throws {
    let json = try JSON(parsing: "{\"text\":\"a\",\"__typename\":\"\(name)\"}")
    let value = try json.decode(Typed.self)
    #expect(value.post?.text == "a")
    #expect(!value.keyed)
  }

  @Test("A change to other bytes counts, although Swift's strings are equal")
  func normalForms() throws {
    let (one, other) = ("caf\u{e9}", "cafe\u{301}")
    let old = try JSON(JSONValue.object(["text": .string(one)]))
    var data = try old.decode(Whole<Text>.self)
    data.other.text = other
    let new = try JSONValue(
      selection: data, old: JSONValue(selection: old.decode(Whole<Text>.self)))
    #expect(try #require(new["text"]?.string).utf8.elementsEqual(other.utf8))
    data.one.text = other
    data.other.text = one
    let again = try JSONValue(selection: data, old: old.value)
    #expect(try #require(again["text"]?.string).utf8.elementsEqual(other.utf8))
    #expect(throws: JSONEncodingError.self) { try JSONValue(selection: data) }
  }

  private struct Tags: SelectionData {
    var tags: [String: Int]
    init(reading fields: inout FieldReader) throws { tags = try fields.decode("text") }
    func write(to fields: inout FieldWriter) { fields.encode("text", tags) }
  }

  @Test("A scalar that is an object counts as a whole")
  func scalars() throws {
    let old = try JSON(parsing: #"{"text":{"a":1,"b":2}}"#)
    var data = try old.decode(Whole<Tags>.self)
    data.one.tags["b"] = nil
    #expect(try JSONValue(selection: data, old: old.value)["text"] == JSONValue.object(["a": 1]))
    data.other.tags["a"] = 3
    #expect(throws: JSONEncodingError.self) { try JSONValue(selection: data, old: old.value) }
  }

  @Test("A change of the sign of zero counts")
  func zeros() throws {
    let old = try JSON(parsing: #"{"text":0.0}"#)
    var data = try old.decode(Whole<Number>.self)
    data.other.number = -0.0
    #expect(try JSONValue(selection: data, old: old.value)["text"]?.double?.sign == .minus)
  }
}
