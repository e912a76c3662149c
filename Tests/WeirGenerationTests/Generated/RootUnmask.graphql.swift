// @generated from RootUnmask.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct RootUnmask: GeneratedQuery {
  public var full: Bool

  public init(full: Bool) {
    self.full = full
  }

  public static let document = GraphQLDocument(
    "query RootUnmask($full:Boolean!){...Total@include(if:$full)}",
    fragments: [Total.document]
  )

  public func write(to variables: inout InputWriter) {
    variables.write("full", full)
  }

  public nonisolated struct Data: SelectionData {
    public var total: Total?

    public init(total: Total? = nil) {
      self.total = total
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(total: fields.part(has: "_"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.part(total)
    }
  }
}

public nonisolated struct Total: FragmentData {
  public var __: Int?

  public static let document = GraphQLDocument(
    "fragment Total on Query{...Count}",
    fragments: [Count.document]
  )

  public init(__: Int? = nil) {
    self.__ = __
  }
  public init(reading fields: inout FieldReader) throws {
    try self.init(__: fields.read("_"))
  }
  public func write(to fields: inout FieldWriter) {
    fields.write("_", __)
  }
}
