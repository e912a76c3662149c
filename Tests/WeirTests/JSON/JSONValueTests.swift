import Foundation
import Testing
import Weir

@Suite("JSON: values")
struct JSONValueTests {
  let json: JSON

  init() throws {
    json = try JSON(
      parsing: #"{"n":null,"t":true,"f":false,"i":-7,"u":18446744073709551615,"d":2.5,"#
        + #""s":"a\u00e9\n","a":[1,[2,3],{"x":4},5],"o":{"k":{},"":0},"e\u0061":1}"#)
  }

  @Test("Each value is read as its own kind and no other")
  func kinds() {
    #expect(
      json.members.map(\.value.kind)
        == [.null, .bool, .bool, .number, .number, .number, .string, .array, .object, .number])
    #expect(json.members.map(\.key) == ["n", "t", "f", "i", "u", "d", "s", "a", "o", "ea"])
    #expect(
      json.members.map(\.value.bool) == [nil, true, false] + [Bool?](repeating: nil, count: 7))
    #expect(json.members.compactMap(\.value.int) == [-7, 1])
    #expect(json.members.compactMap(\.value.uint) == [.max, 1])
    #expect(json.members.compactMap(\.value.double) == [-7, 0x1p64, 2.5, 1])
    #expect(json.members.compactMap(\.value.string) == ["aé\n"])
    #expect(json.members.map(\.value.isNull) == [true] + [Bool](repeating: false, count: 9))
    #expect(json.members.map(\.value.count) == [0, 0, 0, 0, 0, 0, 0, 4, 2, 0])
  }

  @Test("A tree reads numbers as the text does, up to the limits of their types")
  func scalarsOfTree() throws {
    let json = try JSON(
      parsing: "[-1, 0, 9223372036854775807, 9223372036854775808, 18446744073709551615,"
        + " 1.0, 0.5, 1e30, null]")
    let tree = try #require(json.value.array)
    #expect(tree.map(\.uint) == json.elements.map(\.uint))
    let expected: [UInt64?] = [nil, 0, UInt64(Int64.max), 1 << 63, .max, 1, nil, nil, nil]
    #expect(tree.map(\.uint) == expected)
    #expect(tree.map(\.int) == json.elements.map(\.int))
    #expect(tree.map(\.double) == json.elements.map(\.double))
  }

  @Test("Dates are compared as instants, whatever their texts look like")
  func dates() throws {
    let json = try JSON(
      parsing: """
        ["2026-02-01T09:00:00Z", "2026-02-01T10:00:00.5+01:00", "2026-02-01T08:00:01-01:00",
         "2026-02-30", "soon", 1769936400, null]
        """)
    let dates: [Date?] = json.elements.map(\.date)
    let instants = dates.prefix(3).compactMap { $0?.timeIntervalSince1970 }
    #expect(instants == [1_769_936_400, 1_769_936_400.5, 1_769_936_401])
    #expect(dates.dropFirst(3).allSatisfy { $0 == nil })
    let tree = try #require(json.value.array)
    #expect(tree.map(\.date) == dates)
  }

  @Test("Elements of lists are replaced, appended, and removed by position")
  func positions() {
    var data: JSONValue = ["posts": [["title": "a"], ["title": "b"]]]
    data["posts"]?[0]?["title"] = "A"
    data["posts"]?[2] = ["title": "c"]
    data["posts"]?[1] = nil
    data["posts"]?[7]?["title"] = "not there"
    data["posts"]?[7] = nil
    data["posts"]?[-1] = nil
    #expect(data == ["posts": [["title": "A"], ["title": "c"]]])
    var value: JSONValue = 1
    value[3] = nil
    #expect(value == 1)
    value[0] = 2
    #expect(value == [2])
  }

  @Test("Removing a member changes nothing that is not an object")
  func removals() {
    var data: JSONValue = ["name": "a", "none": nil, "list": [1]]
    for key in ["name", "none", "list", "absent"] { data[key]?["x"] = nil }
    #expect(data == ["name": "a", "none": nil, "list": [1]])
    data["none"]?["x"] = 1
    #expect(data["none"] == ["x": 1])
    data["none"]?["x"] = nil
    #expect(data["none"] == [:])
  }

  @Test("Values are found by key and by index")
  func lookUp() {
    #expect(json["a"]?[2]?["x"]?.int == 4)
    #expect(json["a"]?[3]?.int == 5)
    #expect(json["ea"]?.int == 1)
    #expect(json["o"]?[""]?.int == 0)
    #expect(json["x"] == nil && json[0] == nil && json["a"]?["x"] == nil)
    #expect(json["a"]?[4] == nil && json["a"]?[-1] == nil)
    #expect(json["a"]?.elements.map(\.description) == ["1", "[2,3]", #"{"x":4}"#, "5"])
    #expect(json["o"]?.elements.map(\.description) == [])
    #expect(json["a"]?.members.map(\.key) == [])
  }

  @Test("A value's bytes are its slice of the text")
  func bytes() {
    #expect(json["s"].map { Array($0.bytes) } == Array(#""a\u00e9\n""#.utf8))
    #expect(json["a"].map { Array($0.bytes) } == Array(#"[1,[2,3],{"x":4},5]"#.utf8))
    #expect(json["n"].map { Array($0.bytes) } == Array("null".utf8))
    #expect(json.bytes[...] == json.document.bytes[...])
  }

  @Test(
    "The last of several members with equal keys counts, in the place of the first",
    arguments: [
      (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#),
      (#"{"a":[1,2],"a":{},"a":[[]],"b":1}"#, #"{"a":[[]],"b":1}"#),
      (#"{"a":1,"\u0061":2}"#, #"{"a":2}"#),
      (#"{"x":{"a":1,"a":[7]},"y":{"a":1,"a":[8]}}"#, #"{"x":{"a":[7]},"y":{"a":[8]}}"#),
      (#"[{"a":1,"a":2},{"a":3,"a":4},{"a":5}]"#, #"[{"a":2},{"a":4},{"a":5}]"#),
      ("{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"\u{e9}\":1,\"e\u{301}\":2}"),
      (
        #"{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"1":2,"\#u{e9}":1,"e\#u{301}":2}"#,
        #"{"1":2,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"\#u{e9}":1,"e\#u{301}":2}"#
      ),
    ])
  func repeatedKeys(_ text: String, _ expected: String) throws {
    let json = try JSON(parsing: text)
    #expect(json.description == expected)
    #expect(json.value.description == expected)
  }

  @Test("Objects with alternating sets of keys keep their own", arguments: 1...6)
  func alternating(_ kinds: Int) throws {
    let text = (0..<60).map { row in
      let kind = (row * 7 + row / 5) % kinds
      let extra = (0...kind).map { #","k\#($0)":{"v\#(kind)":\#(row)}"# }.joined()
      return #"{"id":\#(row)\#(extra),"__typename":"T\#(kind)"}"#
    }.joined(separator: ",")
    let json = try JSON(parsing: "[\(text)]")
    #expect(json.description == "[\(text)]")
    #expect(json.value.description == "[\(text)]")
    for (row, element) in json.elements.enumerated() { #expect(element["id"]?.int == Int64(row)) }
  }

  @Test(
    "Equality compares meaning, not text",
    arguments: [
      (#"{"a":1,"b":[2]}"#, #" { "b" : [ 2 ] , "a" : 1 } "#, true),
      (#"{"a":1,"b":2}"#, #"{"a":1,"c":2}"#, false), (#"{"a":1}"#, #"{"a":1,"b":2}"#, false),
      (#""\u00e9""#, #""é""#, true), (#""a""#, #""b""#, false),
      ("\"\u{e9}\"", "\"e\u{301}\"", false),
      ("1", "1", true), ("1", "1.0", false), ("1.0", "1.00", true), ("1e2", "100.0", true),
      ("100", "1e2", false), ("0", "-0", true), ("0.0", "-0.0", true),
      ("9223372036854775807", "9223372036854775808", false),
      ("18446744073709551616", "18446744073709551617", true),
      ("[1,2]", "[2,1]", false), ("[]", "{}", false), ("[]", "[ ]", true), ("null", "false", false),
      (#"{"\u0061":1,"b":2}"#, #"{"b":2,"a":1}"#, true),
      (#"{"a":{"x":1,"y":2},"b":0}"#, #"{"a":{"y":2,"x":1},"b":0}"#, true),
      ("{\"\u{e9}\":1}", "{\"e\u{301}\":1}", false),
      ("{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"e\u{301}\":1,\"\u{e9}\":2}", false),
      ("{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"e\u{301}\":2,\"\u{e9}\":1}", true),
    ])
  func equality(_ left: String, _ right: String, _ expected: Bool) throws {
    let (left, right) = (try JSON(parsing: left), try JSON(parsing: right))
    #expect((left == right) == expected)
    #expect((right == left) == expected)
    if expected {
      #expect(left.value == right.value)
      #expect(left.value.hashValue == right.value.hashValue)
    } else if left.kind == .object {
      #expect(left.value != right.value)
    }
  }

  @Test(
    "Integers are exact to 64 bits",
    arguments: [
      ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775808", .uint(1 << 63)), ("18446744073709551615", .uint(.max)),
      ("18446744073709551616", .double(0x1p64)), ("-9223372036854775809", .double(-0x1p63)),
      ("0", .int(0)), ("-0", .int(0)), ("-0.0", .double(0)), ("1.0", .double(1)),
      ("1E2", .double(100)),
      ("1e-400", .double(0)), ("2.2250738585072014e-308", .double(.leastNormalMagnitude)),
      ("9007199254740993.0", .double(9_007_199_254_740_992)),
      ("123456789012345678e-3", .double(123_456_789_012_345.678)),
      ("0.1e1", .double(1)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    ] as [(String, JSONValue)])
  func numbers(_ text: String, _ expected: JSONValue) throws {
    #expect(try JSON(parsing: text).value == expected)
  }

  @Test(
    "An integer with a point or an exponent is exact, and nothing is rounded to one",
    arguments: [
      ("1.0", 1), ("-1.50e1", -15), ("0e5", 0), ("100e-2", 1), ("1e18", 1_000_000_000_000_000_000),
      ("9007199254740993.0", 9_007_199_254_740_993),
      ("12345678901234567e0", 12_345_678_901_234_567),
      ("9223372036854775807.0", .max), ("-9.223372036854775808e18", .min),
      ("9223372036854775808.0", nil), ("1e300", nil), ("0.5", nil), ("1e-1", nil),
      ("0.99999999999999999999", nil), ("1.00000000000000000001", nil), ("1e-400", nil),
      ("0e99999", 0),
    ] as [(String, Int64?)])
  func integers(_ text: String, _ expected: Int64?) throws {
    let json = try JSON(parsing: text)
    #expect(json.int == expected)
    #expect((try? json.decode(Int64.self)) == expected)
  }

  @Test("Trees can be written as literals, changed and described")
  func trees() throws {
    var value: JSONValue = ["a": [1, 2.5, "x", nil, true], "b": ["c": .uint(.max)]]
    #expect(value.description == #"{"a":[1,2.5,"x",null,true],"b":{"c":18446744073709551615}}"#)
    value["b"]?["c"] = "\(1)"
    value["d"] = .array([])
    value["a"] = nil
    #expect(value == ["d": [], "b": ["c": "1"]])
    #expect(value.object?.keys == ["b", "d"])
    #expect(JSONValue.double(10).int == 10 && JSONValue.double(1.5).int == nil)
    #expect(value["b"]?["c"]?.string == "1" && value["d"]?.array == [] && value["d"]?[0] == nil)
    value = 5
    value["x"] = false
    #expect(value == ["x": false] && value["x"]?.bool == false && value.int == nil)
    #expect(JSONValue.double(.nan).description.contains("not-a-number"))
  }

  @Test("Changing one object leaves the others unchanged", arguments: [3, 40])
  func copies(_ count: Int) throws {
    let rows = (0..<3).map { row in
      "{" + (0..<count).map { "\"k\($0)\":\(row)" }.joined(separator: ",") + "}"
    }
    var array = try #require(try JSON(parsing: "[\(rows.joined(separator: ","))]").value.array)
    array[1]["new"] = 1
    array[2]["k0"] = nil
    #expect(array.map { $0.object?.count } == [count, count + 1, count - 1])
    #expect(array[0]["new"] == nil && array[1]["k\(count - 1)"] == 1 && array[2]["k1"] == 2)
    var copy = array[1]
    copy["other"] = 2
    #expect(array[1]["other"] == nil && copy["other"] == 2 && copy["new"] == 1)
    #expect(JSONObject([("a", 1), ("b", 2), ("a", 3)]) == ["b": 2, "a": 3])
  }

  @Test("A document reports its memory, and similar objects share their keys")
  func footprint() throws {
    let row = #"{"id":"1","text":"Todo item number 1","complete":true}"#
    let document = try JSONDocument.parse(
      Array("[\([String](repeating: row, count: 1000).joined(separator: ","))]".utf8))
    // Two cells for an object, one for each other value.
    #expect(document.tapeSize <= 1000 * 5 * 8 + 100)
    #expect(document.footprint == document.bytes.count + document.tapeSize)
  }

  @Test("A string of any length equals the one that Swift makes from the same bytes")
  func stringLengths() throws {
    for pattern in ["abcdefghijklmnopqrstuvwxyz0123456789", "é日👍🏽", "a👍é", "日", "\u{7f}~"] {
      var text = ""
      for scalar in (0..<40).flatMap({ _ in pattern.unicodeScalars }) where text.utf8.count < 40 {
        // Alone, as the text's end, and before others.
        let json = try JSON(parsing: "[\"\(text)\",\"\(text)\",\"\"]")
        for place in 0..<2 {
          let read = try #require(json[place]?.string)
          #expect(read == text && read.utf8.elementsEqual(text.utf8))
          #expect(Set([text]).contains(read) && read + "z" == text + "z")
        }
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
