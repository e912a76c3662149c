// @generated from Rename.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Rename: GeneratedMutation {
  public var id: String
  public var title: String

  public init(id: String, title: String) {
    self.id = id
    self.title = title
  }

  public static let document = GraphQLDocument(
    "mutation Rename($id:ID!$title:String!){rename(id:$id title:$title){...PostRow}}",
    fragments: [PostRow.document]
  )

  public func write(to variables: inout InputWriter) {
    variables.write("id", id)
    variables.write("title", title)
  }

  public nonisolated struct Data: SelectionData {
    public var rename: PostRow?

    public init(rename: PostRow? = nil) {
      self.rename = rename
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(rename: fields.value("rename"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("rename", rename)
    }
  }
}
