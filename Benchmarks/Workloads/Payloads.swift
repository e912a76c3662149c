import Weir

/// Responses, made by a formula, so that every run of every program measures the same bytes.
enum Payloads {
  /// A list of so many items: 1,000 are 170,266 bytes, 10,000 are 1,742,266. Every tenth of the
  /// items has the same author.
  static func todos(_ count: Int) -> [UInt8] {
    let authors = max(1, count / 10)
    var text = #"{"data":{"todos":["#
    for index in 0..<count {
      if index > 0 { text += "," }
      text += todo(index, author: index % authors)
    }
    text += "]}}"
    return Array(text.utf8)
  }

  /// How many bytes they are.
  static func todosCount(_ count: Int) -> Int {
    let authors = max(1, count / 10)
    return (0..<count).reduce(#"{"data":{"todos":[]}}"#.utf8.count + max(0, count - 1)) {
      $0 + todo($1, author: $1 % authors).utf8.count
    }
  }

  /// The same list, but hardly an object has its members in the order of the one before.
  static func shuffledTodos(_ count: Int) throws -> [UInt8] {
    var turn = 0
    return try JSON(parsing: todos(count)).value.turned(&turn).compactBytes()
  }

  private static func todo(_ index: Int, author: Int) -> String {
    let day = 1 + index % 28
    return #"{"id":"\#(index)","text":"Todo item number \#(index)","complete":\#(index % 3 == 0),"#
      + #""due":"2026-01-\#(day < 10 ? "0" : "")\#(day)T09:00:00Z","#
      + #""author":{"id":"\#(author)","name":"Author \#(author)","__typename":"Author"},"#
      + #""__typename":"Todo"}"#
  }

  /// One object and its author: post 1 is 166 bytes.
  static func post(_ id: Int, title: String? = nil) -> [UInt8] {
    Array(
      (#"{"data":{"post":{"id":"\#(id)","title":"\#(title ?? "Post \(id)")","#
        + #""body":"Body of post \#(id)","published":true,"#
        + #""author":{"id":"\#(id % 100)","name":"Author \#(id % 100)","__typename":"Author"},"#
        + #""__typename":"Post"}}}"#).utf8)
  }

  /// What a mutation of post 0 answers.
  static let updatedPost = Array(
    #"{"data":{"updatePost":{"id":"0","title":"x","__typename":"Post"}}}"#.utf8)
}

extension JSONValue {
  /// The same value. The members of its objects begin with another one each time, and every other
  /// time they go backwards.
  fileprivate func turned(_ turn: inout Int) -> JSONValue {
    switch self {
    case .array(let elements):
      return .array(elements.map { $0.turned(&turn) })
    case .object(let object):
      turn += 1
      let members = object.map { ($0.key, $0.value.turned(&turn)) }
      let first = turn / 2 % members.count
      let order = Array(members[first...] + members[..<first])
      return .object(JSONObject(turn % 2 == 0 ? order : order.reversed()))
    default:
      return self
    }
  }
}

// MARK: - The same as structs

struct Response<Content: Decodable & Sendable>: Decodable, Sendable {
  let data: Content
}

struct Author: Decodable, Sendable {
  let id: String
  let name: String
}

struct TodosData: Decodable, Sendable {
  struct Todo: Decodable, Sendable {
    let id: String
    let text: String
    let complete: Bool
    let due: String
    let author: Author
  }

  let todos: [Todo]
}

/// The same data, which read their fields themselves.
struct TodosSelection: Decodable, Sendable {
  struct Todo: Decodable, Sendable {
    let id: String
    let text: String
    let complete: Bool
    let due: String
    let author: Author
  }

  struct Author: Decodable, Sendable {
    let id: String
    let name: String
  }

  let todos: [Todo]
}

extension TodosSelection: SelectionDecodable {
  init(reading fields: inout FieldReader) throws {
    try self.init(todos: fields.read("todos"))
  }
}

extension TodosSelection.Todo: SelectionDecodable {
  init(reading fields: inout FieldReader) throws {
    try self.init(
      id: fields.read("id"), text: fields.read("text"), complete: fields.read("complete"),
      due: fields.read("due"), author: fields.read("author"))
  }
}

extension TodosSelection.Author: SelectionDecodable {
  init(reading fields: inout FieldReader) throws {
    try self.init(id: fields.read("id"), name: fields.read("name"))
  }
}

struct PostData: Decodable, Sendable {
  struct Post: Decodable, Sendable {
    let id: String
    let title: String
    let body: String
    let published: Bool
    let author: Author
  }

  let post: Post
}

struct UpdatedPostData: Decodable, Sendable {
  struct Post: Decodable, Sendable {
    let id: String
    let title: String
  }

  let updatePost: Post
}
