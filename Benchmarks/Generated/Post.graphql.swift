// @generated from Post.graphql by weir. Do not edit.
// swift-format-ignore-file
import Weir

nonisolated struct Post: GeneratedQuery {
  var id: String
  var size: Input<Int>

  init(id: String, size: Int? = nil) {
    self.init(id: id, size: Input(size))
  }
  @_disfavoredOverload
  init(id: String, size: Input<Int> = .absent) {
    self.id = id
    self.size = size
  }

  static let document = GraphQLDocument("query Post($id:ID!$size:Int){post(id:$id size:$size){id title body published author{id name}}}")

  func write(to variables: inout InputWriter) {
    variables.write("id", id)
    variables.write("size", size)
  }

  nonisolated struct Data: SelectionData {
    var post: Post

    init(post: Post) {
      self.post = post
    }
    init(reading fields: inout FieldReader) throws {
      try self.init(post: fields.value("post"))
    }
    func write(to fields: inout FieldWriter) {
      fields.write("post", post)
    }

    nonisolated struct Post: SelectionData, Identifiable {
      var id: String
      var title: String
      var body: String
      var published: Bool
      var author: Author

      init(id: String, title: String, body: String, published: Bool, author: Author) {
        self.id = id
        self.title = title
        self.body = body
        self.published = published
        self.author = author
      }
      init(reading fields: inout FieldReader) throws {
        try self.init(
          id: fields.value("id"),
          title: fields.value("title"),
          body: fields.value("body"),
          published: fields.value("published"),
          author: fields.value("author")
        )
      }
      func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
        fields.write("title", title)
        fields.write("body", body)
        fields.write("published", published)
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
          try self.init(id: fields.value("id"), name: fields.value("name"))
        }
        func write(to fields: inout FieldWriter) {
          fields.typename("Author")
          fields.write("id", id)
          fields.write("name", name)
        }
      }
    }
  }
}
