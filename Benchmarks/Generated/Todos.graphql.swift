// @generated from Todos.graphql by weir. Do not edit.
// swift-format-ignore-file
import Weir

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
