// @generated from Partial.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Partial: GeneratedQuery {
  public var full: Bool

  public init(full: Bool) {
    self.full = full
  }

  public static let document = GraphQLDocument(
    "query Partial($full:Boolean!){node(id:\"1\"){id ...Full@include(if:$full)...on Post@include(if:$full){kind:__typename}}post(id:\"1\"){author{id}...Details ...PostKind@include(if:$full)}query{...Shelf}_ ...Count@include(if:$full)}",
    fragments: [Full.document, Details.document, PostKind.document, Shelf.document, Count.document]
  )

  public func write(to variables: inout InputWriter) {
    variables.write("full", full)
  }

  public nonisolated struct Data: SelectionData {
    public var node: Node?
    public var post: Post?
    public var query: Query
    public var __: Int?
    public var count: Count?

    public init(
      node: Node? = nil,
      post: Post? = nil,
      query: Query,
      __: Int? = nil,
      count: Count? = nil
    ) {
      self.node = node
      self.post = post
      self.query = query
      self.__ = __
      self.count = count
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(
        node: fields.value("node"),
        post: fields.value("post"),
        query: fields.value("query"),
        __: fields.value("_"),
        count: fields.part(has: "__typename _")
      )
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("node", node)
      fields.write("post", post)
      fields.write("query", query)
      fields.write("_", __)
      fields.part(count)
    }

    public nonisolated struct Node: SelectionData, Identifiable {
      public var __typename: String
      public var id: String
      public var full: Full?
      public var on: On

      public nonisolated enum On: Hashable, Sendable {
        case post(AsPost)
        case other
      }
      public var asPost: AsPost? { if case .post(let value) = on { value } else { nil } }

      public init(__typename: String, id: String, full: Full? = nil, on: On = .other) {
        self.__typename = __typename
        self.id = id
        self.full = full
        self.on = on
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(
          __typename: typename,
          id: fields.value("id"),
          full: fields.part(has: "id Post:author.name Author:name"),
          on: typename == "Post" && fields.has("kind") ? .post(fields.part())
            : .other
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.write("id", id)
        fields.part(full)
        fields.part(asPost)
      }

      public nonisolated struct AsPost: SelectionData {
        public var kind: String

        public init(kind: String) {
          self.kind = kind
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(kind: fields.value("kind"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("kind", kind)
        }
      }
    }

    public nonisolated struct Post: SelectionData {
      public var author: Author?
      public var details: Details
      public var postKind: PostKind?

      public init(author: Author? = nil, details: Details, postKind: PostKind? = nil) {
        self.author = author
        self.details = details
        self.postKind = postKind
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(
          author: fields.value("author"),
          details: fields.part(),
          postKind: fields.part(has: "kind")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("author", author)
        fields.part(details)
        fields.part(postKind)
      }

      public nonisolated struct Author: SelectionData, Identifiable {
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
    }

    public nonisolated struct Query: SelectionData {
      public var shelf: Shelf

      public init(shelf: Shelf) {
        self.shelf = shelf
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(shelf: fields.part())
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Query")
        fields.part(shelf)
      }
    }
  }
}

public nonisolated struct Full: FragmentData, Identifiable {
  public var __typename: String
  public var id: String
  public var asNamed: AsNamed?
  public var on: On

  public nonisolated enum On: Hashable, Sendable {
    case post(AsPost)
    case other
  }
  public var asPost: AsPost? { if case .post(let value) = on { value } else { nil } }

  public static let document = GraphQLDocument("fragment Full on Node{id ...on Post{author{...on Node{...on Author{name}}}}...on Named{name}}")

  public init(__typename: String, id: String, asNamed: AsNamed? = nil, on: On = .other) {
    self.__typename = __typename
    self.id = id
    self.asNamed = asNamed
    self.on = on
  }
  public init(reading fields: inout FieldReader) throws {
    let typename = try fields.typename()
    try self.init(
      __typename: typename,
      id: fields.read("id"),
      asNamed: fields.part(on: Blog.Types.Named, of: Blog.Types.Node, has: "name"),
      on: typename == "Post" ? .post(fields.part())
        : .other
    )
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename(__typename)
    fields.write("id", id)
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
    public var author: Author?

    public init(author: Author? = nil) {
      self.author = author
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(author: fields.read("author"))
    }
    public func write(to fields: inout FieldWriter) {
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

public nonisolated struct Details: FragmentData {
  public var author: Author?
  public var related: [Related]?

  public static let document = GraphQLDocument("fragment Details on Post{author@include(if:$full){name}related@include(if:$full){title}}")

  public init(author: Author? = nil, related: [Related]? = nil) {
    self.author = author
    self.related = related
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(
      author: fields.has("author.name") ? fields.read("author") : nil,
      related: fields.has("related.title") ? fields.read("related") : nil
    )
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename("Post")
    if let value = self.author { fields.write("author", value) }
    if let value = self.related { fields.write("related", value) }
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

  public nonisolated struct Related: SelectionData {
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
}

public nonisolated struct PostKind: FragmentData {
  public var kind: String
  public var author: Author?

  public static let document = GraphQLDocument("fragment PostKind on Post{kind:__typename author@include(if:$full){kind:__typename}}")

  public init(kind: String, author: Author? = nil) {
    self.kind = kind
    self.author = author
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(
      kind: fields.read("kind"),
      author: fields.has("author.kind") ? fields.read("author") : nil
    )
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename("Post")
    fields.write("kind", kind)
    if let value = self.author { fields.write("author", value) }
  }

  public nonisolated struct Author: SelectionData {
    public var kind: String

    public init(kind: String) {
      self.kind = kind
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(kind: fields.read("kind"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.typename("Author")
      fields.write("kind", kind)
    }
  }
}
