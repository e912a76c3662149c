// @generated from Unmask.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Foundation
public import Weir

public nonisolated struct Unmask: GeneratedQuery {
  public init() {}

  public static let document = GraphQLDocument(
    "query Unmask{post(id:\"1\"){...PostRow likes}node(id:\"1\"){...PostRow}}",
    fragments: [PostRow.document]
  )

  public nonisolated struct Data: SelectionData {
    public var post: Post?
    public var node: Node?

    public init(post: Post? = nil, node: Node? = nil) {
      self.post = post
      self.node = node
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(post: fields.value("post"), node: fields.value("node"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("post", post)
      fields.write("node", node)
    }

    public nonisolated struct Post: SelectionData, Identifiable {
      public var id: String
      /// The headline.
      public var title: String
      public var genre: Blog.Genre
      public var published: Foundation.Date?
      public var likes: Int

      public init(
        id: String,
        title: String,
        genre: Blog.Genre,
        published: Foundation.Date? = nil,
        likes: Int
      ) {
        self.id = id
        self.title = title
        self.genre = genre
        self.published = published
        self.likes = likes
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          id: fields.value("id"),
          title: fields.value("title"),
          genre: fields.value("genre"),
          published: fields.decodeIfPresent("published"),
          likes: fields.value("likes")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
        fields.write("title", title)
        fields.write("genre", genre)
        fields.encode("published", published)
        fields.write("likes", likes)
      }
    }

    public nonisolated struct Node: SelectionData {
      public var __typename: String
      public var on: On

      public nonisolated enum On: Hashable, Sendable {
        case post(AsPost)
        case other
      }
      public var asPost: AsPost? { if case .post(let value) = on { value } else { nil } }

      public init(__typename: String, on: On = .other) {
        self.__typename = __typename
        self.on = on
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(
          __typename: typename,
          on: typename == "Post" ? .post(fields.part())
            : .other
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.part(asPost)
      }

      public nonisolated struct AsPost: SelectionData, Identifiable {
        public var id: String
        /// The headline.
        public var title: String
        public var genre: Blog.Genre
        public var published: Foundation.Date?

        public init(
          id: String,
          title: String,
          genre: Blog.Genre,
          published: Foundation.Date? = nil
        ) {
          self.id = id
          self.title = title
          self.genre = genre
          self.published = published
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(
            id: fields.value("id"),
            title: fields.value("title"),
            genre: fields.value("genre"),
            published: fields.decodeIfPresent("published")
          )
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("id", id)
          fields.write("title", title)
          fields.write("genre", genre)
          fields.encode("published", published)
        }
      }
    }
  }
}

public nonisolated struct UnmaskLikeField: GeneratedQuery {
  public init() {}

  public static let document = GraphQLDocument(
    "query UnmaskLikeField{postRow:post(id:\"1\"){likes ...PostRow}}",
    fragments: [PostRow.document]
  )

  public nonisolated struct Data: SelectionData {
    public var postRow: PostRow?

    public init(postRow: PostRow? = nil) {
      self.postRow = postRow
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(postRow: fields.value("postRow"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("postRow", postRow)
    }

    public nonisolated struct PostRow: SelectionData, Identifiable {
      public var likes: Int
      public var id: String
      /// The headline.
      public var title: String
      public var genre: Blog.Genre
      public var published: Foundation.Date?

      public init(
        likes: Int,
        id: String,
        title: String,
        genre: Blog.Genre,
        published: Foundation.Date? = nil
      ) {
        self.likes = likes
        self.id = id
        self.title = title
        self.genre = genre
        self.published = published
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          likes: fields.value("likes"),
          id: fields.value("id"),
          title: fields.value("title"),
          genre: fields.value("genre"),
          published: fields.decodeIfPresent("published")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("likes", likes)
        fields.write("id", id)
        fields.write("title", title)
        fields.write("genre", genre)
        fields.encode("published", published)
      }
    }
  }
}
