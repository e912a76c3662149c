import Synchronization
import Weir

/// The last link of a measured chain: answers at once with results that were parsed beforehand, so
/// that what is timed is Weir, and counts what it was asked.
final class AnswerExchange: Exchange {
  private let posts: Locked<[OperationResult]>
  private let todos: OperationResult
  private let updatedPost: OperationResult
  private let count = Atomic<Int>(0)

  /// Answers for so many posts, with ids from 0, and for a list of so many items.
  init(posts: Int, todos: Int = 0) throws {
    self.posts = Locked(try (0..<posts).map { try Self.result(of: Payloads.post($0)) })
    self.todos = try Self.result(of: Payloads.todos(todos))
    updatedPost = try Self.result(of: Payloads.updatedPost)
  }

  /// How many operations have come here.
  var requestCount: Int { count.load(ordering: .acquiring) }

  /// Posts 0, 1, … have this title from now on.
  func rename(first count: Int, to title: String) throws {
    for id in 0..<count {
      let renamed = try Self.result(of: Payloads.post(id, title: title))
      posts.withLock { $0[id] = renamed }
    }
  }

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    count.add(1, ordering: .relaxed)
    switch operation.name {
    case "Post":
      let id = Self.firstNumber(in: operation.variables)
      return posts.withLock { posts in
        posts.indices.contains(id) ? .just(posts[id]) : .just(Self.unknown)
      }
    case "Todos": return .just(todos)
    case "UpdatePost": return .just(updatedPost)
    default: return .just(Self.unknown)
    }
  }

  private static let unknown = OperationResult(
    error: OperationError(graphQLErrors: [GraphQLError(message: "There is no such thing.")]))

  static func result(of response: [UInt8]) throws -> OperationResult {
    OperationResult(data: try JSON(parsing: response)["data"])
  }

  /// The number in `{"id":"123"}`.
  static func firstNumber(in bytes: [UInt8]) -> Int {
    var number = 0
    for byte in bytes {
      if byte >= 0x30, byte <= 0x39 {
        number = number &* 10 &+ Int(byte &- 0x30)
      } else if number > 0 {
        break
      }
    }
    return number
  }
}

/// A chain as an app has it, but with an answer in place of the network.
struct MeasuredClient {
  let client: GraphQLClient
  let cache: DocumentCacheExchange

  init(_ terminal: any Exchange, above exchanges: [any Exchange] = []) {
    var configuration = DocumentCacheConfiguration()
    // The largest cases hold more than the default.
    configuration.maximumCount = 100_000
    cache = DocumentCacheExchange(configuration)
    client = GraphQLClient(exchanges + [.dedup, cache, terminal])
  }

  /// Has posts 0, 1, … in the cache.
  func cachePosts(_ operations: [GraphQLOperation]) async throws {
    for operation in operations {
      let result = await client.query(operation)
      try expect(result.data != nil, "A post cannot be cached: \(String(describing: result.error))")
    }
  }
}

/// The queries of posts 0, 1, ….
func postOperations(_ count: Int) -> [GraphQLOperation] {
  let document = GraphQLDocument(Documents.post)
  return (0..<count).map { GraphQLOperation(document, variables: PostVariables(id: "\($0)")) }
}
