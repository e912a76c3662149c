// @generated from Fields.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Foundation
public import Weir

/// Everything that a field can be.
public nonisolated struct Fields: GeneratedQuery {
  public init() {}

  public static let document = GraphQLDocument("query Fields{post(id:\"1\"){id headline:title init:title class:subtitle fields:likes rating isDraft genres price typeName:__typename string:author{id}type:author{name}related{related{id}}}matrix grid{id}holes{title}data:posts{id}}")

  public nonisolated struct Data: SelectionData {
    public var post: Post?
    public var matrix: [[Int?]]?
    public var grid: [[Grid]?]?
    public var holes: [Holes?]?
    public var data: [Data]

    public init(
      post: Post? = nil,
      matrix: [[Int?]]? = nil,
      grid: [[Grid]?]? = nil,
      holes: [Holes?]? = nil,
      data: [Data]
    ) {
      self.post = post
      self.matrix = matrix
      self.grid = grid
      self.holes = holes
      self.data = data
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(
        post: fields.value("post"),
        matrix: fields.decodeIfPresent("matrix"),
        grid: fields.decodeIfPresent("grid"),
        holes: fields.read("holes"),
        data: fields.read("data")
      )
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("post", post)
      fields.encode("matrix", matrix)
      fields.encode("grid", grid)
      fields.write("holes", holes)
      fields.write("data", data)
    }

    public nonisolated struct Post: SelectionData, Identifiable {
      public var id: String
      /// The headline.
      public var headline: String
      /// The headline.
      public var `init`: String
      /// Deprecated: Use title.
      public var `class`: String?
      public var fields: Int
      public var rating: Double?
      public var isDraft: Bool
      public var genres: [Blog.Genre]?
      public var price: Foundation.Decimal?
      public var typeName: String
      public var string: String_?
      public var type: Type_?
      public var related: [Related]

      public init(
        id: String,
        headline: String,
        init: String,
        class: String? = nil,
        fields: Int,
        rating: Double? = nil,
        isDraft: Bool,
        genres: [Blog.Genre]? = nil,
        price: Foundation.Decimal? = nil,
        typeName: String,
        string: String_? = nil,
        type: Type_? = nil,
        related: [Related]
      ) {
        self.id = id
        self.headline = headline
        self.`init` = `init`
        self.`class` = `class`
        self.fields = fields
        self.rating = rating
        self.isDraft = isDraft
        self.genres = genres
        self.price = price
        self.typeName = typeName
        self.string = string
        self.type = type
        self.related = related
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          id: fields.value("id"),
          headline: fields.value("headline"),
          init: fields.value("init"),
          class: fields.value("class"),
          fields: fields.value("fields"),
          rating: fields.value("rating"),
          isDraft: fields.value("isDraft"),
          genres: fields.decodeIfPresent("genres"),
          price: fields.decodeIfPresent("price"),
          typeName: fields.value("typeName"),
          string: fields.value("string"),
          type: fields.value("type"),
          related: fields.read("related")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
        fields.write("headline", headline)
        fields.write("init", `init`)
        fields.write("class", `class`)
        fields.write("fields", self.fields)
        fields.write("rating", rating)
        fields.write("isDraft", isDraft)
        fields.encode("genres", genres)
        fields.encode("price", price)
        fields.write("typeName", typeName)
        fields.write("string", string)
        fields.write("type", type)
        fields.write("related", related)
      }

      public nonisolated struct String_: SelectionData, Identifiable {
        public var id: String

        public init(id: String) {
          self.id = id
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(id: fields.value("id"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename("Author")
          fields.write("id", id)
        }
      }

      public nonisolated struct Type_: SelectionData {
        public var name: String

        public init(name: String) {
          self.name = name
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(name: fields.value("name"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename("Author")
          fields.write("name", name)
        }
      }

      public nonisolated struct Related: SelectionData {
        public var related: [Related]

        public init(related: [Related]) {
          self.related = related
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(related: fields.read("related"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename("Post")
          fields.write("related", related)
        }

        public nonisolated struct Related: SelectionData, Identifiable {
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

    public nonisolated struct Grid: SelectionData, Identifiable {
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

    public nonisolated struct Holes: SelectionData {
      /// The headline.
      public var title: String

      public init(title: String) {
        self.title = title
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(title: fields.read("title"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("title", title)
      }
    }

    public nonisolated struct Data: SelectionData, Identifiable {
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
