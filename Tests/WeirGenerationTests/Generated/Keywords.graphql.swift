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

  public static let document = GraphQLDocument("query Keywords($Data:class$_:init){_ class:odd(class:$Data init:$_)__typename query{__typename}}")

  public func write(to variables: inout InputWriter) {
    variables.write("Data", Data_)
    variables.write("_", __)
  }

  public nonisolated struct Data: SelectionData {
    public var __: Int?
    public var `class`: Blog.`class`?
    public var query: Query

    public init(__: Int? = nil, class: Blog.`class`? = nil, query: Query) {
      self.__ = __
      self.`class` = `class`
      self.query = query
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(__: fields.read("_"), class: fields.read("class"), query: fields.read("query"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.typename("Query")
      fields.write("_", __)
      fields.write("class", `class`)
      fields.write("query", query)
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
