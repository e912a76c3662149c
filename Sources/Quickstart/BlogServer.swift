import Weir
import WeirLocalServer

/// The data of the embedded server.
private actor Blog {
  struct Post: Codable {
    let id: String
    var title: String
  }

  private(set) var posts = [
    Post(id: "1", title: "Hello"), Post(id: "2", title: "Exchanges"),
  ]

  func rename(_ id: String, to title: String) -> Post? {
    guard let position = posts.firstIndex(where: { $0.id == id }) else { return nil }
    posts[position].title = title
    return posts[position]
  }
}

/// Makes a GraphQL server within this process, from a schema and a closure for each root field.
func blogServer() throws -> LocalServer {
  let blog = Blog()
  let server = try LocalServer(
    schema: """
      type Query { posts: [Post!]! }
      type Mutation { rename(id: ID!, title: String!): Post }
      type Post { id: ID! title: String! }
      """
  ) {
    $0.query("posts") { _ in await blog.posts }
    $0.mutation("rename") { request in
      try await blog.rename(request.argument("id"), to: request.argument("title"))
    }
  }
  server.latency = .milliseconds(300)
  return server
}
