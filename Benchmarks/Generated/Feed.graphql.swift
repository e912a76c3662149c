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

  static let document = GraphQLDocument(
    "query FeedPage($first:Int!$after:String$filter:FeedFilter){feed(first:$first after:$after filter:$filter){edges{cursor node{id title createdAt author{...AuthorCard}comments(first:3){id body}}}pageInfo{hasNextPage endCursor}}}",
    fragments: [AuthorCard.document]
  )

  func write(to variables: inout InputWriter) {
    variables.write("after", after)
    variables.write("filter", filter)
    variables.write("first", first)
  }

  nonisolated struct Data: SelectionData {
    var feed: Feed

    init(feed: Feed) {
      self.feed = feed
    }
    init(reading fields: inout FieldReader) throws {
      try self.init(feed: fields.value("feed"))
    }
    func write(to fields: inout FieldWriter) {
      fields.write("feed", feed)
    }

    nonisolated struct Feed: SelectionData {
      var edges: [Edges]
      var pageInfo: PageInfo

      init(edges: [Edges], pageInfo: PageInfo) {
        self.edges = edges
        self.pageInfo = pageInfo
      }
      init(reading fields: inout FieldReader) throws {
        try self.init(edges: fields.read("edges"), pageInfo: fields.value("pageInfo"))
      }
      func write(to fields: inout FieldWriter) {
        fields.typename("FeedConnection")
        fields.write("edges", edges)
        fields.write("pageInfo", pageInfo)
      }

      nonisolated struct Edges: SelectionData {
        var cursor: String
        var node: Node

        init(cursor: String, node: Node) {
          self.cursor = cursor
          self.node = node
        }
        init(reading fields: inout FieldReader) throws {
          try self.init(cursor: fields.read("cursor"), node: fields.read("node"))
        }
        func write(to fields: inout FieldWriter) {
          fields.typename("FeedEdge")
          fields.write("cursor", cursor)
          fields.write("node", node)
        }

        nonisolated struct Node: SelectionData, Identifiable {
          var id: String
          var title: String
          var createdAt: String
          var author: AuthorCard
          var comments: [Comments]

          init(
            id: String,
            title: String,
            createdAt: String,
            author: AuthorCard,
            comments: [Comments]
          ) {
            self.id = id
            self.title = title
            self.createdAt = createdAt
            self.author = author
            self.comments = comments
          }
          init(reading fields: inout FieldReader) throws {
            try self.init(
              id: fields.read("id"),
              title: fields.read("title"),
              createdAt: fields.read("createdAt"),
              author: fields.read("author"),
              comments: fields.read("comments")
            )
          }
          func write(to fields: inout FieldWriter) {
            fields.typename("Entry")
            fields.write("id", id)
            fields.write("title", title)
            fields.write("createdAt", createdAt)
            fields.write("author", author)
            fields.write("comments", comments)
          }

          nonisolated struct Comments: SelectionData, Identifiable {
            var id: String
            var body: String

            init(id: String, body: String) {
              self.id = id
              self.body = body
            }
            init(reading fields: inout FieldReader) throws {
              try self.init(id: fields.read("id"), body: fields.read("body"))
            }
            func write(to fields: inout FieldWriter) {
              fields.typename("Comment")
              fields.write("id", id)
              fields.write("body", body)
            }
          }
        }
      }

      nonisolated struct PageInfo: SelectionData {
        var hasNextPage: Bool
        var endCursor: String?

        init(hasNextPage: Bool, endCursor: String? = nil) {
          self.hasNextPage = hasNextPage
          self.endCursor = endCursor
        }
        init(reading fields: inout FieldReader) throws {
          try self.init(
            hasNextPage: fields.value("hasNextPage"),
            endCursor: fields.value("endCursor")
          )
        }
        func write(to fields: inout FieldWriter) {
          fields.typename("PageInfo")
          fields.write("hasNextPage", hasNextPage)
          fields.write("endCursor", endCursor)
        }
      }
    }
  }
}

nonisolated struct AuthorCard: FragmentData, Identifiable {
  var id: String
  var name: String
  var handle: String
  var avatar: String

  static let document = GraphQLDocument("fragment AuthorCard on User{id name handle avatar(size:64)}")

  init(id: String, name: String, handle: String, avatar: String) {
    self.id = id
    self.name = name
    self.handle = handle
    self.avatar = avatar
  }
  init(reading fields: inout FieldReader) throws {
    try self.init(
      id: fields.read("id"),
      name: fields.read("name"),
      handle: fields.read("handle"),
      avatar: fields.read("avatar")
    )
  }
  func write(to fields: inout FieldWriter) {
    fields.typename("User")
    fields.write("id", id)
    fields.write("name", name)
    fields.write("handle", handle)
    fields.write("avatar", avatar)
  }
}
