// @generated from Variables.graphql by weir. Do not edit.
// swift-format-ignore-file
public import Foundation
public import Weir

public nonisolated struct Variables: GeneratedQuery {
  public var `in`: Input<[[Blog.Genre]?]>
  public var variables: Blog.PostFilter
  public var by: Input<Blog.PostBy>
  public var since: Foundation.Date
  public var price: Input<Foundation.Decimal>
  public var ids: Input<[String]>
  public var self_: Input<Double>

  public init(
    in: [[Blog.Genre]?]? = nil,
    variables: Blog.PostFilter,
    by: Blog.PostBy? = nil,
    since: Foundation.Date,
    price: Foundation.Decimal? = nil,
    ids: [String]? = nil,
    self_: Double? = nil
  ) {
    self.init(
      in: Input(`in`),
      variables: variables,
      by: Input(by),
      since: since,
      price: Input(price),
      ids: Input(ids),
      self_: Input(self_)
    )
  }
  @_disfavoredOverload
  public init(
    in: Input<[[Blog.Genre]?]> = .absent,
    variables: Blog.PostFilter,
    by: Input<Blog.PostBy> = .absent,
    since: Foundation.Date,
    price: Input<Foundation.Decimal> = .absent,
    ids: Input<[String]> = .absent,
    self_: Input<Double> = .absent
  ) {
    self.`in` = `in`
    self.variables = variables
    self.by = by
    self.since = since
    self.price = price
    self.ids = ids
    self.self_ = self_
  }

  public static let document = GraphQLDocument("query Variables($in:[[Genre!]]$variables:PostFilter!$by:PostBy$since:DateTime!$price:Money$ids:[ID!]!=[]$self:Float){posts(filter:{genres:[FICTION]by:$by since:$since price:$price}){id}other:posts(filter:$variables){id}a:echo(genres:$in ids:$ids ratio:$self)}")

  public func write(to variables: inout InputWriter) {
    variables.write("by", by)
    variables.write("ids", ids)
    variables.write("in", `in`)
    variables.encode("price", price)
    variables.write("self", self_)
    variables.write("since", since)
    variables.write("variables", self.variables)
  }

  public nonisolated struct Data: SelectionData {
    public var posts: [Posts]
    public var other: [Other]
    public var a: Bool?

    public init(posts: [Posts], other: [Other], a: Bool? = nil) {
      self.posts = posts
      self.other = other
      self.a = a
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(posts: fields.read("posts"), other: fields.read("other"), a: fields.value("a"))
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("posts", posts)
      fields.write("other", other)
      fields.write("a", a)
    }

    public nonisolated struct Posts: SelectionData, Identifiable {
      public var id: String

      public init(id: String) {
        self.id = id
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(id: fields.read("id"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
      }
    }

    public nonisolated struct Other: SelectionData, Identifiable {
      public var id: String

      public init(id: String) {
        self.id = id
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(id: fields.read("id"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
      }
    }
  }
}

public nonisolated struct Names: GeneratedQuery {
  public var `inout`: Input<Int>
  public var `let`: String
  public var hashValue_: Input<Int>

  public init(`inout`: Int? = nil, `let`: String, hashValue_: Int? = nil) {
    self.init(`inout`: Input(`inout`), let: `let`, hashValue_: Input(hashValue_))
  }
  @_disfavoredOverload
  public init(`inout`: Input<Int> = .absent, `let`: String, hashValue_: Input<Int> = .absent) {
    self.`inout` = `inout`
    self.`let` = `let`
    self.hashValue_ = hashValue_
  }

  public static let document = GraphQLDocument("query Names($inout:Int$let:ID!$hashValue:Int){inout:echo(ratio:1)let:node(id:$let){id}hashValue:matrix Type:holes{id}document:posts(first:1){write:id}other:posts(filter:{limit:$inout}){id}more:posts(filter:{limit:$hashValue}){id}}")

  public func write(to variables: inout InputWriter) {
    variables.write("hashValue", hashValue_)
    variables.write("inout", `inout`)
    variables.write("let", `let`)
  }

  public nonisolated struct Data: SelectionData {
    public var `inout`: Bool?
    public var `let`: Let?
    public var hashValue_: [[Int?]]?
    public var Type_: [Type__?]?
    public var document: [Document]
    public var other: [Other]
    public var more: [More]

    public init(
      `inout`: Bool? = nil,
      `let`: Let? = nil,
      hashValue_: [[Int?]]? = nil,
      Type_: [Type__?]? = nil,
      document: [Document],
      other: [Other],
      more: [More]
    ) {
      self.`inout` = `inout`
      self.`let` = `let`
      self.hashValue_ = hashValue_
      self.Type_ = Type_
      self.document = document
      self.other = other
      self.more = more
    }
    public init(reading fields: inout FieldReader) throws {
      try self.init(
        `inout`: fields.value("inout"),
        let: fields.value("let"),
        hashValue_: fields.decodeIfPresent("hashValue"),
        Type_: fields.read("Type"),
        document: fields.read("document"),
        other: fields.read("other"),
        more: fields.read("more")
      )
    }
    public func write(to fields: inout FieldWriter) {
      fields.write("inout", `inout`)
      fields.write("let", `let`)
      fields.encode("hashValue", hashValue_)
      fields.write("Type", Type_)
      fields.write("document", document)
      fields.write("other", other)
      fields.write("more", more)
    }

    public nonisolated struct Let: SelectionData, Identifiable {
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

    public nonisolated struct Type__: SelectionData, Identifiable {
      public var id: String

      public init(id: String) {
        self.id = id
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(id: fields.read("id"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
      }
    }

    public nonisolated struct Document: SelectionData {
      public var write: String

      public init(write: String) {
        self.write = write
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(write: fields.read("write"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("write", write)
      }
    }

    public nonisolated struct Other: SelectionData, Identifiable {
      public var id: String

      public init(id: String) {
        self.id = id
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(id: fields.read("id"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
      }
    }

    public nonisolated struct More: SelectionData, Identifiable {
      public var id: String

      public init(id: String) {
        self.id = id
      }
      public init(reading fields: inout FieldReader) throws {
        try self.init(id: fields.read("id"))
      }
      public func write(to fields: inout FieldWriter) {
        fields.typename("Post")
        fields.write("id", id)
      }
    }
  }
}
