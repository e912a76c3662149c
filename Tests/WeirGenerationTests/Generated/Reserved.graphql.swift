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

public nonisolated struct Hiding: GeneratedQuery {
  public var Input_: Input<Int>
  public var Box_: Input<Blog.PostFilter>
  public var Blog_: String
  public var _root_: String

  public init(Input_: Int? = nil, Box_: Blog.PostFilter? = nil, Blog_: String, _root_: String) {
    self.init(Input_: Input(Input_), Box_: Input(Box_), Blog_: Blog_, _root_: _root_)
  }
  @_disfavoredOverload
  public init(
    Input_: Input<Int> = .absent,
    Box_: Input<Blog.PostFilter> = .absent,
    Blog_: String,
    _root_: String
  ) {
    self.Input_ = Input_
    self.Box_ = Box_
    self.Blog_ = Blog_
    self._root_ = _root_
  }

  public static let document = GraphQLDocument(
    "query Hiding($Input:Int$Box:PostFilter$Blog:ID!$_root:ID!){posts(first:$Input filter:$Box){title Blog:id}node(id:$Blog){...on Named{name}}Blog:post(id:$_root){id}..._root}",
    fragments: [_root.document]
  )

  public func write(to variables: inout InputWriter) {
    variables.write("Blog", Blog_)
    variables.write("Box", Box_)
    variables.write("Input", Input_)
    variables.write("_root", _root_)
  }

  public nonisolated struct Data: SelectionData {
    public var posts: [Posts]
    public var node: Node?
    public var Blog_: Blog__?
    public var _root: _root

    public init(posts: [Posts], node: Node? = nil, Blog_: Blog__? = nil, _root: _root) {
      self.posts = posts
      self.node = node
      self.Blog_ = Blog_
      self._root = _root
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(
        posts: fields.read("posts"),
        node: fields.value("node"),
        Blog_: fields.value("Blog"),
        _root: fields.part()
      )
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("posts", posts)
      fields.write("node", node)
      fields.write("Blog", Blog_)
      fields.part(_root)
    }

    public nonisolated struct Posts: SelectionData {
      /// The headline.
      public var title: String
      public var Blog_: String

      public init(title: String, Blog_: String) {
        self.title = title
        self.Blog_ = Blog_
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(title: fields.read("title"), Blog_: fields.read("Blog"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("title", title)
        fields.write("Blog", Blog_)
      }
    }

    public nonisolated struct Node: SelectionData {
      public var __typename: String
      public var asNamed: AsNamed?

      public init(__typename: String, asNamed: AsNamed? = nil) {
        self.__typename = __typename
        self.asNamed = asNamed
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(
          __typename: typename,
          asNamed: fields.part(on: Blog.Types.Named, of: Blog.Types.Node, has: "name")
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.part(asNamed)
      }

      public nonisolated struct AsNamed: SelectionData {
        public var name: String

        public init(name: String) {
          self.name = name
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(name: fields.value("name"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("name", name)
        }
      }
    }

    public nonisolated struct Blog__: SelectionData, Identifiable {
      public var id: String

      public init(id: String) {
        self.id = id
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(id: fields.value("id"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
      }
    }
  }
}

public nonisolated struct _root: FragmentData {
  public var _count_: _count

  public static let document = GraphQLDocument(
    "fragment _root on Query{..._count}",
    fragments: [_count.document]
  )

  public init(_count_: _count) {
    self._count_ = _count_
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(_count_: fields.part())
  }
  public func write(to fields: inout FieldWriter) {
    fields.part(_count_)
  }
}

public nonisolated struct _count: FragmentData {
  public var GraphQLDocument_: Int?

  public static let document = GraphQLDocument("fragment _count on Query{GraphQLDocument:_}")

  public init(GraphQLDocument_: Int? = nil) {
    self.GraphQLDocument_ = GraphQLDocument_
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(GraphQLDocument_: fields.read("GraphQLDocument"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.write("GraphQLDocument", GraphQLDocument_)
  }
}
