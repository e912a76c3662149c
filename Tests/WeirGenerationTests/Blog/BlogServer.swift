import WeirTesting

/// A server with posts, authors and tags.
func blogServer() throws -> LocalServer {
  try LocalServer(schema: blogSchema) {
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

let blogSchema = """
  type Query {
    posts(first: Int! = 10, filter: PostFilter): [Post!]!
    search(text: String!): [SearchResult!]!
  }
  type Mutation { rename(id: ID!, title: String!): Post }
  interface Node { id: ID! }
  interface Named { name: String! }
  union SearchResult = Post | Author | Tag
  enum Genre { FICTION SELF_HELP }
  scalar DateTime
  type Post implements Node {
    id: ID!
    title: String!
    genre: Genre!
    tags: [String!]!
    published: DateTime
    author: Author
  }
  type Author implements Node & Named { id: ID!, name: String! }
  type Tag implements Named { name: String! }
  input PostFilter { genres: [Genre!], by: PostBy, and: PostFilter, since: DateTime, text: String }
  input PostBy @oneOf { id: ID, title: String }
  """
