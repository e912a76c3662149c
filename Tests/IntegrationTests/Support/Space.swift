import Foundation
import Weir

/// A part of the server that belongs to one test: no other test touches its data and counters.
struct Space: Sendable {
  /// The server's counters.
  struct Stats: Decodable, Equatable {
    var total: Int
    var operations: [String: Int]
    var closedEarly: Int
    var closedEarlyByOperation: [String: Int]
    var inFlight: Int
    var connections: Int
    var cut: Int
    var chunked: Int
    var subscribers: Int
    var unsubscribed: Int
    var sockets: Int
    var socketsOpened: Int
    /// The codes with which either side closed WebSockets.
    var closingCodes: [Int?]
    /// Counters that only some tests use.
    var marks: [String: Int]
  }

  private let server: IntegrationServer
  private let name = UUID().uuidString

  init() async throws {
    self.init(on: try await .running())
  }

  /// A space on a server that one test started for itself.
  init(on server: IntegrationServer) {
    self.server = server
  }

  /// The GraphQL endpoint.
  var graphQL: URL { url(server.graphQLPort, "graphql") }
  /// The GraphQL endpoint of a variant of the server: see `Server/views.py`.
  func view(_ name: String) -> URL { url(server.graphQLPort, name) }
  /// The URL of a broken response.
  func broken(_ kind: String) -> URL { url(server.rawPort, "broken/\(kind)") }
  /// The URL of a response that only one test asks for: `OTHERS` in `Server/broken.py`.
  func other(_ kind: String) -> URL { url(server.rawPort, "other/\(kind)") }
  /// The URL of a hostile response: see `Server/hostile.py`.
  func hostile(_ kind: String) -> URL { url(server.rawPort, "hostile/\(kind)") }
  /// The URL of a broken response over TLS, directly or through the raw server as a proxy.
  func secure(_ path: String, tunnelled: Bool = false) -> URL? {
    let host = tunnelled ? "tunnel.invalid" : "127.0.0.1:\(server.securePort)"
    return URL(string: "https://\(host)/\(name)/\(path)")
  }
  /// The URL of a response over HTTP/2: see `Server/http2.py`.
  func http2(_ kind: String) -> URL? {
    URL(string: "https://127.0.0.1:\(server.http2Port)/\(name)/\(kind)")
  }
  /// The URL of a WebSocket: see `Server/sockets.py`.
  func socket(_ action: String, isSecure: Bool = false, tunnelled: Bool = false) -> URL? {
    let host = tunnelled ? "tunnel.invalid" : "127.0.0.1"
    let server =
      isSecure ? "wss://\(host):\(server.secureSocketPort)" : "ws://\(host):\(server.socketPort)"
    return URL(string: "\(server)/\(name)/\(action)")
  }
  /// The URL of a WebSocket that misbehaves: see `Server/sockets.py`.
  func upgrade(_ kind: String) -> URL? {
    URL(string: "ws://127.0.0.1:\(server.rawPort)/\(name)/upgrade/\(kind)")
  }
  /// The raw server as a proxy.
  var proxy: String { "http://127.0.0.1:\(server.rawPort)" }
  /// The URL whose connections are closed after one response.
  var stale: URL { url(server.rawPort, "stale") }
  /// Responds with the bytes of each request.
  var echo: URL { url(server.rawPort, "echo") }

  /// Responds as `echo`, and says for how many seconds a connection may be idle.
  func keeping(seconds: String) -> URL { url(server.rawPort, "keep/\(seconds)") }

  private func url(_ port: Int, _ path: String) -> URL {
    var components = URLComponents()
    (components.scheme, components.host, components.port) = ("http", "127.0.0.1", port)
    guard let base = components.url else { preconditionFailure("The parts are constant.") }
    return base.appending(path: "\(name)/\(path)")
  }

  /// Returns the current counters.
  func stats() async throws -> Stats {
    try await get(url(server.graphQLPort, "stats"))
  }

  /// Returns the counters as soon as `counter` is at least `count`.
  func stats(when counter: String, reaches count: Int) async throws -> Stats {
    let url = url(server.graphQLPort, "wait")
    return try await get(
      url.appending(queryItems: [URLQueryItem(name: counter, value: String(count))]))
  }

  /// Makes the raw server listen at a Unix domain socket, too.
  func listen(atSocket file: URL) async throws {
    let url = url(server.graphQLPort, "unix")
    let path = URLQueryItem(name: "path", value: file.path(percentEncoded: false))
    let _: Stats = try await get(url.appending(queryItems: [path]))
  }

  /// Renews the token that `guarded` requires, and returns it.
  func renewToken() async throws -> String {
    let renewed: [String: String] = try await get(url(server.graphQLPort, "token"))
    return renewed["token", default: ""]
  }

  /// Releases the mutations that were sent with `hold`.
  func release() async throws {
    let _: Stats = try await get(url(server.graphQLPort, "release"))
  }

  /// Closes the WebSockets of this space.
  func closeSockets(code: Int) async throws {
    let url = url(server.graphQLPort, "close")
    let _: Stats = try await get(
      url.appending(queryItems: [URLQueryItem(name: "code", value: String(code))]))
  }

  /// Resets the connections of this space's WebSockets.
  func abortSockets() async throws {
    let _: Stats = try await get(url(server.graphQLPort, "abort"))
  }

  /// Returns every kind of broken response with its expected outcome.
  func brokenKinds(for sender: Sender) async throws -> [BrokenKind] {
    try await kinds("broken").filter { sender != .urlSession || !fatal.contains($0.name) }
  }

  /// Returns every kind of response in a table of the raw server.
  func kinds(_ table: String) async throws -> [BrokenKind] {
    try await get(url(server.rawPort, "kinds/\(table)"))
  }
}

#if canImport(FoundationNetworking)
  /// Two responses that crash FoundationNetworking in Swift 6.3 (swift-corelibs-foundation#5285):
  /// one with a trailer, and one whose head breaks off.
  private let fatal: Set<String> = ["chunk-trailer", "close-in-head-early"]
#else
  private let fatal: Set<String> = []
#endif

extension URL {
  /// The URL with the scheme `ws` instead of `http`.
  var asWebSocket: URL? {
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    parts?.scheme = "ws"
    return parts?.url
  }
}

struct BrokenKind: Decodable, Sendable, CustomStringConvertible {
  var name: String
  var expected: String

  var description: String { name }
  /// The acceptable outcomes.
  var outcomes: Set<String> { Set(expected.split(separator: "|").map(String.init)) }
}

private let control = URLSessionTransport()

private func get<Value: Decodable>(_ url: URL) async throws -> Value {
  let response = try await control.send(HTTPRequest(method: .get, url: url.absoluteURL))
  let body = try await response.body.collect()
  guard response.status == 200 else {
    throw IntegrationServer.Unavailable(description: "\(url.path()) answered \(response.status).")
  }
  return try JSONDecoder().decode(Value.self, from: Data(body))
}
