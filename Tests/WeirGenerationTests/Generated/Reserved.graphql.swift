// @generated from Reserved.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct GraphQLSchema_: GeneratedQuery {
  public init() {}

  public static let document = GraphQLDocument(
    "query GraphQLSchema{_ posts{id ID:title}node(id:\"1\"){On:id ...on Post{title}}...FieldName}",
    fragments: [FieldName_.document]
  )

  public nonisolated struct Data: SelectionData {
    public var __: Int?
    public var posts: [Posts]
    public var node: Node?
    public var fieldName: FieldName_

    public init(__: Int? = nil, posts: [Posts], node: Node? = nil, fieldName: FieldName_) {
      self.__ = __
      self.posts = posts
      self.node = node
      self.fieldName = fieldName
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(
        __: fields.value("_"),
        posts: fields.read("posts"),
        node: fields.value("node"),
        fieldName: fields.part()
      )
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("_", __)
      fields.write("posts", posts)
      fields.write("node", node)
      fields.part(fieldName)
    }

    public nonisolated struct Posts: SelectionData, Identifiable {
      public var id: String
      /// The headline.
      public var ID_: String

      public init(id: String, ID_: String) {
        self.id = id
        self.ID_ = ID_
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(id: fields.read("id"), ID_: fields.read("ID"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
        fields.write("ID", ID_)
      }
    }

    public nonisolated struct Node: SelectionData {
      public var __typename: String
      public var On_: String
      public var on: On

      public nonisolated enum On: Hashable, Sendable {
        case post(AsPost)
        case other
      }
      public var asPost: AsPost? { if case .post(let value) = on { value } else { nil } }

      public init(__typename: String, On_: String, on: On = .other) {
        self.__typename = __typename
        self.On_ = On_
        self.on = on
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(
          __typename: typename,
          On_: fields.value("On"),
          on: typename == "Post" ? .post(fields.part())
            : .other
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.write("On", On_)
        fields.part(asPost)
      }

      public nonisolated struct AsPost: SelectionData {
        /// The headline.
        public var title: String

        public init(title: String) {
          self.title = title
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(title: fields.value("title"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("title", title)
        }
      }
    }
  }
}

public nonisolated struct FieldName_: FragmentData {
  public var ID: Int?
  public var iD: ID_

  public static let document = GraphQLDocument("fragment FieldName on Query{ID:_ iD:query{_}}")

  public init(ID: Int? = nil, iD: ID_) {
    self.ID = ID
    self.iD = iD
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(ID: fields.read("ID"), iD: fields.read("iD"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.write("ID", ID)
    fields.write("iD", iD)
  }

  public nonisolated struct ID_: SelectionData {
    public var __: Int?

    public init(__: Int? = nil) {
      self.__ = __
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(__: fields.read("_"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.typename("Query")
      fields.write("_", __)
    }
  }
}
