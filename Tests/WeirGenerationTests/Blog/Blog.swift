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
    first: Input<Int> = .absent, filter: Input<Blog.PostFilter> = .absent, withAuthor: Bool
  ) {
    (self.first, self.filter, self.withAuthor) = (first, filter, withAuthor)
  }

  public static let document = GraphQLDocument(
    "query Posts($first:Int! = 10$filter:PostFilter$withAuthor:Boolean!){posts(first:$first filter:$filter){...PostRow tags ...Byline @include(if:$withAuthor)}}",
    fragments: [PostRow.document, Byline.document])

  public func write(to variables: inout InputWriter) {
    variables.write("filter", filter)
    variables.write("first", first)
    variables.write("withAuthor", withAuthor)
  }

  public nonisolated struct Data: SelectionData {
    public var posts: [Posts]

    public init(posts: [Posts]) { self.posts = posts }
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
        (self.postRow, self.tags, self.byline) = (postRow, tags, byline)
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          postRow: fields.part(), tags: fields.decode("tags"),
          byline: fields.part(has: "author.name")
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
  public var title: String
  public var genre: Blog.Genre
  public var published: Date?
  public static let document = GraphQLDocument(
    "fragment PostRow on Post{id title genre published}")
  public init(id: String, title: String, genre: Blog.Genre, published: Date? = nil) {
    (self.id, self.title, self.genre, self.published) = (id, title, genre, published)
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(
      id: fields.read("id"), title: fields.read("title"), genre: fields.read("genre"),
      published: fields.decodeIfPresent("published"))
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
  public var title: String
  public var author: Author?
  public static let document = GraphQLDocument("fragment Byline on Post{title author{name}}")
  public init(title: String, author: Author? = nil) {
    (self.title, self.author) = (title, author)
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
    public init(name: String) { self.name = name }
    public init(reading fields: inout FieldReader) throws {
      try self.init(name: fields.read("name"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.typename("Author")
      fields.write("name", name)
    }
  }
}

public nonisolated struct Search: GeneratedQuery {
  public var text: String
  public init(text: String) { self.text = text }

  public static let document = GraphQLDocument(
    "query Search($text:String!){search(text:$text){__typename ...on Post{title}...on Author{id}...on Named{name}}}"
  )
  public func write(to variables: inout InputWriter) {
    variables.write("text", text)
  }

  public nonisolated struct Data: SelectionData {
    public var search: [Search]
    public init(search: [Search]) { self.search = search }
    public init(reading fields: inout FieldReader) throws {
      try self.init(search: fields.read("search"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("search", search)
    }

    public nonisolated struct Search: SelectionData {
      public var __typename: String
      public var asNamed: AsNamed?
      public var on: On

      public enum On: Hashable, Sendable { case post(AsPost), author(AsAuthor), other }
      public var asPost: AsPost? { if case .post(let value) = on { value } else { nil } }
      public var asAuthor: AsAuthor? { if case .author(let value) = on { value } else { nil } }

      public init(__typename: String, asNamed: AsNamed? = nil, on: On = .other) {
        (self.__typename, self.asNamed, self.on) = (__typename, asNamed, on)
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(
          __typename: typename,
          asNamed: fields.part(on: Blog.named, of: Blog.searchResult, has: "name"),
          on: typename == "Post"
            ? .post(fields.part()) : typename == "Author" ? .author(fields.part()) : .other)
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.part(asNamed)
        fields.part(asPost)
        fields.part(asAuthor)
      }

      public nonisolated struct AsNamed: SelectionData {
        public var name: String
        public init(name: String) { self.name = name }
        public init(reading fields: inout FieldReader) throws {
          try self.init(name: fields.read("name"))
        }
        public func write(to fields: inout FieldWriter) { fields.write("name", name) }
      }
      public nonisolated struct AsPost: SelectionData {
        public var title: String
        public init(title: String) { self.title = title }
        public init(reading fields: inout FieldReader) throws {
          try self.init(title: fields.read("title"))
        }
        public func write(to fields: inout FieldWriter) { fields.write("title", title) }
      }
      public nonisolated struct AsAuthor: SelectionData, Identifiable {
        public var id: String
        public init(id: String) { self.id = id }
        public init(reading fields: inout FieldReader) throws {
          try self.init(id: fields.read("id"))
        }
        public func write(to fields: inout FieldWriter) { fields.write("id", id) }
      }
    }
  }
}

public nonisolated struct Rename: GeneratedMutation {
  public var id: String
  public var title: String
  public init(id: String, title: String) { (self.id, self.title) = (id, title) }
  public static let document = GraphQLDocument(
    "mutation Rename($id:ID!$title:String!){rename(id:$id title:$title){...PostRow}}",
    fragments: [PostRow.document])
  public func write(to variables: inout InputWriter) {
    variables.write("id", id)
    variables.write("title", title)
  }
  public nonisolated struct Data: SelectionData {
    public var rename: PostRow?
    public init(rename: PostRow? = nil) { self.rename = rename }
    public init(reading fields: inout FieldReader) throws {
      try self.init(rename: fields.read("rename"))
    }
    public func write(to fields: inout FieldWriter) { fields.write("rename", rename) }
  }
}

public nonisolated enum Blog {
  static let named = TypeSet("Author Tag")
  static let searchResult = TypeSet("Author Post Tag")

  public nonisolated enum Genre: GraphQLEnum {
    case fiction, selfHelp
    case unrecognized(String)
    public static let allCases: [Genre] = [.fiction, .selfHelp]
    public init(rawValue: String) {
      switch rawValue {
      case "FICTION": self = .fiction
      case "SELF_HELP": self = .selfHelp
      default: self = .unrecognized(rawValue)
      }
    }
    public var rawValue: String {
      switch self {
      case .fiction: "FICTION"
      case .selfHelp: "SELF_HELP"
      case .unrecognized(let value): value
      }
    }
  }

  public nonisolated struct PostFilter: InputObject {
    public var genres: Input<[Genre]>
    public var by: Input<PostBy>
    public var and: Input<Box<PostFilter>>
    public var since: Input<Date>
    public var text: Input<String>
    public init(
      genres: [Genre]? = nil, by: PostBy? = nil, and: PostFilter? = nil, since: Date? = nil,
      text: String? = nil
    ) {
      self.init(
        genres: Input(genres), by: Input(by), and: Input(and.map(Box.init)), since: Input(since),
        text: Input(text))
    }
    @_disfavoredOverload
    public init(
      genres: Input<[Genre]> = .absent, by: Input<PostBy> = .absent,
      and: Input<Box<PostFilter>> = .absent, since: Input<Date> = .absent,
      text: Input<String> = .absent
    ) {
      (self.genres, self.by, self.and, self.since, self.text) = (genres, by, and, since, text)
    }
    public func write(to fields: inout InputWriter) {
      fields.write("and", and)
      fields.write("by", by)
      fields.write("genres", genres)
      fields.write("since", since)
      fields.write("text", text)
    }
  }

  public nonisolated enum PostBy: InputObject {
    case id(String)
    case title(String)
    public func write(to fields: inout InputWriter) {
      switch self {
      case .id(let value): fields.write("id", value)
      case .title(let value): fields.write("title", value)
      }
    }
  }
}
