// @generated from Subscription.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct PostChanged: GeneratedSubscription {
  public init() {}

  public static let document = GraphQLDocument(
    "subscription PostChanged{postChanged{...PostRow}}",
    fragments: [PostRow.document]
  )

  public nonisolated struct Data: SelectionData {
    public var postChanged: PostRow?

    public init(postChanged: PostRow? = nil) {
      self.postChanged = postChanged
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(postChanged: fields.value("postChanged"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("postChanged", postChanged)
    }
  }
}
