// @generated from RootFragment.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct RootFragment: GeneratedQuery {
  public init() {}

  public static let document = GraphQLDocument(
    "query RootFragment{...Shelf matrix ...on Counted{...on Tag{name}}}",
    fragments: [Shelf.document]
  )

  public nonisolated struct Data: SelectionData {
    public var shelf: Shelf
    public var matrix: [[Int?]]?

    public init(shelf: Shelf, matrix: [[Int?]]? = nil) {
      self.shelf = shelf
      self.matrix = matrix
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(shelf: fields.part(), matrix: fields.decodeIfPresent("matrix"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.part(shelf)
      fields.encode("matrix", matrix)
    }
  }
}

public nonisolated struct Shelf: FragmentData {
  public var posts: [PostRow]

  public static let document = GraphQLDocument(
    "fragment Shelf on Query{posts(first:3){...PostRow}}",
    fragments: [PostRow.document]
  )

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
