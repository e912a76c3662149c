// @generated from Merging.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Merging: GeneratedQuery {
  public var a: Bool

  public init(a: Bool) {
    self.a = a
  }

  public static let document = GraphQLDocument("query Merging($a:Boolean!){post(id:\"1\"){author{id}author{name}...on Node{id}likes@include(if:$a)likes}post(id:\"1\"){title}post(id:\"1\")@include(if:$a){rating author{posts{id}}}}")

  public func write(to variables: inout InputWriter) {
    variables.write("a", a)
  }

  public nonisolated struct Data: SelectionData {
    public var post: Post?

    public init(post: Post? = nil) {
      self.post = post
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(post: fields.value("post"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("post", post)
    }

    public nonisolated struct Post: SelectionData, Identifiable {
      public var author: Author?
      public var id: String
      public var likes: Int
      /// The headline.
      public var title: String
      public var rating: Double?

      public init(
        author: Author? = nil,
        id: String,
        likes: Int,
        title: String,
        rating: Double? = nil
      ) {
        self.author = author
        self.id = id
        self.likes = likes
        self.title = title
        self.rating = rating
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          author: fields.value("author"),
          id: fields.value("id"),
          likes: fields.value("likes"),
          title: fields.value("title"),
          rating: fields.value("rating")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("author", author)
        fields.write("id", id)
        fields.write("likes", likes)
        fields.write("title", title)
        if let value = self.rating { fields.write("rating", value) }
      }

      public nonisolated struct Author: SelectionData, Identifiable {
        public var id: String
        public var name: String
        public var posts: [Posts]?

        public init(id: String, name: String, posts: [Posts]? = nil) {
          self.id = id
          self.name = name
          self.posts = posts
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(
            id: fields.value("id"),
            name: fields.value("name"),
            posts: fields.has("posts.id") ? fields.read("posts") : nil
          )
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename("Author")
          fields.write("id", id)
          fields.write("name", name)
          if let value = self.posts { fields.write("posts", value) }
        }

        public nonisolated struct Posts: SelectionData, Identifiable {
          public var id: String

          public init(id: String) {
            self.id = id
          }
          public init(reading fields: inout FieldReader) throws {
            try self.init(id: fields.read("id"))
          }
          public func write(to fields: inout FieldWriter) {
            fields.typename("Post")
            fields.write("id", id)
          }
        }
      }
    }
  }
}
