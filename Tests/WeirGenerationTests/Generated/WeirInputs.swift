// @generated from the schema by weir. Do not edit.
// swift-format-ignore-file
public import Foundation
public import Weir

extension Blog {
  /// Exactly one of its fields.
  public nonisolated enum By: InputObject {
    case some__(Int)
    case some_(Int)

    public func write(to fields: inout InputWriter) {
      switch self {
      case .some__(let value): fields.write("some", value)
      case .some_(let value): fields.write("some_", value)
      }
    }
  }
}

extension Blog {
  /// Exactly one of its fields.
  public indirect nonisolated enum PostBy: InputObject {
    case id(String)
    case title(String)
    case not(Blog.PostBy)

    public func write(to fields: inout InputWriter) {
      switch self {
      case .id(let value): fields.write("id", value)
      case .title(let value): fields.write("title", value)
      case .not(let value): fields.write("not", value)
      }
    }
  }
}

extension Blog {
  /// Which posts to list.
  public nonisolated struct PostFilter: InputObject {
    /// Any of them.
    public var genres: Input<[Blog.Genre]>
    public var by: Input<Blog.PostBy>
    public var and: Input<Box<Blog.PostFilter>>
    public var or: Input<[Blog.PostFilter]>
    public var since: Input<Foundation.Date>
    public var text: Input<String>
    public var price: Input<Foundation.Decimal>
    public var limit: Input<Int>
    public var fields: Input<[String]>

    public init(
      genres: [Blog.Genre]? = nil,
      by: Blog.PostBy? = nil,
      and: Blog.PostFilter? = nil,
      or: [Blog.PostFilter]? = nil,
      since: Foundation.Date? = nil,
      text: String? = nil,
      price: Foundation.Decimal? = nil,
      limit: Int? = nil,
      fields: [String]? = nil
    ) {
      self.init(
        genres: Input(genres),
        by: Input(by),
        and: Input(and.map(Box.init)),
        or: Input(or),
        since: Input(since),
        text: Input(text),
        price: Input(price),
        limit: Input(limit),
        fields: Input(fields)
      )
    }
    @_disfavoredOverload
    public init(
      genres: Input<[Blog.Genre]> = .absent,
      by: Input<Blog.PostBy> = .absent,
      and: Input<Box<Blog.PostFilter>> = .absent,
      or: Input<[Blog.PostFilter]> = .absent,
      since: Input<Foundation.Date> = .absent,
      text: Input<String> = .absent,
      price: Input<Foundation.Decimal> = .absent,
      limit: Input<Int> = .absent,
      fields: Input<[String]> = .absent
    ) {
      self.genres = genres
      self.by = by
      self.and = and
      self.or = or
      self.since = since
      self.text = text
      self.price = price
      self.limit = limit
      self.fields = fields
    }

    public func write(to fields: inout InputWriter) {
      fields.write("and", and)
      fields.write("by", by)
      fields.write("fields", self.fields)
      fields.write("genres", genres)
      fields.write("limit", limit)
      fields.write("or", or)
      fields.encode("price", price)
      fields.write("since", since)
      fields.write("text", text)
    }
  }
}

extension Blog {
  public nonisolated struct Self_: InputObject {
    public var Type__: Input<Blog.Type__>
    public var Type_: Input<Blog.Type_>

    public init(Type__: Blog.Type__? = nil, Type_: Blog.Type_? = nil) {
      self.init(Type__: Input(Type__), Type_: Input(Type_))
    }
    @_disfavoredOverload
    public init(Type__: Input<Blog.Type__> = .absent, Type_: Input<Blog.Type_> = .absent) {
      self.Type__ = Type__
      self.Type_ = Type_
    }

    public func write(to fields: inout InputWriter) {
      fields.write("Type", Type__)
      fields.write("Type_", Type_)
    }
  }
}

extension Blog {
  public nonisolated struct `init`: InputObject {
    public var __: Input<Int>
    public var `class`: Blog.`class`

    public init(__: Int? = nil, class: Blog.`class`) {
      self.init(__: Input(__), class: `class`)
    }
    @_disfavoredOverload
    public init(__: Input<Int> = .absent, class: Blog.`class`) {
      self.__ = __
      self.`class` = `class`
    }

    public func write(to fields: inout InputWriter) {
      fields.write("_", __)
      fields.write("class", `class`)
    }
  }
}
