// @generated from Conditions.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Conditions: GeneratedQuery {
  public var a: Bool
  public var b: Bool

  public init(a: Bool, b: Bool) {
    self.a = a
    self.b = b
  }

  public static let document = GraphQLDocument(
    "query Conditions($a:Boolean!$b:Boolean!){post(id:\"1\"){id@include(if:$a)title author@skip(if:$b){id name@include(if:$a)}...@include(if:$b){likes tags}...on Post@defer(label:\"rest\"){rating}...PostRow@defer}search(text:\"a\"){...on Post@include(if:$a){title author{name}}...on Named@skip(if:$b){name}...AuthorCard@include(if:$a)}}",
    fragments: [PostRow.document, AuthorCard.document]
  )

  public func write(to variables: inout InputWriter) {
    variables.write("a", a)
    variables.write("b", b)
  }

  public nonisolated struct Data: SelectionData {
    public var post: Post?
    public var search: [Search]

    public init(post: Post? = nil, search: [Search]) {
      self.post = post
      self.search = search
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(post: fields.value("post"), search: fields.read("search"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("post", post)
      fields.write("search", search)
    }

    public nonisolated struct Post: SelectionData {
      public var id: String?
      /// The headline.
      public var title: String
      public var author: Author?
      public var likes: Int?
      public var tags: [String]?
      public var rating: Double?
      public var postRow: PostRow?

      public init(
        id: String? = nil,
        title: String,
        author: Author? = nil,
        likes: Int? = nil,
        tags: [String]? = nil,
        rating: Double? = nil,
        postRow: PostRow? = nil
      ) {
        self.id = id
        self.title = title
        self.author = author
        self.likes = likes
        self.tags = tags
        self.rating = rating
        self.postRow = postRow
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          id: fields.value("id"),
          title: fields.value("title"),
          author: fields.has("author.id") ? fields.value("author") : nil,
          likes: fields.value("likes"),
          tags: fields.decodeIfPresent("tags"),
          rating: fields.value("rating"),
          postRow: fields.part(has: "id title genre published")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        if let value = self.id { fields.write("id", value) }
        fields.write("title", title)
        if let value = self.author { fields.write("author", value) }
        if let value = self.likes { fields.write("likes", value) }
        if let value = self.tags { fields.encode("tags", value) }
        if let value = self.rating { fields.write("rating", value) }
        fields.part(postRow)
      }

      public nonisolated struct Author: SelectionData, Identifiable {
        public var id: String
        public var name: String?

        public init(id: String, name: String? = nil) {
          self.id = id
          self.name = name
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(id: fields.value("id"), name: fields.value("name"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.typename("Author")
          fields.write("id", id)
          if let value = self.name { fields.write("name", value) }
        }
      }
    }

    public nonisolated struct Search: SelectionData {
      public var __typename: String
      public var authorCard: AuthorCard?
      public var asNamed: AsNamed?
      public var on: On

      public nonisolated enum On: Hashable, Sendable {
        case post(AsPost)
        case other
      }
      public var asPost: AsPost? { if case .post(let value) = on { value } else { nil } }

      public init(
        __typename: String,
        authorCard: AuthorCard? = nil,
        asNamed: AsNamed? = nil,
        on: On = .other
      ) {
        self.__typename = __typename
        self.authorCard = authorCard
        self.asNamed = asNamed
        self.on = on
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(
          __typename: typename,
          authorCard: fields.part(on: "Author", has: "id name"),
          asNamed: fields.part(on: Blog.Types.Named, of: Blog.Types.SearchResult, has: "name", isConditional: true),
          on: typename == "Post" && fields.has("title author.name") ? .post(fields.part())
            : .other
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.part(authorCard)
        fields.part(asNamed)
        fields.part(asPost)
      }

      public nonisolated struct AsNamed: SelectionData {
        public var name: String

        public init(name: String) {
          self.name = name
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(name: fields.read("name"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("name", name)
        }
      }

      public nonisolated struct AsPost: SelectionData {
        /// The headline.
        public var title: String
        public var author: Author?

        public init(title: String, author: Author? = nil) {
          self.title = title
          self.author = author
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(title: fields.read("title"), author: fields.read("author"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("title", title)
          fields.write("author", author)
        }

        public nonisolated struct Author: SelectionData {
          public var name: String

          public init(name: String) {
            self.name = name
          }
          public init(reading fields: inout FieldReader) throws {
            try self.init(name: fields.read("name"))
          }
          public func write(to fields: inout FieldWriter) {
            fields.typename("Author")
            fields.write("name", name)
          }
        }
      }
    }
  }
}

public nonisolated struct AuthorCard: FragmentData, Identifiable {
  public var id: String
  public var name: String

  public static let document = GraphQLDocument("fragment AuthorCard on Author{id name}")

  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(id: fields.read("id"), name: fields.read("name"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename("Author")
    fields.write("id", id)
    fields.write("name", name)
  }
}
