import Weir

/// Responses made by a formula, so that every run of every program measures the same bytes.
enum Payloads {
  /// Returns a list of todos: 1,000 items are 170,266 bytes, 10,000 are 1,742,266. Ten items each
  /// share an author.
  /// `text` may give an item another text.
  static func todos(_ count: Int, text: (Int) -> String? = { _ in nil }) -> [UInt8] {
    let items = (0..<count).map { todo($0, of: count, text: text($0)) }
    return Array(#"{"data":{"todos":[\#(items.joined(separator: ","))]}}"#.utf8)
  }

  /// Returns the number of bytes of that list.
  static func todosCount(_ count: Int) -> Int {
    (0..<count).reduce(#"{"data":{"todos":[]}}"#.utf8.count + max(0, count - 1)) {
      $0 + todo($1, of: count).utf8.count
    }
  }

  /// Returns the same list, but with the members of its objects in changing order.
  static func shuffledTodos(_ count: Int) throws -> [UInt8] {
    var turn = 0
    return try JSON(parsing: todos(count)).value.turned(&turn).compactBytes()
  }

  /// Returns one item of a list of `count` todos.
  static func todo(_ index: Int, of count: Int, text: String? = nil) -> String {
    let day = 1 + index % 28
    let author = index % max(1, count / 10)
    let text = text ?? "Todo item number \(index)"
    return #"{"id":"\#(index)","text":"\#(text)","#
      + #""complete":\#(index % 3 == 0),"due":"2026-01-\#(day < 10 ? "0" : "")\#(day)T09:00:00Z","#
      + #""author":{"id":"\#(author)","name":"Author \#(author)","__typename":"Author"},"#
      + #""__typename":"Todo"}"#
  }

  /// Returns one object with its author: post 1 is 166 bytes.
  static func post(_ id: Int, title: String? = nil) -> [UInt8] {
    Array(
      (#"{"data":{"post":{"id":"\#(id)","title":"\#(title ?? "Post \(id)")","#
        + #""body":"Body of post \#(id)","published":true,"#
        + #""author":{"id":"\#(id % 100)","name":"Author \#(id % 100)","__typename":"Author"},"#
        + #""__typename":"Post"}}}"#).utf8)
  }

  /// The answer to a mutation of post 0.
  static let updatedPost = Array(
    #"{"data":{"updatePost":{"id":"0","title":"x","__typename":"Post"}}}"#.utf8)
}

extension JSONValue {
  /// The same value, but the members of each object begin with another member, and those of every
  /// second object are in reverse order.
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
