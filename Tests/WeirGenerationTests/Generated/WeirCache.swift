// @generated from the schema by weir. Do not edit.
// swift-format-ignore-file
public import Foundation
public import WeirNormalized

extension Blog {
  /// A configuration of a normalized cache with the schema and the keys of its types.
  public nonisolated static var cacheConfiguration: NormalizedCacheConfiguration {
    var configuration = NormalizedCacheConfiguration()
    configuration.schema = schema
    configuration.keys["Author"] = .field("id")
    configuration.keys["Tag"] = .field("name")
    return configuration
  }

  public nonisolated enum Author: GeneratedObject {
    public static var typename: String { "Author" }
    public nonisolated struct Fields: GeneratedNames {
      public var id: FieldName<Blog.Author, String> { FieldName("id") }
      public var name: FieldName<Blog.Author, String> { FieldName("name") }
      public var posts: FieldName<Blog.Author, [Blog.Post]> { FieldName("posts") }
      public init() {}
    }
  }

  public nonisolated enum Counted: GeneratedType {
    public static var typename: String { "Counted" }
    public nonisolated struct Fields: GeneratedNames {
      public var __: FieldName<Blog.Counted, Int?> { FieldName("_") }
      public init() {}
    }
  }

  public nonisolated enum Data: GeneratedType {
    public static var typename: String { "Data" }
    public nonisolated struct Fields: GeneratedNames {
      public init() {}
    }
  }

  public nonisolated enum Data_: GeneratedObject {
    public static var typename: String { "Data_" }
    public nonisolated struct Fields: GeneratedNames {
      public var id: FieldName<Blog.Data_, String> { FieldName("id") }
      public init() {}
    }
  }

  public nonisolated enum Meeting: GeneratedObject {
    public static var typename: String { "Meeting" }
    public nonisolated struct Fields: GeneratedNames {
      public var Type__: FieldName<Blog.Meeting, Blog.Type__?> { FieldName("Type") }
      public var Type_: FieldName<Blog.Meeting, Blog.Type_?> { FieldName("Type_") }
      public var Item: FieldName<Blog.Meeting, Blog.Tag?> { FieldName("Item") }
      public var item: FieldName<Blog.Meeting, Blog.Tag?> { FieldName("item") }
      public var Item_: FieldName<Blog.Meeting, Int?> { FieldName("Item_") }
      public var data: FieldName<Blog.Meeting, Blog.Data?> { FieldName("data") }
      public var other: FieldName<Blog.Meeting, Blog.Other?> { FieldName("other") }
      public init() {}
    }
  }

  public nonisolated enum Mutation: GeneratedObject {
    public static var typename: String { "Mutation" }
    public nonisolated struct Fields: GeneratedNames {
      public var rename: MutationName<Blog.Mutation.RenameArguments> { MutationName("rename") }
      public init() {}
    }
    public nonisolated struct RenameArguments: GeneratedNames {
      public var id: ArgumentName { ArgumentName("id") }
      public var title: ArgumentName { ArgumentName("title") }
      public init() {}
    }
  }

  public nonisolated enum Named: GeneratedType {
    public static var typename: String { "Named" }
    public nonisolated struct Fields: GeneratedNames {
      public var name: FieldName<Blog.Named, String> { FieldName("name") }
      public init() {}
    }
  }

  public nonisolated enum Node: GeneratedType {
    public static var typename: String { "Node" }
    public nonisolated struct Fields: GeneratedNames {
      public var id: FieldName<Blog.Node, String> { FieldName("id") }
      public init() {}
    }
  }

  public nonisolated enum Other: GeneratedType {
    public static var typename: String { "Other" }
    public nonisolated struct Fields: GeneratedNames {
      public init() {}
    }
  }

  public nonisolated enum Post: GeneratedObject {
    public static var typename: String { "Post" }
    public nonisolated struct Fields: GeneratedNames {
      public var id: FieldName<Blog.Post, String> { FieldName("id") }
      public var title: FieldName<Blog.Post, String> { FieldName("title") }
      public var genre: FieldName<Blog.Post, Blog.Genre> { FieldName("genre") }
      public var genres: FieldName<Blog.Post, [Blog.Genre]?> { FieldName("genres") }
      public var tags: FieldName<Blog.Post, [String]> { FieldName("tags") }
      public var published: FieldName<Blog.Post, Foundation.Date?> { FieldName("published") }
      public var price: FieldName<Blog.Post, Foundation.Decimal?> { FieldName("price") }
      public var author: FieldName<Blog.Post, Blog.Author?> { FieldName("author") }
      public var related: FieldName<Blog.Post, [Blog.Post]> { FieldName("related") }
      public var likes: FieldName<Blog.Post, Int> { FieldName("likes") }
      public var rating: FieldName<Blog.Post, Double?> { FieldName("rating") }
      public var isDraft: FieldName<Blog.Post, Bool> { FieldName("isDraft") }
      public var subtitle: FieldName<Blog.Post, String?> { FieldName("subtitle") }
      public init() {}
    }
  }

  public nonisolated enum Query: GeneratedObject {
    public static var typename: String { "Query" }
    public nonisolated struct Fields: GeneratedNames {
      public var posts: FieldName<Blog.Query, [Blog.Post]> { FieldName("posts") }
      public var post: FieldName<Blog.Query, Blog.Post?> { FieldName("post") }
      public var search: FieldName<Blog.Query, [Blog.SearchResult]> { FieldName("search") }
      public var node: FieldName<Blog.Query, Blog.Node?> { FieldName("node") }
      public var matrix: FieldName<Blog.Query, [[Int?]]?> { FieldName("matrix") }
      public var grid: FieldName<Blog.Query, [[Blog.Post]?]?> { FieldName("grid") }
      public var holes: FieldName<Blog.Query, [Blog.Post?]?> { FieldName("holes") }
      public var echo: FieldName<Blog.Query, Bool?> { FieldName("echo") }
      public var query: FieldName<Blog.Query, Blog.Query> { FieldName("query") }
      public var __: FieldName<Blog.Query, Int?> { FieldName("_") }
      public var odd: FieldName<Blog.Query, Blog.`class`?> { FieldName("odd") }
      public var meeting: FieldName<Blog.Query, Blog.Meeting?> { FieldName("meeting") }
      public var raw: FieldName<Blog.Query, Blog.AllCases?> { FieldName("raw") }
      public init() {}
    }
  }

  public nonisolated enum SearchResult: GeneratedType {
    public static var typename: String { "SearchResult" }
    public nonisolated struct Fields: GeneratedNames {
      public init() {}
    }
  }

  public nonisolated enum Subscription: GeneratedObject {
    public static var typename: String { "Subscription" }
    public nonisolated struct Fields: GeneratedNames {
      public var postChanged: MutationName<Blog.Subscription.PostChangedArguments> { MutationName("postChanged") }
      public init() {}
    }
    public nonisolated struct PostChangedArguments: GeneratedNames {
      public init() {}
    }
  }

  public nonisolated enum Tag: GeneratedObject {
    public static var typename: String { "Tag" }
    public nonisolated struct Fields: GeneratedNames {
      public var __: FieldName<Blog.Tag, Int?> { FieldName("_") }
      public var name: FieldName<Blog.Tag, String> { FieldName("name") }
      public var parent: FieldName<Blog.Tag, Blog.Tag?> { FieldName("parent") }
      public init() {}
    }
  }

  public nonisolated enum other: GeneratedObject {
    public static var typename: String { "other" }
    public nonisolated struct Fields: GeneratedNames {
      public var id: FieldName<Blog.other, String> { FieldName("id") }
      public init() {}
    }
  }

  public nonisolated enum other_: GeneratedObject {
    public static var typename: String { "other_" }
    public nonisolated struct Fields: GeneratedNames {
      public var id: FieldName<Blog.other_, String> { FieldName("id") }
      public init() {}
    }
  }
}
