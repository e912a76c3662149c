import Weir
import WeirTesting

/// A schema with all kinds of types.
let blogSchema = """
  type Query {
    post(id: ID!): Post
    posts(first: Int = 2, by: Filter): [Post!]!
    node: Node
    nodes: [Node]
    search: SearchResult
    strict: Strict
    echo(int: Int, float: Float, string: String, flag: Boolean, id: ID, color: Color, list: [Int!], filter: Filter, any: Any): Any
  }
  type Mutation { rename(id: ID!, title: String!): Post, log(word: String!): Int }
  type Subscription { counted(to: Int!): Count }
  interface Node { id: ID! }
  type Post implements Node { id: ID! title: String! author: User tags: [String!] views: Int }
  type User implements Node { id: ID! name: String! }
  type Count { number: Int! }
  type Strict { one: Int! list: [Int!]! deep: Strict! maybe: Strict }
  union SearchResult = Post | User
  enum Color { RED GREEN }
  input Filter { color: Color = RED, words: [String!]!, limit: Int }
  scalar Any
  """

extension LocalServer {
  /// Makes a server with the blog's schema.
  static func blog(
    clock: any Clock<Duration> = ContinuousClock(),
    _ build: (inout LocalResolvers) -> Void = { _ in }
  ) throws -> LocalServer {
    try LocalServer(schema: blogSchema, clock: clock) { resolvers in
      resolvers.query("post") { request in
        ["id": request["id"], "title": "A", "author": ["id": "u1", "name": "Ann"]] as JSONValue
      }
      resolvers.query("echo") { JSONValue.object($0.arguments) }
      build(&resolvers)
    }
  }

  /// The response as text.
  func answer(_ text: String, _ variables: JSONObject = [:]) async -> String {
    await execute(text, variables: variables).description
  }
}

/// Records events in order.
final class Log: Sendable {
  private let state = Locked<[String]>([])

  func add(_ entry: String) { state.withLock { $0.append(entry) } }
  var entries: [String] { state.withLock { $0 } }
}

extension HTTPResponse {
  /// The body as text.
  func text() async throws -> String {
    String(decoding: try await body.collect(), as: UTF8.self)
  }
}
