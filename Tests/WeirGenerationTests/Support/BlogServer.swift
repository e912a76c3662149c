import WeirTesting

/// A server with posts, authors and tags.
func blogServer() throws -> LocalServer {
  try LocalServer(schema: Fixture.schemaText()) {
    $0.query("posts") { request in
      let first: Int = try request.argument("first")
      return first == 1 ? [hello] : [hello, exchanges]
    }
    $0.query("search") { _ in [hello, ann, .object("Tag", ["name": "swift"])] }
    $0.mutation("rename") { request in
      let (id, title): (String, String) = (
        try request.argument("id"), try request.argument("title")
      )
      return .object("Post", ["id": .value(id), "title": .value(title), "genre": "FICTION"])
    }
  }
}

private let ann = LocalValue.object("Author", ["id": "a1", "name": "Ann"])

private let hello = LocalValue.object(
  "Post",
  [
    "id": "1", "title": "Hello", "genre": "SELF_HELP", "tags": ["a", "b"], "author": ann,
    "published": "2026-01-31T09:00:00Z",
  ])

private let exchanges = LocalValue.object(
  "Post",
  ["id": "2", "title": "Exchanges", "genre": "FICTION", "tags": [], "author": nil])
