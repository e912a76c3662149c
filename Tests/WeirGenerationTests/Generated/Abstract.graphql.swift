// @generated from Abstract.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Abstract: GeneratedQuery {
  public init() {}

  public static let document = GraphQLDocument(
    "query Abstract{node(id:\"1\"){...NodeID ...on Post{...PostRow}...on Named{name ...on Author{posts{...PostRow}}}...on Author{id}...on Author{posts{likes}}}search(text:\"a\"){...Result}}",
    fragments: [NodeID.document, PostRow.document, Result.document]
  )

  public nonisolated struct Data: SelectionData {
    public var node: Node?
    public var search: [Result]

    public init(node: Node? = nil, search: [Result]) {
      self.node = node
      self.search = search
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(node: fields.value("node"), search: fields.read("search"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("node", node)
      fields.write("search", search)
    }

    public nonisolated struct Node: SelectionData {
      public var __typename: String
      public var nodeID: NodeID
      public var postRow: PostRow?
      public var asNamed: AsNamed?
      public var on: On

      public nonisolated enum On: Hashable, Sendable {
        case author(AsAuthor)
        case other
      }
      public var asAuthor: AsAuthor? { if case .author(let value) = on { value } else { nil } }

      public init(
        __typename: String,
        nodeID: NodeID,
        postRow: PostRow? = nil,
        asNamed: AsNamed? = nil,
        on: On = .other
      ) {
        self.__typename = __typename
        self.nodeID = nodeID
        self.postRow = postRow
        self.asNamed = asNamed
        self.on = on
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(
          __typename: typename,
          nodeID: fields.part(),
          postRow: fields.part(on: "Post"),
          asNamed: fields.part(on: Blog.Types.Named, of: Blog.Types.Node, has: "name Author:posts.id Author:posts.title Author:posts.genre Author:posts.published"),
          on: typename == "Author" ? .author(fields.part())
            : .other
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.part(nodeID)
        fields.part(postRow)
        fields.part(asNamed)
        fields.part(asAuthor)
      }

      public nonisolated struct AsNamed: SelectionData {
        public var name: String
        public var on: On

        public nonisolated enum On: Hashable, Sendable {
          case author(AsAuthor)
          case other
        }
        public var asAuthor: AsAuthor? { if case .author(let value) = on { value } else { nil } }

        public init(name: String, on: On = .other) {
          self.name = name
          self.on = on
        }
        public init(reading fields: inout FieldReader) throws {
          let typename = try fields.typename()
          try self.init(
            name: fields.value("name"),
            on: typename == "Author" ? .author(fields.part())
              : .other
          )
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("name", name)
          fields.part(asAuthor)
        }

        public nonisolated struct AsAuthor: SelectionData {
          public var posts: [PostRow]

          public init(posts: [PostRow]) {
            self.posts = posts
          }
          public init(reading fields: inout FieldReader) throws {
            try self.init(posts: fields.read("posts"))
          }
          public func write(to fields: inout FieldWriter) {
            fields.write("posts", posts)
          }
        }
      }

      public nonisolated struct AsAuthor: SelectionData, Identifiable {
        public var id: String
        public var posts: [Posts]

        public init(id: String, posts: [Posts]) {
          self.id = id
          self.posts = posts
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(id: fields.value("id"), posts: fields.read("posts"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("id", id)
          fields.write("posts", posts)
        }

        public nonisolated struct Posts: SelectionData {
          public var likes: Int

          public init(likes: Int) {
            self.likes = likes
          }
          public init(reading fields: inout FieldReader) throws {
            try self.init(likes: fields.read("likes"))
          }
          public func write(to fields: inout FieldWriter) {
            fields.typename("Post")
            fields.write("likes", likes)
          }
        }
      }
    }
  }
}

/// Any object with an identifier.
public nonisolated struct NodeID: FragmentData, Identifiable {
  public var __typename: String
  public var id: String

  public static let document = GraphQLDocument("fragment NodeID on Node{id}")

  public init(__typename: String, id: String) {
    self.__typename = __typename
    self.id = id
  }
  public init(reading fields: inout FieldReader) throws {
    let typename = try fields.typename()
    try self.init(__typename: typename, id: fields.read("id"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename(__typename)
    fields.write("id", id)
  }
}

public nonisolated struct Result: FragmentData {
  public var __typename: String
  public var tagCard: TagCard?
  public var asNode: AsNode?

  public static let document = GraphQLDocument(
    "fragment Result on SearchResult{...TagCard ...on Node{id ...on Author{name}}}",
    fragments: [TagCard.document]
  )

  public init(__typename: String, tagCard: TagCard? = nil, asNode: AsNode? = nil) {
    self.__typename = __typename
    self.tagCard = tagCard
    self.asNode = asNode
  }
  public init(reading fields: inout FieldReader) throws {
    let typename = try fields.typename()
    try self.init(
      __typename: typename,
      tagCard: fields.part(on: "Tag"),
      asNode: fields.part(on: Blog.Types.Node, of: Blog.Types.SearchResult, has: "id Author:name")
    )
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename(__typename)
    fields.part(tagCard)
    fields.part(asNode)
  }

  public nonisolated struct AsNode: SelectionData, Identifiable {
    public var id: String
    public var on: On

    public nonisolated enum On: Hashable, Sendable {
      case author(AsAuthor)
      case other
    }
    public var asAuthor: AsAuthor? { if case .author(let value) = on { value } else { nil } }

    public init(id: String, on: On = .other) {
      self.id = id
      self.on = on
    }
    public init(reading fields: inout FieldReader) throws {
      let typename = try fields.typename()
      try self.init(
        id: fields.read("id"),
        on: typename == "Author" ? .author(fields.part())
          : .other
      )
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("id", id)
      fields.part(asAuthor)
    }

    public nonisolated struct AsAuthor: SelectionData {
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
  }
}

public nonisolated struct TagCard: FragmentData {
  public var name: String
  public var parent: Parent?

  public static let document = GraphQLDocument("fragment TagCard on Tag{name parent{name}}")

  public init(name: String, parent: Parent? = nil) {
    self.name = name
    self.parent = parent
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(name: fields.read("name"), parent: fields.read("parent"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename("Tag")
    fields.write("name", name)
    fields.write("parent", parent)
  }

  public nonisolated struct Parent: SelectionData {
    public var name: String

    public init(name: String) {
      self.name = name
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(name: fields.read("name"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.typename("Tag")
      fields.write("name", name)
    }
  }
}
