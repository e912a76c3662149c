// @generated from the schema by weir. Do not edit.
// swift-format-ignore-file
import Weir

extension TodoSchema {
  nonisolated struct AuthorFilter: InputObject {
    var id: String

    init(id: String) {
      self.id = id
    }

    func write(to fields: inout InputWriter) {
      fields.write("id", id)
    }
  }
}

extension TodoSchema {
  nonisolated struct FeedFilter: InputObject {
    var tags: [String]
    var author: TodoSchema.AuthorFilter
    var range: TodoSchema.RangeFilter
    var includeDrafts: Bool

    init(
      tags: [String],
      author: TodoSchema.AuthorFilter,
      range: TodoSchema.RangeFilter,
      includeDrafts: Bool
    ) {
      self.tags = tags
      self.author = author
      self.range = range
      self.includeDrafts = includeDrafts
    }

    func write(to fields: inout InputWriter) {
      fields.write("author", author)
      fields.write("includeDrafts", includeDrafts)
      fields.write("range", range)
      fields.write("tags", tags)
    }
  }
}

extension TodoSchema {
  nonisolated struct RangeFilter: InputObject {
    var from: Int
    var to: Int

    init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }

    func write(to fields: inout InputWriter) {
      fields.write("from", from)
      fields.write("to", to)
    }
  }
}
