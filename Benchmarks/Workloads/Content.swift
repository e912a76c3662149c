import Weir

/// Data of which every field can be looked at, as a view does that shows it.
///
/// Every form of the same data has the same check sum, so the sum also proves that the data is
/// right.
protocol Inspectable {
  /// A sum over all fields.
  var checksum: Int { get }
}

struct Response<Content: Decodable & Sendable>: Decodable, Sendable {
  let data: Content
}

struct Author: Decodable, Sendable, Inspectable {
  let id: String
  let name: String

  var checksum: Int { id.utf8.count &+ name.utf8.count }
}

struct Todo: Decodable, Sendable, Inspectable {
  let id: String
  let text: String
  let complete: Bool
  let due: String
  let author: Author

  var checksum: Int {
    id.utf8.count &+ text.utf8.count &+ (complete ? 1 : 0) &+ due.utf8.count &+ author.checksum
  }
}

/// The data of `Documents.todos`.
struct TodosData: Decodable, Sendable, Inspectable {
  let todos: [Todo]

  var checksum: Int { todos.reduce(0) { $0 &+ $1.checksum } }
}

/// The data of `Documents.todoView`.
struct TodoViewData: Decodable, Sendable, Inspectable {
  let todoAt: Todo

  var checksum: Int { todoAt.checksum }
}

/// A todo without its author.
struct ShortTodo: Decodable, Sendable, Inspectable {
  let id: String
  let text: String
  let complete: Bool

  var checksum: Int { id.utf8.count &+ text.utf8.count &+ (complete ? 1 : 0) }
}

/// The data of `Documents.oneTodo`.
struct OneTodoData: Decodable, Sendable, Inspectable {
  let todo: ShortTodo

  var checksum: Int { todo.checksum }
}

/// The data of `Documents.updateTodo`.
struct UpdatedTodoData: Decodable, Sendable, Inspectable {
  let updateTodo: ShortTodo

  var checksum: Int { updateTodo.checksum }
}

/// The data of `Documents.createTodo`.
struct CreatedTodoData: Decodable, Sendable, Inspectable {
  let createTodo: ShortTodo

  var checksum: Int { createTodo.checksum }
}

/// The data of `Documents.post`.
struct PostData: Decodable, Sendable, Inspectable {
  struct Post: Decodable, Sendable {
    let id: String
    let title: String
    let body: String
    let published: Bool
    let author: Author
  }

  let post: Post

  var checksum: Int {
    post.id.utf8.count &+ post.title.utf8.count &+ post.body.utf8.count &+ (post.published ? 1 : 0)
      &+ post.author.checksum
  }
}

/// The data of `Documents.updatePost`.
struct UpdatedPostData: Decodable, Sendable {
  struct Post: Decodable, Sendable {
    let id: String
    let title: String
  }

  let updatePost: Post
}

// MARK: - Types that read their fields themselves

/// The data of `Documents.todos`, read by initializers.
struct TodosSelection: Decodable, Sendable, Inspectable {
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

  var checksum: Int {
    todos.reduce(0) { sum, todo in
      sum &+ todo.id.utf8.count &+ todo.text.utf8.count &+ (todo.complete ? 1 : 0)
        &+ todo.due.utf8.count &+ todo.author.id.utf8.count &+ todo.author.name.utf8.count
    }
  }
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

// MARK: - JSON

extension JSON {
  /// The check sum of an object with `id`, `name`, `text` and so on, by its keys.
  private func checksum(strings: [String], bools: [String]) -> Int {
    var sum = 0
    for key in strings { sum &+= self[key]?.string?.utf8.count ?? 0 }
    for key in bools { sum &+= self[key]?.bool == true ? 1 : 0 }
    return sum
  }

  /// The check sum of a todo with its author.
  var todoChecksum: Int {
    checksum(strings: ["id", "text", "due"], bools: ["complete"])
      &+ (self["author"]?.checksum(strings: ["id", "name"], bools: []) ?? 0)
  }

  /// The check sum of the data of `Documents.todos`.
  var todosChecksum: Int {
    self["todos"]?.elements.reduce(0) { $0 &+ $1.todoChecksum } ?? 0
  }

  /// The check sum of the data of `Documents.post`.
  var postChecksum: Int {
    guard let post = self["post"] else { return 0 }
    return post.checksum(strings: ["id", "title", "body"], bools: ["published"])
      &+ (post["author"]?.checksum(strings: ["id", "name"], bools: []) ?? 0)
  }

  /// A sum over every value of any data.
  var checksum: Int {
    switch kind {
    case .object: members.reduce(0) { $0 &+ $1.value.checksum }
    case .array: elements.reduce(0) { $0 &+ $1.checksum }
    case .string: string?.utf8.count ?? 0
    default: bool == true ? 1 : Int(int ?? 0)
    }
  }
}

extension JSONValue {
  /// The check sum of the data of `Documents.todos`, in a response.
  var todosChecksum: Int {
    self["data"]?["todos"]?.array?.reduce(0) { sum, todo in
      let author = todo["author"]
      return sum &+ todo.length(of: "id") &+ todo.length(of: "text") &+ todo.length(of: "due")
        &+ (todo["complete"]?.bool == true ? 1 : 0) &+ (author?.length(of: "id") ?? 0)
        &+ (author?.length(of: "name") ?? 0)
    } ?? 0
  }

  /// The check sum of the data of `Documents.post`, in a response.
  var postChecksum: Int {
    guard let post = self["data"]?["post"] else { return 0 }
    return post.length(of: "id") &+ post.length(of: "title") &+ post.length(of: "body")
      &+ (post["published"]?.bool == true ? 1 : 0) &+ (post["author"]?.length(of: "id") ?? 0)
      &+ (post["author"]?.length(of: "name") ?? 0)
  }

  private func length(of key: String) -> Int { self[key]?.string?.utf8.count ?? 0 }
}

// MARK: - The right sums

extension Payloads {
  /// The check sum of a list of todos.
  static func todosChecksum(_ count: Int) throws -> Int {
    try JSON(parsing: todos(count)).decode(Response<TodosData>.self).data.checksum
  }

  /// The check sum of a post.
  static func postChecksum(_ id: Int) throws -> Int {
    try JSON(parsing: post(id)).decode(Response<PostData>.self).data.checksum
  }
}
