import Foundation
import Weir

/// The last exchange of a measured chain. It answers at once with bytes that were made beforehand,
/// parses them as a transport does, keeps no result, and counts the requests.
final class AnswerExchange: Exchange {
  private let posts: Locked<[[UInt8]]>
  private let todos: [UInt8]
  private let count = AtomicWord()

  /// Answers queries for posts with ids from 0 to `posts` - 1, and for a list of `todos` items.
  init(posts: Int, todos: Int = 0) {
    self.posts = Locked((0..<posts).map { Payloads.post($0) })
    self.todos = Payloads.todos(todos)
  }

  /// The number of operations that have arrived here.
  var requestCount: Int { Int(count.load()) }

  /// Gives posts 0, 1, … a new title.
  func rename(first count: Int, to title: String) {
    posts.withLock { posts in
      for id in 0..<count { posts[id] = Payloads.post(id, title: title) }
    }
  }

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    count.add(1)
    return .just(parsed(answer(to: operation)))
  }

  /// The response's bytes.
  func answer(to operation: GraphQLOperation) -> [UInt8] {
    switch operation.name {
    case "Post":
      let id = operation.compactVariables.withBytes { firstNumber(in: $0) }
      return posts.withLock { $0.indices.contains(id) ? $0[id] : [] }
    case "Todos": return todos
    case "UpdatePost": return Payloads.updatedPost
    default: return []
    }
  }
}

/// Returns the result that a response's bytes contain.
func parsed(_ response: [UInt8]) -> OperationResult {
  do {
    return OperationResult(data: try JSON(parsing: response)["data"])
  } catch {
    return OperationResult(
      error: OperationError(code: .malformedResponse, message: "The answer is invalid: \(error)"))
  }
}

/// Returns the number in `{"id":"123"}`.
func firstNumber(in bytes: some Sequence<UInt8>) -> Int {
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

/// HTTP without a network: the response is there when it is requested, as bytes.
struct AnswerTransport: HTTPTransport {
  /// Finds the response's body by the request's body.
  let answer: @Sendable ([UInt8]) -> [UInt8]

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["content-type": "application/graphql-response+json"],
      body: HTTPBody(answer(request.body)))
  }

  private static let parsedURL = URL(string: "http://localhost/graphql")

  static var url: URL {
    get throws {
      guard let parsedURL else {
        throw WrongAnswer(description: "The URL of the transport is invalid.")
      }
      return parsedURL
    }
  }

  /// The exchange that an app uses, over this transport.
  func exchange() throws -> FetchExchange {
    var configuration = FetchConfiguration()
    configuration.transport = self
    return FetchExchange(try Self.url, configuration: configuration)
  }

  /// Answers queries of posts with ids from 0.
  static func posts(_ count: Int) -> AnswerTransport {
    let bodies = (0..<count).map { Payloads.post($0) }
    return AnswerTransport { bodies[firstNumber(in: $0.suffix(20))] }
  }
}

extension InlineExchange {
  /// A last exchange that fails every operation, because the cache has to answer all of them.
  static var unreachable: InlineExchange {
    InlineExchange { operation, _ in
      .just(
        OperationResult(
          error: OperationError(
            code: .malformedResponse,
            message: "\(operation.name ?? "An operation") was sent, but should be cached.")))
    }
  }
}

/// A chain as an app has it, but with an answer in place of the network.
struct MeasuredClient {
  let client: GraphQLClient
  let cache: DocumentCacheExchange

  init(_ terminal: any Exchange, above exchanges: [any Exchange] = []) {
    var configuration = DocumentCacheConfiguration()
    // The largest cases hold more than the default.
    configuration.maximumCount = 200_000
    configuration.maximumBytes = 1 << 30
    cache = DocumentCacheExchange(configuration)
    client = GraphQLClient(ChainCount.noting(exchanges + [.dedup, cache, terminal]))
  }

  /// Caches the answers to these operations.
  func cache(_ operations: some Sequence<GraphQLOperation>) async throws {
    for operation in operations {
      let result = await client.query(operation)
      try expect(result.data != nil, "A query has failed: \(String(describing: result.error))")
    }
  }
}

/// Returns the query of a post.
func postOperation(_ id: Int) -> GraphQLOperation {
  Queries.post.operation(IDVariables(id: "\(id)"))
}
