import Foundation
import Testing
import Weir

/// Values that read their fields themselves.
@Suite(.timeLimit(.minutes(10)))
struct SelectionDecodableTests {
  enum State: String, Decodable { case open, done }

  struct Author: SelectionDecodable, Equatable {
    let name: String
    let age: Int?

    init(reading fields: inout FieldReader) throws {
      name = try fields.read("name")
      age = try fields.read("age")
    }

    init(from decoder: any Decoder) throws {
      Issue.record("The other initializer was called.")
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
    }
  }

  struct Todo: SelectionDecodable, Equatable {
    let id: String
    let count: Int
    let weight: Double
    let done: Bool
    let note: String?
    let state: State
    let sameState: State
    let nextState: State?
    let day: Date?
    let author: Author?
    let authors: [Author]
    let others: [Author]?

    init(reading fields: inout FieldReader) throws {
      id = try fields.read("id")
      count = try fields.read("count")
      weight = try fields.read("weight")
      done = try fields.read("done")
      note = try fields.read("note")
      state = try fields.read("state")
      sameState = try fields.decode("state")
      nextState = try fields.read("nextState")
      day = try fields.decodeIfPresent("day")
      author = try fields.read("author")
      authors = try fields.read("authors")
      others = try fields.read("others")
    }

    init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
    }
  }

  struct Page: Decodable {
    let items: [Author]
  }

  static let members = [
    #""id":"1""#, #""count":7"#, #""weight":1.5"#, #""done":true"#, #""note":null"#,
    #""state":"done""#, #""day":"2026-01-31T09:00:00Z""#, #""author":{"name":"A","age":3}"#,
    #""authors":[{"age":null,"name":"B \" \u00e9"},{"name":"C"}]"#,
  ]

  static func todo(_ members: [String]) throws -> Todo {
    try JSON(parsing: "{\(members.joined(separator: ","))}").decode(Todo.self)
  }

  @Test("Fields are read in any order, with unknown members in between")
  func order() throws {
    let expected = try Self.todo(Self.members)
    #expect(expected.authors.map(\.name) == ["B \" é", "C"])
    #expect(expected.author?.age == 3)
    #expect(expected.day == Date(timeIntervalSince1970: 1_769_850_000))
    #expect(expected.others == nil && expected.note == nil && expected.nextState == nil)
    #expect(expected.state == .done && expected.sameState == .done)
    var members = Self.members
    for turn in 0..<40 {
      members.shuffle()
      members.insert(#""x\#(turn)":[{"id":5}]"#, at: turn % members.count)
      #expect(try Self.todo(members) == expected)
    }
  }

  @Test(
    "A value that does not fit is an error that names the path",
    arguments: [
      (2, #""weight":"1.5""#, "weight"), (0, #""id":1"#, "id"), (1, #""count":1.5"#, "count"),
      (3, #""done":null"#, "done"), (5, #""state":"gone""#, "state"),
      (5, #""state":7"#, "state"), (4, #""nextState":"gone""#, "nextState"),
      (4, #""note":3"#, "note"), (4, #""nextState":[]"#, "nextState"),
      (7, #""author":{"age":3}"#, "author"), (7, #""author":[]"#, "author"),
      (8, #""authors":[{"name":"a"},{"name":2}]"#, "authors.1.name"),
      (8, #""authors":{}"#, "authors"),
    ])
  func errors(_ position: Int, _ member: String, _ path: String) throws {
    var members = Self.members
    members[position] = member
    let error = try #require(throws: JSONDecodingError.self) { try Self.todo(members) }
    #expect(
      error.path.map { "\($0.intValue.map(String.init) ?? $0.stringValue)" }
        .joined(separator: ".") == path)
    members.remove(at: position)
    guard position != 7, position != 4 else { return }
    let missing = try #require(throws: JSONDecodingError.self) { try Self.todo(members) }
    guard case .missingKey = missing.reason else {
      Issue.record("\(missing)")
      return
    }
  }

  /// Decodes every unknown case as `unknown`.
  enum Kind: String, Decodable, Equatable {
    case known, unknown

    init(from decoder: any Decoder) throws {
      self = Kind(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  struct Kinds: SelectionDecodable, Equatable {
    let first: Kind
    let second: Kind?

    init(first: Kind, second: Kind?) {
      self.first = first
      self.second = second
    }

    init(reading fields: inout FieldReader) throws {
      try self.init(first: fields.read("first"), second: fields.read("second"))
    }
  }

  @Test("An enumeration can decode unknown cases itself")
  func unknownCase() throws {
    let text =
      #"[{"first":"known","second":"new"},{"first":"new","second":null},{"first":"known"}]"#
    let kinds: [Kinds] = [
      Kinds(first: .known, second: .unknown), Kinds(first: .unknown, second: nil),
      Kinds(first: .known, second: nil),
    ]
    #expect(try JSON(parsing: text).elements.map { try $0.decode(Kinds.self) } == kinds)
  }

  struct Own: Error {}

  /// Fails without a path of its own.
  struct Failing: SelectionDecodable {
    init(reading fields: inout FieldReader) throws { throw Own() }
    init(from decoder: any Decoder) throws { throw Own() }
  }

  struct Lenient: SelectionDecodable {
    init(reading fields: inout FieldReader) throws {
      let author: Failing? = try? fields.read("author")
      #expect(author == nil)
      if try fields.read("id") == 2 { throw Own() }
    }
    init(from decoder: any Decoder) throws { throw Own() }
  }

  struct Strict: SelectionDecodable {
    init(reading fields: inout FieldReader) throws {
      if try fields.read("id") == 2 { let _: Failing = try fields.read("author") }
    }
    init(from decoder: any Decoder) throws { throw Own() }
  }

  struct Items<Item: SelectionDecodable>: SelectionDecodable {
    let items: [Item]
    init(reading fields: inout FieldReader) throws { items = try fields.read("items") }
    init(from decoder: any Decoder) throws { throw Own() }
  }

  @Test("An error's path is right even if initializers have swallowed other errors before")
  func swallowed() throws {
    let items = (0..<4).map { #"{"author":{},"id":\#($0)}"# }.joined(separator: ",")
    let json = try JSON(parsing: "{\"items\":[\(items)]}")
    let lenient = #expect(throws: JSONDecodingError.self) { try json.decode(Items<Lenient>.self) }
    #expect(lenient?.path.map(\.description) == ["items", "[2]"])
    #expect(lenient?.underlying is Own)
    let strict = #expect(throws: JSONDecodingError.self) { try json.decode(Items<Strict>.self) }
    #expect(strict?.path.map(\.description) == ["items", "[2]", "author"])
  }

  @Test("Elements in a list of another type are decoded by their own initializers")
  func lists() throws {
    let elements = (0..<40).map { #"{"name":"n\#($0)"}"# }.joined(separator: ",")
    let page = try JSON(parsing: "{\"items\":[\(elements)]}").decode(Page.self)
    #expect(page.items.map(\.name) == (0..<40).map { "n\($0)" })
    #expect(page.items.allSatisfy { $0.age == nil })
  }

  /// Reads one field by several names, and a field that some objects lack.
  struct Member: SelectionDecodable {
    let id: String
    let name: String?
    let identity: Int?
    let sameID: String

    init(reading fields: inout FieldReader) throws {
      id = try fields.read("id")
      name = try fields.read("name")
      identity = try fields.read("identity")
      sameID = try fields.read("id")
    }

    init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
    }
  }

  @Test("Objects in a long list may differ in their members, in order and in spelling")
  func variedMembers() throws {
    let forms: [(text: String, has: (name: Bool, identity: Bool))] = [
      (#"{"id":"?","name":"n?","identity":?}"#, (true, true)),
      (#"{"identity":?,"id":"?"}"#, (false, true)),
      (#"{"name":"n?","id":"?","identity":null}"#, (true, false)),
      (#"{"\u0069d":"?","n\u0061me":"n?"}"#, (true, false)),
      (#"{"id":"?"}"#, (false, false)),
      (#"{"id":"?","nama":"x","name":"n?"}"#, (true, false)),
    ]
    let numbers = 0..<200
    func form(_ number: Int) -> Int { number * number % 7 % forms.count }
    let text = numbers.map { forms[form($0)].text.replacingOccurrences(of: "?", with: "\($0)") }
    let members = try JSON(parsing: "[\(text.joined(separator: ","))]").decode([Member].self)
    for (number, member) in zip(numbers, members) {
      let has = forms[form(number)].has
      #expect(member.id == "\(number)" && member.sameID == member.id)
      #expect(member.name == (has.name ? "n\(number)" : nil))
      #expect(member.identity == (has.identity ? number : nil))
    }
    #expect(members.count == numbers.count)
    let lacking = "[\((text + [#"{"name":"n"}"#]).joined(separator: ","))]"
    let error = try #require(throws: JSONDecodingError.self) {
      try JSON(parsing: lacking).decode([Member].self)
    }
    #expect("\(error)".contains("200") && "\(error)".contains("id"))
  }
}
