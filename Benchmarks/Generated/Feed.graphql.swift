// @generated from Feed.graphql by weir. Do not edit.
// swift-format-ignore-file
import Weir

nonisolated struct FeedPage: GeneratedQuery {
  var first: Int
  var after: Input<String>
  var filter: Input<TodoSchema.FeedFilter>

  init(first: Int, after: String? = nil, filter: TodoSchema.FeedFilter? = nil) {
    self.init(first: first, after: Input(after), filter: Input(filter))
  }
  @_disfavoredOverload
  init(first: Int, after: Input<String> = .absent, filter: Input<TodoSchema.FeedFilter> = .absent) {
    self.first = first
    self.after = after
    self.filter = filter
  }

  static let document = GraphQLDocument("query FeedPage($first:Int!$after:String$filter:FeedFilter){feed(first:$first after:$after filter:$filter){id}}")

  func write(to variables: inout InputWriter) {
    variables.write("after", after)
    variables.write("filter", filter)
    variables.write("first", first)
  }

  nonisolated struct Data: SelectionData {
    var feed: [Feed]

    init(feed: [Feed]) {
      self.feed = feed
    }
    init(reading fields: inout FieldReader) throws {
      try self.init(feed: fields.read("feed"))
    }
    func write(to fields: inout FieldWriter) {
      fields.write("feed", feed)
    }

    nonisolated struct Feed: SelectionData, Identifiable {
      var id: String

      init(id: String) {
        self.id = id
      }
      init(reading fields: inout FieldReader) throws {
        try self.init(id: fields.read("id"))
      }
      func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
      }
    }
  }
}
