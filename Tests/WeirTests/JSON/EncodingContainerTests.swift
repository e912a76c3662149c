import Foundation
import Testing
import Weir

/// Values that use their encoder in unusual ways, and errors of encoders.
@Suite("JSON: containers of encoders")
struct EncodingContainerTests {
  /// As generated: the type writes its fields to a `FieldWriter`.
  private struct Post: SelectionData {
    var id = "1"
    var score = 0.5
    init() {}
    init(score: Double) { self.score = score }
    init(reading fields: inout FieldReader) throws { id = try fields.read("id") }
    func write(to fields: inout FieldWriter) {
      fields.write("id", id)
      fields.write("score", score)
    }
  }

  private enum Key: String, CodingKey { case id, k, x, y }

  /// A value whose `encode(to:)` is a closure.
  private struct Custom: Encodable {
    var body: (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  private struct Failure: Error {}

  private let foundation: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }()

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSON.encode(value), as: UTF8.self)
  }

  private func error(_ value: some Encodable) -> JSONEncodingError? {
    #expect(throws: JSONEncodingError.self) { try JSON.encode(value) }
  }

  @Test("A value and then members of its object form one object, as in Foundation")
  func membersAfterValue() throws {
    let inserted = Custom { encoder in
      try Post().encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(5, forKey: .x)
      try container.encode("2", forKey: .id)
    }
    let appended = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(5, forKey: .x)
      try container.encode("2", forKey: .id)
      try Post().encode(to: encoder)
    }
    #expect(try text(inserted) == #"{"id":"2","score":0.5,"x":5}"#)
    #expect(try text(["k": [inserted]]) == #"{"k":[{"id":"2","score":0.5,"x":5}]}"#)
    #expect(try text(appended) == #"{"id":"1","score":0.5,"x":5}"#)
    for value in [inserted, appended] {
      #expect(try String(decoding: foundation.encode(value), as: UTF8.self) == text(value))
    }
  }

  @Test("Elements after an array that was written as JSON are appended")
  func elementsAfterValue() throws {
    let list = Custom { encoder in
      var single = encoder.singleValueContainer()
      try single.encode(JSONValue.array(["a\n", 1, [2], nil]))
      var container = encoder.unkeyedContainer()
      try container.encode(true)
    }
    #expect(try text(list) == #"["a\n",1,[2],null,true]"#)
  }

  @Test("Two kinds of containers for one value are an error")
  func mixedContainers() throws {
    let bodies: [(any Encoder) throws -> Void] = [
      { encoder in
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(1, forKey: .x)
        var elements = encoder.unkeyedContainer()
        try elements.encode(2)
      },
      { encoder in
        var elements = encoder.unkeyedContainer()
        for number in 0..<40 { try elements.encode(number) }
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(1, forKey: .x)
      },
      { encoder in
        var single = encoder.singleValueContainer()
        try single.encode("text")
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(1, forKey: .x)
      },
      { encoder in
        var members = encoder.container(keyedBy: Key.self)
        var single = encoder.singleValueContainer()
        try single.encode(String(repeating: "text", count: 1000))
        try members.encode(1, forKey: .x)
      },
    ]
    for body in bodies {
      let error = error(["k": [Custom(body: body)]])
      #expect(error?.reason == .invalidValue)
      #expect(error?.path.map(\.description) == ["k", "[0]"])
      #expect(self.error(Custom(body: body))?.path.isEmpty == true)
    }
  }

  @Test("A member or element whose error was caught leaves nothing, as in Foundation")
  func caughtErrors() throws {
    let value = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try? container.encode(Double.nan, forKey: .id)
      try? container.encode(Float.infinity, forKey: .id)
      try container.encode(1, forKey: .x)
      let partial = Custom { encoder in
        var inner = encoder.container(keyedBy: Key.self)
        try inner.encode(7, forKey: .id)
        throw Failure()
      }
      try? container.encode(partial, forKey: .k)
      var list = container.nestedUnkeyedContainer(forKey: .y)
      try? list.encode(partial)
      try list.encode(2)
      try? list.encode(Double.nan)
      #expect(list.count == 1)
    }
    #expect(try text(value) == #"{"x":1,"y":[2]}"#)
    #expect(try String(decoding: foundation.encode(value), as: UTF8.self) == text(value))
    let fallback = Custom { encoder in
      var single = encoder.singleValueContainer()
      do {
        try single.encode(
          Custom { encoder in
            var inner = encoder.container(keyedBy: Key.self)
            try inner.encode(7, forKey: .id)
            throw Failure()
          })
      } catch {
        try single.encode(["x": 1])
      }
    }
    #expect(try text(["k": fallback]) == #"{"k":{"x":1}}"#)
    let empty = Custom { encoder in
      var container = encoder.unkeyedContainer()
      try? container.encode(Double.nan)
    }
    #expect(try text(empty) == "[]")
  }

  @Test("A nested container continues a value with the same key, as in Foundation")
  func nestedAfterValue() throws {
    let value = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(["a": 1], forKey: .k)
      var nested = container.nestedContainer(keyedBy: JSONPathKey.self, forKey: .k)
      try nested.encode(2, forKey: JSONPathKey("b"))
      try container.encode([1], forKey: .x)
      var list = container.nestedUnkeyedContainer(forKey: .x)
      try list.encode(2)
      try container.encode(JSONValue.object(["b": 1, "a\n": 1, "c": 1]), forKey: .y)
      var other = container.nestedContainer(keyedBy: JSONPathKey.self, forKey: .y)
      try other.encode(2, forKey: JSONPathKey("b"))
    }
    let expected = #"{"k":{"a":1,"b":2},"x":[1,2],"y":{"a\n":1,"b":2,"c":1}}"#
    #expect(try text(value) == expected)
    #expect(String(decoding: try foundation.encode(value), as: UTF8.self) == expected)
    let options = JSONEncodeOptions(sortsKeys: false)
    #expect(
      try JSON.encode(value, options: options)
        == Array(#"{"k":{"a":1,"b":2},"x":[1,2],"y":{"a\n":1,"c":1,"b":2}}"#.utf8))
  }

  @Test("The path of an error is that of the error that was thrown")
  func paths() {
    let failing = Custom { _ in throw Failure() }
    let value = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try? container.encode([failing], forKey: .x)
      try container.encode(
        [
          "a": [1, 2].map { number in
            Custom { if number == 2 { throw Failure() } else { try number.encode(to: $0) } }
          }
        ], forKey: .y)
    }
    let error = error([value])
    #expect(error?.underlying is Failure)
    #expect(error?.path.map(\.description) == ["[0]", "y", "a", "[1]"])
  }

  @Test("The path of an error leads into values that are written as JSON")
  func pathsWithinValues() {
    let inner = error(["k": [Post(score: .nan)]])
    #expect(inner?.reason == .nonFiniteNumber)
    #expect(inner?.path.map(\.description) == ["k", "[0]", "score"])
    #expect(error(Post(score: .nan))?.path.map(\.description) == ["score"])
    let tree = error(["k": JSONValue.array([1, ["x": .double(.infinity)]])])
    #expect(tree?.path.map(\.description) == ["k", "[1]", "x"])
  }

  @Test("A generated type's own error has the path from the root", arguments: [true, false])
  func conflicts(isWeir: Bool) {
    struct Whole: SelectionData {
      init() {}
      init(reading fields: inout FieldReader) {}
      func write(to fields: inout FieldWriter) {
        fields.write("id", "1")
        fields.write("id", "2")
      }
    }
    let error = #expect(throws: JSONEncodingError.self) {
      let value = ["k": [Whole()]]
      if isWeir { _ = try JSON.encode(value) } else { _ = try foundation.encode(value) }
    }
    #expect(error?.reason == .conflictingParts)
    #expect(error?.path.map(\.description) == ["k", "[0]", "id"])
  }

  @Test("JSON within a value counts for the depth of the whole text", arguments: [0, 1, 3])
  func depth(outer: Int) throws {
    func nested(_ depth: Int) -> JSONValue {
      (0..<depth).reduce(JSONValue.null) { value, _ in [value] }
    }
    func wrapped<Value: Encodable>(_ value: Value) -> any Encodable {
      switch outer {
      case 0: value
      case 1: ["k": value]
      default: [["k": [value]]]
      }
    }
    for isTree in [true, false] {
      let most = nested(512 - outer)
      let valid: any Encodable = try isTree ? wrapped(most) : wrapped(JSON(most))
      _ = try JSON(parsing: JSON.encode(valid))
      guard isTree || outer > 0 else { continue }
      let invalid: any Encodable = try isTree ? wrapped([most]) : wrapped([JSON(most)])
      #expect(throws: JSONEncodingError.self) { try JSON.encode(invalid) }
    }
  }

  @Test("JSON within variables counts for the depth of the variables")
  func depthOfVariables() throws {
    for (depth, isValid) in [(510, true), (511, true), (512, false)] {
      let value = (0..<depth).reduce(JSONValue.null) { value, _ in [value] }
      var writer = InputWriter()
      writer.write("a", value)
      let plain = writer.finishPlain()
      #expect((plain != nil) == isValid, "\(depth)")
      var lists = InputWriter()
      lists.write("a", [[value]])
      #expect((lists.finishPlain() != nil) == (depth <= 509))
    }
  }

  @Test("A container that continues an object which has replaced another one keeps its members")
  func continuedReplacement() throws {
    let value = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      let replaced = Custom { encoder in
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .id)
        var single = encoder.singleValueContainer()
        try single.encode(JSONValue.object([:]))
      }
      try container.encode(replaced, forKey: .x)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .x)
      try nested.encode(2, forKey: .y)
    }
    #expect(try text(value) == #"{"x":{"y":2}}"#)
  }

  @Test("A container that a failed value has replaced takes nothing more")
  func failedReplacement() {
    let failing = Custom { _ in throw Failure() }
    let value = Custom { encoder in
      var array = encoder.unkeyedContainer()
      var single = encoder.singleValueContainer()
      try? single.encode(failing)
      try array.encode(1)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(2, forKey: .x)
    }
    #expect(error(value)?.reason == .invalidValue)
  }
}
