// @generated from Enumerations.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Enumerations: GeneratedQuery {
  public var raw: Input<Blog.RawValue>

  public init(raw: Blog.RawValue? = nil) {
    self.init(raw: Input(raw))
  }
  @_disfavoredOverload
  public init(raw: Input<Blog.RawValue> = .absent) {
    self.raw = raw
  }

  public static let document = GraphQLDocument("query Enumerations($raw:RawValue){raw(raw:$raw)node(id:\"1\"){__typename:__typename id}}")

  public func write(to variables: inout InputWriter) {
    variables.write("raw", raw)
  }

  public nonisolated struct Data: SelectionData {
    public var raw: Blog.AllCases?
    public var node: Node?

    public init(raw: Blog.AllCases? = nil, node: Node? = nil) {
      self.raw = raw
      self.node = node
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(raw: fields.value("raw"), node: fields.value("node"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("raw", raw)
      fields.write("node", node)
    }

    public nonisolated struct Node: SelectionData, Identifiable {
      public var __typename: String
      public var id: String

      public init(__typename: String, id: String) {
        self.__typename = __typename
        self.id = id
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(__typename: typename, id: fields.value("id"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.write("id", id)
      }
    }
  }
}
