import Foundation
import Testing
import Weir

private struct Author: Codable { var id: String; var name: String? }
private struct Todo: Codable { var id: Int8; var author: Author; var due: Date?; var url: URL? }
private struct Failing: Codable {
  struct Own: Error {}
  init() {}
  init(from decoder: any Decoder) throws { throw Own() }
  func encode(to encoder: any Encoder) throws { throw Own() }
}

@Suite("JSON: decoding and encoding errors")
struct JSONCodingErrorTests {
  @Test(
    "Decoding errors name the reason and the path",
    arguments: [
      (#"[{"id":1,"author":{"id":"1"}},{"id":2}]"#, .missingKey("author"), "[1]"),
      (#"[{"id":1,"author":{}}]"#, .missingKey("id"), "[0].author"),
      (#"[{"id":1,"author":{"id":null}}]"#, .missingValue, "[0].author.id"),
      (#"[{"id":1,"author":{"id":7}}]"#, .typeMismatch, "[0].author.id"),
      (#"[{"id":1,"author":[]}]"#, .typeMismatch, "[0].author"),
      (#"[{"id":128,"author":{"id":"1"}}]"#, .invalidValue, "[0].id"),
      (#"[{"id":1.5,"author":{"id":"1"}}]"#, .invalidValue, "[0].id"),
      (#"[{"id":"1","author":{"id":"1"}}]"#, .typeMismatch, "[0].id"),
      (#"[{"id":1,"author":{"id":"1","name":[]}}]"#, .typeMismatch, "[0].author.name"),
      (#"[{"due":"soon","id":1,"author":{"id":"1"}}]"#, .invalidValue, "[0].due"),
      (#"{"a":1}"#, .typeMismatch, ""), ("null", .missingValue, ""),
    ] as [(String, JSONDecodingError.Reason, String)])
  func decoding(_ text: String, _ reason: JSONDecodingError.Reason, _ path: String) throws {
    let json = try JSON(parsing: #"{"data":{"list":\#(text)}}"#)
    let list = try #require(json["data"]?["list"])
    let error = #expect(throws: JSONDecodingError.self) { try list.decode([Todo].self) }
    #expect(error?.reason == reason)
    #expect(error?.underlying is DecodingError)
    #expect(error?.description.hasSuffix(path.isEmpty ? "." : "(at \(path))") == true)
    struct Root: Decodable {
      struct Inner: Decodable { var list: [Todo] }
      var data: Inner
    }
    let whole = #expect(throws: JSONDecodingError.self) { try json.decode(Root.self) }
    #expect(whole?.path.prefix(2).map(\.stringValue) == ["data", "list"])
    #expect(whole?.path.count == 2 + (error?.path.count ?? 0))
  }

  @Test("An error that an initializer makes has the place of its value, too")
  func ownPath() throws {
    /// Text that is JSON again.
    struct Embedded: Decodable {
      struct Inner: Decodable { var x: Int }
      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        _ = try JSONDecoder().decode(Inner.self, from: Data(text.utf8))
      }
    }
    struct Refusing: Decodable {
      init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Refused."))
      }
    }
    struct Post<Meta: Decodable>: Decodable { var meta: Meta }
    let json = try JSON(parsing: #"[{"meta":"{\"x\":1}"},{"meta":"{\"x\":true}"}]"#)
    let embedded = #expect(throws: JSONDecodingError.self) {
      try json.decode([Post<Embedded>].self)
    }
    #expect(embedded?.description.hasSuffix("(at [1].meta.x)") == true)
    let refused = #expect(throws: JSONDecodingError.self) { try json.decode([Post<Refusing>].self) }
    #expect(refused?.description.hasSuffix("(at [0].meta)") == true)
  }

  @Test(
    "Data, dates, URLs and decimals are not read from lists, however long", arguments: [2, 31, 32])
  func lists(count: Int) throws {
    let list = try JSON(JSONValue.array(Array(repeating: 1, count: count)))
    for type in [Data.self, Date.self, URL.self, Decimal.self] as [any Decodable.Type] {
      let error = #expect(throws: JSONDecodingError.self) { try list.decode(type) }
      #expect(error?.reason == .typeMismatch && error?.path.isEmpty == true)
    }
  }

  @Test("An error names the type that was asked for")
  func names() throws {
    for (text, type) in [("\"1\"", "Float"), ("true", "Decimal")] {
      let json = try JSON(parsing: text)
      let error = #expect(throws: JSONDecodingError.self) {
        _ = type == "Float" ? try json.decode(Float.self) as Any : try json.decode(Decimal.self)
      }
      #expect(error?.message.hasPrefix("Expected \(type) but found ") == true)
    }
  }

  @Test("An initializer's own error is kept, together with the path")
  func own() throws {
    let json = try JSON(parsing: #"{"a":[{},{"x":null}]}"#)
    let error = #expect(throws: JSONDecodingError.self) {
      try json.decode([String: [[String: Failing]]].self)
    }
    #expect(error?.underlying is Failing.Own)
    #expect(error?.reason == .other)
    #expect(error?.path.map(\.description) == ["a", "[1]", "x"])
    let other = #expect(throws: JSONEncodingError.self) { try JSON.encode(["k": [Failing()]]) }
    #expect(other?.underlying is Failing.Own)
    #expect(other?.path.map(\.description) == ["k", "[0]"])
  }

  @Test("An error's path is right even if initializers have swallowed other errors before")
  func swallowed() throws {
    struct Item: Decodable {
      enum CodingKeys: CodingKey { case id, author, editor }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let author = try? container.decode(Failing.self, forKey: .author)
        #expect(author == nil)
        switch try container.decode(Int.self, forKey: .id) {
        case 2: throw Failing.Own()
        case 3: _ = try container.decode([Failing].self, forKey: .editor)
        default: break
        }
      }
    }
    for (ids, path) in [
      ([0, 1, 2], ["items", "[2]"]), ([0, 3, 1], ["items", "[1]", "editor", "[0]"]),
    ] {
      let items = ids.map { #"{"author":{},"id":\#($0),"editor":[{}]}"# }
      let json = try JSON(parsing: "{\"items\":[\(items.joined(separator: ","))]}")
      let error = #expect(throws: JSONDecodingError.self) { try json.decode([String: [Item]].self) }
      #expect(error?.path.map(\.description) == path)
      #expect(error?.underlying is Failing.Own)
    }
  }

  @Test("An array that ends too early is a missing value")
  func ended() throws {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while true { _ = try container.decode(Int.self) }
      }
    }
    let error = #expect(throws: JSONDecodingError.self) {
      try JSON(parsing: "[[1,2]]").decode([Pair].self)
    }
    #expect(error?.reason == .missingValue)
    #expect(error?.path.map(\.description) == ["[0]", "[2]"])
  }

  @Test(
    "Numbers that are not finite are rejected everywhere",
    arguments: [Double.nan, .infinity, -.infinity])
  func nonFinite(_ number: Double) {
    let error = #expect(throws: JSONEncodingError.self) { try JSON.encode(["a": [1, number]]) }
    #expect(error?.reason == .nonFiniteNumber)
    #expect(error?.path.map(\.description) == ["a", "[1]"])
    #expect(throws: JSONEncodingError.self) { try JSON.encode(Float(number)) }
    #expect(throws: JSONEncodingError.self) { try JSON.encode(["a": JSONValue.double(number)]) }
    #expect(throws: JSONError(.nonFiniteNumber, offset: 0)) {
      try JSONValue.array([.double(number)]).compactBytes()
    }
    #expect(throws: JSONError.self) { try JSON(.double(number)) }
    #expect(throws: JSONDecodingError.self) { try JSON(parsing: "1e300").decode(Float.self) }
  }

  @Test("A value that contains itself is an error, not a crash")
  func endless() {
    struct Endless: Encodable {
      enum Keys: String, CodingKey { case next }
      var style: Int
      func encode(to encoder: any Encoder) throws {
        switch style {
        case 0:
          var container = encoder.container(keyedBy: Keys.self)
          try container.encode(self, forKey: .next)
        case 1:
          var container = encoder.unkeyedContainer()
          try container.encode(self)
        case 2:
          var container = encoder.singleValueContainer()
          try container.encode(self)
        default:
          var container = encoder.container(keyedBy: Keys.self)
          for _ in 0..<600 {
            container = container.nestedContainer(keyedBy: Keys.self, forKey: .next)
          }
        }
      }
    }
    for style in 0...3 {
      let error = #expect(throws: JSONEncodingError.self) { try JSON.encode(Endless(style: style)) }
      #expect(error?.reason == .tooDeep)
    }
    var value = JSONValue.null
    for _ in 0..<513 { value = [value] }
    #expect(throws: JSONError.self) { try value.compactBytes() }
  }

  @Test("A value that encodes nothing is an error, or an empty object as a member")
  func nothing() throws {
    struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
    let error = #expect(throws: JSONEncodingError.self) { try JSON.encode(Nothing()) }
    #expect(error?.reason == .noValue)
    #expect(try JSON.encode(["a": Nothing()]) == Array(#"{"a":{}}"#.utf8))
  }

  @Test(
    "Dates are read and written in the forms of ISO 8601",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-01-31T09:00:00Z", 1_769_850_000),
      ("2026-01-31T09:00:00.250Z", 1_769_850_000.25), ("2026-01-31T10:30:00+01:30", 1_769_850_000),
      ("2026-01-31T08:00:00-0100", 1_769_850_000), ("2026-01-31t09:00:00z", 1_769_850_000),
      ("2026-01-31 09:00", 1_769_850_000), ("2026-01-31T09:00:00", 1_769_850_000),
      ("2026-01-31", 1_769_817_600), ("1969-12-31T23:59:59.5Z", -0.5),
      ("2000-02-29", 951_782_400), ("0001-01-01T00:00:00Z", -62_135_596_800),
      ("9999-12-31T23:59:59Z", 253_402_300_799), ("2024-12-31T23:59:60Z", 1_735_689_600),
      ("2026-02-29", nil), ("1900-02-29", nil), ("2026-13-01", nil), ("2026-00-01", nil),
      ("2026-04-31", nil), ("2026-01-00", nil), ("2026-01-01T24:00:00Z", nil),
      ("2026-01-01T00:60:00Z", nil), ("2026-01-01T00:00:61Z", nil), ("2026-01-01T00:00:00.Z", nil),
      ("2026-01-01T00:00:00ZZ", nil), ("2026-01-01T", nil), ("26-01-01", nil), ("", nil),
      ("2026-1-1", nil), ("2026-01-01T00:00:00+", nil), ("2026-01-01T00:00:00+25:00", nil),
      ("2026-01-01T00:00:00+01:60", nil), ("2026-01-01T00:00:00é", nil),
    ] as [(String, Double?)])
  func dates(_ text: String, _ seconds: Double?) throws {
    let date = try? JSON(JSONValue.string(text)).decode(Date.self)
    #expect(date?.timeIntervalSince1970 == seconds)
    guard let date else { return }
    let written = try JSON(parsing: JSON.encode(date))
    #expect(try written.decode(Date.self) == date)
    let formatter = ISO8601DateFormatter()
    if date.timeIntervalSince1970 == date.timeIntervalSince1970.rounded(),
      date.timeIntervalSince1970 > -1e10
    {
      #expect(written.string == formatter.string(from: date))
    }
  }

  @Test("The other date strategies survive a round trip")
  func dateStrategies() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    for dates in [JSONDateStrategy.secondsSince1970, .millisecondsSince1970, .deferredToDate] {
      let bytes = try JSON.encode(["d": date], options: JSONEncodeOptions(dates: dates))
      #expect(try JSON(parsing: bytes).decode([String: Date].self, dates: dates) == ["d": date])
    }
    #expect(throws: JSONEncodingError.self) { try JSON.encode(Date(timeIntervalSince1970: 1e18)) }
    #expect(throws: JSONEncodingError.self) {
      try JSON.encode(Date.distantPast.addingTimeInterval(-1e8))
    }
  }

  @Test(
    "Decimals are read from numbers and strings",
    arguments: [
      ("12.50", "12.5"), ("\"12.50\"", "12.5"), ("-0.1", "-0.1"), ("1e3", "1000"),
      ("123456789012345678901234567890", "123456789012345678901234567890"),
      ("\"x\"", nil), ("\"1x\"", nil), ("true", nil), ("\"\"", nil), ("\" 1\"", nil),
      ("1e200", nil),
    ] as [(String, String?)])
  func decimals(_ text: String, _ expected: String?) throws {
    let decimal = try? JSON(parsing: text).decode(Decimal.self)
    #expect(decimal?.description == expected)
  }
}
