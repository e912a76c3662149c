// @generated from Search.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Weir

public nonisolated struct Search: GeneratedQuery {
  public var text: String

  public init(text: String) {
    self.text = text
  }

  public static let document = GraphQLDocument("query Search($text:String!){search(text:$text){...on Post{title}...on Author{id}...on Named{name}}}")

  public func write(to variables: inout InputWriter) {
    variables.write("text", text)
  }

  public nonisolated struct Data: SelectionData {
    public var search: [Search]

    public init(search: [Search]) {
      self.search = search
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(search: fields.read("search"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("search", search)
    }

    public nonisolated struct Search: SelectionData {
      public var __typename: String
      public var asNamed: AsNamed?
      public var on: On

      public nonisolated enum On: Hashable, Sendable {
        case post(AsPost)
        case author(AsAuthor)
        case other
      }
      public var asPost: AsPost? { if case .post(let value) = on { value } else { nil } }
      public var asAuthor: AsAuthor? { if case .author(let value) = on { value } else { nil } }

      public init(__typename: String, asNamed: AsNamed? = nil, on: On = .other) {
        self.__typename = __typename
        self.asNamed = asNamed
        self.on = on
      }
      public init(reading fields: inout FieldReader) throws {
        let typename = try fields.typename()
        try self.init(
          __typename: typename,
          asNamed: fields.part(on: Blog.Types.Named, of: Blog.Types.SearchResult, has: "name"),
          on: typename == "Post" ? .post(fields.part())
            : typename == "Author" ? .author(fields.part())
            : .other
        )
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename(__typename)
        fields.part(asNamed)
        fields.part(asPost)
        fields.part(asAuthor)
      }

      public nonisolated struct AsNamed: SelectionData {
        public var name: String

        public init(name: String) {
          self.name = name
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(name: fields.read("name"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("name", name)
        }
      }

      public nonisolated struct AsPost: SelectionData {
        /// The headline.
        public var title: String

        public init(title: String) {
          self.title = title
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(title: fields.read("title"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("title", title)
        }
      }

      public nonisolated struct AsAuthor: SelectionData, Identifiable {
        public var id: String

        public init(id: String) {
          self.id = id
        }
        public init(reading fields: inout FieldReader) throws {
          try self.init(id: fields.read("id"))
        }
        public func write(to fields: inout FieldWriter) {
          fields.write("id", id)
        }
      }
    }
  }
}
