// @generated from Posts.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Foundation
public import Weir

public nonisolated struct Posts: GeneratedQuery {
  public var first: Input<Int>
  public var filter: Input<Blog.PostFilter>
  public var withAuthor: Bool

  public init(first: Int? = nil, filter: Blog.PostFilter? = nil, withAuthor: Bool) {
    self.init(first: Input(first), filter: Input(filter), withAuthor: withAuthor)
  }
  @_disfavoredOverload
  public init(
    first: Input<Int> = .absent,
    filter: Input<Blog.PostFilter> = .absent,
    withAuthor: Bool
  ) {
    self.first = first
    self.filter = filter
    self.withAuthor = withAuthor
  }

  public static let document = GraphQLDocument(
    "query Posts($first:Int!=10$filter:PostFilter$withAuthor:Boolean!){posts(first:$first filter:$filter){...PostRow tags ...Byline@include(if:$withAuthor)}}",
    fragments: [PostRow.document, Byline.document]
  )

  public func write(to variables: inout InputWriter) {
    variables.write("filter", filter)
    variables.write("first", first)
    variables.write("withAuthor", withAuthor)
  }

  public nonisolated struct Data: SelectionData {
    public var posts: [Posts]

    public init(posts: [Posts]) {
      self.posts = posts
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(posts: fields.read("posts"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("posts", posts)
    }

    public nonisolated struct Posts: SelectionData {
      public var postRow: PostRow
      public var tags: [String]
      public var byline: Byline?

      public init(postRow: PostRow, tags: [String], byline: Byline? = nil) {
        self.postRow = postRow
        self.tags = tags
        self.byline = byline
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          postRow: fields.part(),
          tags: fields.decode("tags"),
          byline: fields.part(has: "title author.name")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.part(postRow)
        fields.encode("tags", tags)
        fields.part(byline)
      }
    }
  }
}

public nonisolated struct PostRow: FragmentData, Identifiable {
  public var id: String
  /// The headline.
  public var title: String
  public var genre: Blog.Genre
  public var published: Foundation.Date?

  public static let document = GraphQLDocument("fragment PostRow on Post{id title genre published}")

  public init(id: String, title: String, genre: Blog.Genre, published: Foundation.Date? = nil) {
    self.id = id
    self.title = title
    self.genre = genre
    self.published = published
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(
      id: fields.read("id"),
      title: fields.read("title"),
      genre: fields.read("genre"),
      published: fields.decodeIfPresent("published")
    )
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename("Post")
    fields.write("id", id)
    fields.write("title", title)
    fields.write("genre", genre)
    fields.encode("published", published)
  }
}

public nonisolated struct Byline: FragmentData {
  /// The headline.
  public var title: String
  public var author: Author?

  public static let document = GraphQLDocument("fragment Byline on Post{title author{name}}")

  public init(title: String, author: Author? = nil) {
    self.title = title
    self.author = author
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(title: fields.read("title"), author: fields.read("author"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename("Post")
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
