// @generated from Keywords.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Keywords: GeneratedQuery {
  public var Data_: Input<Blog.`class`>
  public var __: Input<Blog.`init`>

  public init(Data_: Blog.`class`? = nil, __: Blog.`init`? = nil) {
    self.init(Data_: Input(Data_), __: Input(__))
  }
  @_disfavoredOverload
  public init(Data_: Input<Blog.`class`> = .absent, __: Input<Blog.`init`> = .absent) {
    self.Data_ = Data_
    self.__ = __
  }

  public static let document = GraphQLDocument(
    "query Keywords($Data:class$_:init){_ class:odd(class:$Data init:$_)__typename query{__typename}...Count}",
    fragments: [Count.document]
  )

  public func write(to variables: inout InputWriter) {
    variables.write("Data", Data_)
    variables.write("_", __)
  }

  public nonisolated struct Data: SelectionData {
    public var __: Int?
    public var `class`: Blog.`class`?
    public var query: Query
    public var count: Count

    public init(__: Int? = nil, class: Blog.`class`? = nil, query: Query, count: Count) {
      self.__ = __
      self.`class` = `class`
      self.query = query
      self.count = count
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(
        __: fields.value("_"),
        class: fields.value("class"),
        query: fields.value("query"),
        count: fields.part()
      )
    }
    public func write(to fields: inout FieldWriter) {
      fields.typename("Query")
      fields.write("_", __)
      fields.write("class", `class`)
      fields.write("query", query)
      fields.part(count)
    }

    public nonisolated struct Query: SelectionData {

      public init() {
      }
      public init(reading fields: inout FieldReader) throws {
        self.init()
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Query")
      }
    }
  }
}

public nonisolated struct Count: FragmentData {
  public var __typename: String
  public var __: Int?

  public static let document = GraphQLDocument("fragment Count on Counted{_ __typename}")

  public init(__typename: String, __: Int? = nil) {
    self.__typename = __typename
    self.__ = __
  }
  public init(reading fields: inout FieldReader) throws {
    let typename = try fields.typename()
    try self.init(__typename: typename, __: fields.read("_"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.typename(__typename)
    fields.write("_", __)
  }
}
