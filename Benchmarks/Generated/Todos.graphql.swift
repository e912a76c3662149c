// @generated from Todos.graphql by weir. Do not edit.
// swift-format-ignore-file
import Weir

nonisolated struct Todos: GeneratedQuery {
  init() {}

  static let document = GraphQLDocument(
    "query Todos{todos{...TodoRow}}",
    fragments: [TodoRow.document]
  )

  nonisolated struct Data: SelectionData {
    var todos: [TodoRow]

    init(todos: [TodoRow]) {
      self.todos = todos
    }
    init(reading fields: inout FieldReader) throws {
      try self.init(todos: fields.read("todos"))
    }
    func write(to fields: inout FieldWriter) {
      fields.write("todos", todos)
    }
  }
}

nonisolated struct OtherTodos: GeneratedQuery {
  init() {}

  static let document = GraphQLDocument(
    "query OtherTodos{todos{...TodoRow}}",
    fragments: [TodoRow.document]
  )

  nonisolated struct Data: SelectionData {
    var todos: [TodoRow]

    init(todos: [TodoRow]) {
      self.todos = todos
    }
    init(reading fields: inout FieldReader) throws {
      try self.init(todos: fields.read("todos"))
    }
    func write(to fields: inout FieldWriter) {
      fields.write("todos", todos)
    }
  }
}

nonisolated struct OneTodo: GeneratedQuery {
  var id: String

  init(id: String) {
    self.id = id
  }

  static let document = GraphQLDocument("query OneTodo($id:ID!){todo(id:$id){id text complete}}")

  func write(to variables: inout InputWriter) {
    variables.write("id", id)
  }

  nonisolated struct Data: SelectionData {
    var todo: Todo?

    init(todo: Todo? = nil) {
      self.todo = todo
    }
    init(reading fields: inout FieldReader) throws {
      try self.init(todo: fields.value("todo"))
    }
    func write(to fields: inout FieldWriter) {
      fields.write("todo", todo)
    }

    nonisolated struct Todo: SelectionData, Identifiable {
      var id: String
      var text: String
      var complete: Bool

      init(id: String, text: String, complete: Bool) {
        self.id = id
        self.text = text
        self.complete = complete
      }
      init(reading fields: inout FieldReader) throws {
        try self.init(
          id: fields.value("id"),
          text: fields.value("text"),
          complete: fields.value("complete")
        )
      }
      func write(to fields: inout FieldWriter) {
        fields.typename("Todo")
        fields.write("id", id)
        fields.write("text", text)
        fields.write("complete", complete)
      }
    }
  }
}

nonisolated struct TodoRow: FragmentData, Identifiable {
  var id: String
  var text: String
  var complete: Bool
  var due: String
  var author: Author

  static let document = GraphQLDocument("fragment TodoRow on Todo{id text complete due author{id name}}")

  init(id: String, text: String, complete: Bool, due: String, author: Author) {
    self.id = id
    self.text = text
    self.complete = complete
    self.due = due
    self.author = author
  }
  init(reading fields: inout FieldReader) throws {
    try self.init(
      id: fields.read("id"),
      text: fields.read("text"),
      complete: fields.read("complete"),
      due: fields.read("due"),
      author: fields.read("author")
    )
  }
  func write(to fields: inout FieldWriter) {
    fields.typename("Todo")
    fields.write("id", id)
    fields.write("text", text)
    fields.write("complete", complete)
    fields.write("due", due)
    fields.write("author", author)
  }

  nonisolated struct Author: SelectionData, Identifiable {
    var id: String
    var name: String

    init(id: String, name: String) {
      self.id = id
      self.name = name
    }
    init(reading fields: inout FieldReader) throws {
      try self.init(id: fields.read("id"), name: fields.read("name"))
    }
    func write(to fields: inout FieldWriter) {
      fields.typename("Author")
      fields.write("id", id)
      fields.write("name", name)
    }
  }
}
