import Foundation
import TestSupport
import Testing
import Weir

@Suite("JSON: Codable")
struct JSONCodableTests {
  private let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
  private let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }()

  func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSON.encode(value), as: UTF8.self)
  }

  @Test("All kinds of members are encoded and decoded as Foundation does")
  func everything() throws {
    let value = Everything()
    let bytes = try JSON.encode(value)
    #expect(try JSON(parsing: bytes).decode(Everything.self) == value)
    #expect(try decoder.decode(Everything.self, from: Data(bytes)) == value)
    let other = try encoder.encode(value)
    #expect(try JSON(parsing: Array(other)).decode(Everything.self) == value)
    #expect(try JSON(parsing: Array(other)) == JSON(parsing: bytes))
    #expect(try JSONValue(encoding: value)["int"] == .int(.min))
    let unordered = try JSON.encode(value, options: JSONEncodeOptions(sortsKeys: false))
    #expect(try JSON(parsing: unordered) == JSON(parsing: bytes))
    #expect(String(decoding: unordered, as: UTF8.self).hasPrefix(#"{"bool":true,"int":-92"#))
  }

  @Test("A UUID is written in small letters, as RFC 9562 demands, and read in any")
  func identifiers() throws {
    let id = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    let uuid = try #require(UUID(uuidString: id))
    #expect(try text(["id": uuid]) == #"{"id":"\#(id)"}"#)
    #expect(try JSON(parsing: #"["\#(id.uppercased())"]"#).decode([UUID].self) == [uuid])
  }

  @Test("Numbers of 128 bits are encoded and decoded in every position")
  func wideNumbers() throws {
    let (least, most) = ("-170141183460469231731687303715884105728", "\(UInt128.max)")
    #expect(
      String(decoding: try JSON.encode(Wide()), as: UTF8.self)
        == #"{"list":[\#(most)],"pair":[\#(Int128.max),0],"signed":\#(least),"unsigned":\#(most)}"#)
    #expect(try JSON(parsing: try JSON.encode(Wide())).decode(Wide.self) == Wide())
  }

  @Test("Absent members of every type are written as null if the options say so")
  func absentMembers() throws {
    #expect(try JSON.encode(Absent()) == Array("{}".utf8))
    var options = JSONEncodeOptions()
    options.writesNil = true
    let written = try JSON(parsing: try JSON.encode(Absent(), options: options))
    #expect(written.count == 17)
    #expect(written.members.allSatisfy { $0.value.isNull })
  }

  @Test("Inheritance and nested containers are encoded and decoded as Foundation does")
  func inheritance() throws {
    let written = try text(Derived())
    let expected =
      #"{"derived":2,"inner":{"deep":10},"list":[100,{"deep":1000},[10000,20000],100000],"super":{"base":1}}"#
    #expect(written == expected)
    #expect(String(decoding: try encoder.encode(Derived()), as: UTF8.self) == expected)
    #expect(try JSON(parsing: written).decode(Derived.self).derived == 131_112)
  }

  @Test("Nested containers of one key are one container, as in Foundation")
  func sharedContainers() throws {
    struct Parts: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONPathKey.self)
        for position in 0..<3 {
          var object = container.nestedContainer(
            keyedBy: JSONPathKey.self, forKey: JSONPathKey("object"))
          try object.encode(position, forKey: JSONPathKey("k\(position / 2)"))
          var list = container.nestedUnkeyedContainer(forKey: JSONPathKey("list"))
          if position != 1 { try list.encode(position) }
        }
        // Values replace each other, whatever was there before.
        try container.encode(["a": 1], forKey: JSONPathKey("value"))
        try container.encode(["b": 2], forKey: JSONPathKey("value"))
        var last = container.nestedUnkeyedContainer(forKey: JSONPathKey("mixed"))
        try last.encode(1)
        try container.encode([2], forKey: JSONPathKey("mixed"))
      }
    }
    let expected = #"{"list":[0,2],"mixed":[2],"object":{"k0":1,"k1":2},"value":{"b":2}}"#
    #expect(try text(Parts()) == expected)
    #expect(String(decoding: try encoder.encode(Parts()), as: UTF8.self) == expected)
  }

  @Test(
    "Canonical text sorts members and has one form for each number and string",
    arguments: [
      (["b": 1, "a": [nil, true, 0.5]], #"{"a":[null,true,0.5],"b":1}"#),
      (["b": ["d": [:], "c": []], "": 1], #"{"":1,"b":{"c":[],"d":{}}}"#),
      (
        ["é": 1, "z": 2, "\n": 3, "\"": 4, " ": 5, "aa": 6, "a": 7],
        "{\"\\n\":3,\" \":5,\"\\\"\":4,\"a\":7,\"aa\":6,\"z\":2,\"é\":1}"
      ),
      (
        [1.0, -0.0, 1e22, .double(.leastNonzeroMagnitude), 0.1, 123_456_789.125],
        "[1.0,-0.0,1e+22,5e-324,0.1,123456789.125]"
      ),
      (["\u{8}\u{c}\r\t\u{1f}/\u{7f}\u{2028}"], "[\"\\b\\f\\r\\t\\u001f/\u{7f}\u{2028}\"]"),
      ([.uint(.max), .int(.min), .uint(1)], "[18446744073709551615,-9223372036854775808,1]"),
    ] as [(JSONValue, String)])
  func canonical(_ value: JSONValue, _ expected: String) throws {
    #expect(String(decoding: try value.canonicalBytes(), as: UTF8.self) == expected)
    #expect(try text(value) == expected)
    #expect(try text([value]) == "[\(expected)]")
    #expect(String(decoding: try JSON(value).canonicalBytes, as: UTF8.self) == expected)
    if let members = value.object {
      let dictionary = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
      #expect(try text(dictionary) == expected)
    }
  }

  @Test("Members are sorted whatever their order, and the last of equal keys counts")
  func sorting() throws {
    struct Members: Encodable {
      var keys: [String]
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONPathKey.self)
        for (position, key) in keys.enumerated() {
          try container.encode(position, forKey: JSONPathKey(key))
        }
      }
    }
    var generator = SeededRandom(seed: 3)
    for count in [0, 1, 2, 3, 16, 17, 500] {
      let keys = (0..<count).map { "k\($0 % 300)" }.shuffled(using: &generator)
      var last: [String: Int] = [:]
      for (position, key) in keys.enumerated() { last[key] = position }
      let expected = last.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      #expect(try text(Members(keys: keys)) == "{\(expected.joined(separator: ","))}")
    }
    let options = JSONEncodeOptions(sortsKeys: false)
    #expect(
      try JSON.encode(Members(keys: ["b", "a", "b"]), options: options)
        == Array(#"{"a":1,"b":2}"#.utf8))
  }

  @Test(
    "A value that is not a container is encoded and decoded",
    arguments: ["1", "\"x\"", "null", "true", "1.5", "[]"])
  func fragments(_ source: String) throws {
    #expect(try text(JSON(parsing: source)) == source)
    #expect(try text(JSON(parsing: source).value) == source)
    #expect(try text(JSON(parsing: source).decode(JSON.self)) == source)
    #expect(try text(JSON(parsing: source).decode(JSONValue?.self)) == source)
  }

  @Test("JSON and JSONValue also work with Foundation's coders")
  func foreignCoders() throws {
    let source = #"{"a":[1,-2.5,"x",null,true,{"b":18446744073709551615}]}"#
    let json = try decoder.decode(JSON.self, from: Data(source.utf8))
    #expect(json == (try JSON(parsing: source)))
    #expect(String(decoding: try encoder.encode(json), as: UTF8.self) == source)
  }

  @Test("Through other coders, a whole Double becomes an integer; as text or tree it stays one")
  func wholeDoubles() throws {
    let json = try JSON(parsing: #"{"price":2.0}"#)
    let copy = try decoder.decode(JSON.self, from: encoder.encode(json))
    #expect(copy != json && copy["price"]?.value == .int(2))
    #expect(try decoder.decode(JSONValue.self, from: Data("1e2".utf8)) == .int(100))
    #expect(try JSON(parsing: json.description) == json)
    #expect(try JSON(parsing: JSON.encode(json)) == json)
  }

  @Test("Decoding a part of a document as JSON does not copy it")
  func parts() throws {
    struct Response: Decodable { var data: JSON }
    let json = try JSON(parsing: #"{"data":{"a":[1]}}"#)
    let data = try json.decode(Response.self).data
    #expect(json["data"]?.isIdentical(to: data) == true)
  }

  @Test("Members are found in any order, also in large objects", arguments: [1, 5, 17, 300])
  func order(_ count: Int) throws {
    let members = (0..<count).map { "\"k\($0)\":{\"v\":[\($0),[]]}" }
    var generator = SeededRandom(seed: 1)
    struct Item: Decodable { var v: JSON }
    for _ in 0..<3 {
      let json = try JSON(
        parsing: "{\(members.shuffled(using: &generator).joined(separator: ","))}")
      let items = try json.decode([String: Item].self)
      #expect(items.count == count)
      for (key, item) in items { #expect(key == "k\(item.v[0]?.int ?? -1)") }
    }
  }

  @Test("userInfo reaches initializers and encode methods")
  func userInfo() throws {
    struct Reader: Codable, Equatable {
      static let key = CodingUserInfoKey(rawValue: "k")
      var text: String
      init(from decoder: any Decoder) {
        text = "\(Self.key.flatMap { decoder.userInfo[$0] } ?? "")"
      }
      func encode(to encoder: any Encoder) throws {
        try "\(Self.key.flatMap { encoder.userInfo[$0] } ?? "")".encode(to: encoder)
      }
    }
    let key = try #require(Reader.key)
    let reader = try JSON(parsing: "1").decode(Reader.self, userInfo: [key: "seen"])
    #expect(reader.text == "seen")
    let options = JSONEncodeOptions(userInfo: [key: "too"])
    #expect(try JSON.encode(reader, options: options) == Array("\"too\"".utf8))
  }
}
