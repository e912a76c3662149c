// What the examples of the documentation take for granted.
import Foundation
import GraphQLLanguage
import GraphQLValidation
import Observation
import Synchronization
import Weir
import WeirCurl
import WeirNormalized
import WeirSQLite
import WeirTesting

nonisolated struct Feed: Decodable, Sendable { var posts: [Post] }
nonisolated struct Post: Decodable, Sendable { var id: String; var title: String }
nonisolated struct PostData: Decodable, Sendable { var post: Post? }
nonisolated struct PostID: Encodable, Sendable { var id: String }
nonisolated struct PostAdded: Decodable, Sendable { var postAdded: Post }
nonisolated struct PostPages: Decodable, Sendable { var posts: PostPage }
nonisolated struct PostPage: Decodable, Sendable { var nodes: [Post]; var pageInfo: PageInfo }
nonisolated struct PageInfo: Decodable, Sendable { var endCursor: String?; var hasNextPage: Bool }
nonisolated struct PageVariables: Encodable, Sendable { var after: String? }
nonisolated struct Todos: Codable, Sendable { var todos: [Todo] }
nonisolated struct Todo: Codable, Sendable { var id: String; var text: String }
nonisolated struct Renamed: Decodable, Sendable { var rename: Todo }
nonisolated struct Rename: Encodable, Sendable { var id: String; var text: String }
nonisolated protocol Service: Sendable { func run() async throws }
nonisolated func gracefulShutdown() async throws {}
nonisolated struct Credentials: Sendable {}
nonisolated struct User: Sendable { var id: String }
nonisolated struct Token: Sendable { var access = "" }
nonisolated struct SignIn: Sendable {
  var token = Token()
  func renew(_ old: Token) async throws -> Token { old }
}
nonisolated final class Keychain: Sendable {
  var token: Token? {
    get { nil }
    set {}
  }
  func replace(_ old: Token, with new: Token) {}
}
nonisolated struct SavedFile: Sendable {
  func read<Value: Decodable>(_ type: Value.Type) async throws -> Value {
    try JSONDecoder().decode(type, from: Data())
  }
}

/// Stands for the example of the article "Write an exchange".
nonisolated struct NegativeCache: Exchange {
  var clock: ManualClock
  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    forward(operation)
  }
}

let url = URL(fileURLWithPath: "/graphql")
let socketURL = URL(fileURLWithPath: "/graphql")
let photo = URL(fileURLWithPath: "/photo.jpg")
let caches = URL(fileURLWithPath: "/caches")
let user = User(id: "1")
let schemaText = ""
let endCursor = ""
nonisolated let keychain = Keychain()
nonisolated let signIn = SignIn()
let file = SavedFile()
let cache = DocumentCacheExchange()

let feed = Query<Feed, NoVariables>("{ posts { id title } }")
let posts = feed
let post = Query<PostData, PostID>("query P($id: ID!) { post(id: $id) { id title } }")
let pages = Query<PostPages, PageVariables>(
  "query P($after: String) { posts(after: $after) { nodes { id title } pageInfo { endCursor hasNextPage } } }"
)
let postAdded = Subscription<PostAdded, NoVariables>("subscription { postAdded { id title } }")
let todos = GraphQLOperation("{ todos { id text } }")
let settings = GraphQLOperation("{ settings { theme } }")
let allTodos = Query<Todos, NoVariables>("{ todos { id text } }")
let rename = Mutation<Renamed, Rename>(
  "mutation R($id: ID!, $text: String!) { rename(id: $id, text: $text) { id text } }")

nonisolated let client = GraphQLClient([.dedup])
let store = NormalizedStore()
let storage = SQLiteStorage(fileURL: url)
let auth = AuthExchange(credentials)
let (foreground, _) = AsyncStream<Void>.makeStream()
let credentials = AuthConfiguration<Credentials>(
  load: { nil }, attach: { _, _ in }, refresh: { $0 })

#if canImport(Darwin)
  nonisolated func isPinned(_ challenge: URLAuthenticationChallenge) -> Bool { true }
#endif
func show<Value>(_ values: [Value], isRefreshing: Bool) {}
func show(_ result: OperationResult) {}
nonisolated func token() async -> String { "" }
nonisolated func networkReturns() async {}
nonisolated func signature(of body: [UInt8]) -> String { "" }
nonisolated func log(_ text: String) {}

// What the article "In a server" takes from swift-log, swift-distributed-tracing and AsyncHTTPClient.
nonisolated struct Logger: Sendable {
  init(label: String) {}
  func debug(_ message: String) {}
}
nonisolated enum SpanKind: Sendable { case client }
nonisolated struct ServiceContext: Sendable {}
nonisolated struct Span: Sendable {
  var context = ServiceContext()
  func recordError(_ error: any Error) {}
}
nonisolated protocol Injector: Sendable {
  associatedtype Carrier
  func inject(_ value: String, forKey key: String, into carrier: inout Carrier)
}
nonisolated struct Instrument: Sendable {
  func inject<I: Injector>(_ context: ServiceContext, into carrier: inout I.Carrier, using: I) {}
}
nonisolated enum InstrumentationSystem { static let instrument = Instrument() }
nonisolated func withSpan<T>(
  _ name: String, ofKind kind: SpanKind, _ body: (Span) async throws -> T
) async rethrows -> T {
  try await body(Span())
}
nonisolated struct TimeAmount: Sendable {
  static func seconds(_ count: Int64) -> TimeAmount { TimeAmount() }
}
nonisolated struct HTTPClientRequest: Sendable {
  enum Method: Sendable { case RAW(value: String) }
  struct Fields: Sendable { mutating func add(name: String, value: String) {} }
  enum Body: Sendable { case bytes([UInt8]) }
  var method = Method.RAW(value: "GET")
  var headers = Fields()
  var body: Body?
  init(url: String) {}
}
nonisolated struct HTTPClientResponse: Sendable {
  struct Status: Sendable { var code: UInt = 200 }
  struct Chunk: Sendable { var readableBytesView: [UInt8] = [] }
  var status = Status()
  var headers: [(String, String)] = []
  var body = AsyncStream<Chunk> { $0.finish() }
}
nonisolated struct HTTPClient: Sendable {
  static let shared = HTTPClient()
  func execute(
    _ request: HTTPClientRequest, timeout: TimeAmount
  ) async throws -> HTTPClientResponse {
    HTTPClientResponse()
  }
}
