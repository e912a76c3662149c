import Foundation
import Weir

/// A part of the server that one test has for itself: data and counters nobody else touches.
struct Space: Sendable {
  /// What the server has counted.
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
    /// The codes with which WebSockets were closed, by either side.
    var closingCodes: [Int?]
    /// What only some tests know of.
    var marks: [String: Int]
  }

  private let server: IntegrationServer
  private let name = UUID().uuidString

  init() async throws {
    self.init(on: try await .running())
  }

  /// A space of a server that a test has for itself.
  init(on server: IntegrationServer) {
    self.server = server
  }

  /// The GraphQL endpoint.
  var graphQL: URL { url(server.graphQLPort, "graphql") }
  /// The GraphQL endpoint of a server that knows no event streams.
  var multipart: URL { url(server.graphQLPort, "multipart") }
  /// The GraphQL endpoint of a server that takes requests of another form: see `Server/views.py`.
  func view(_ name: String) -> URL { url(server.graphQLPort, name) }
  /// The URL of a broken response.
  func broken(_ kind: String) -> URL { url(server.rawPort, "broken/\(kind)") }
  /// The URL that answers once per connection.
  var stale: URL { url(server.rawPort, "stale") }

  private func url(_ port: Int, _ path: String) -> URL {
    var components = URLComponents()
    (components.scheme, components.host, components.port) = ("http", "127.0.0.1", port)
    guard let base = components.url else { preconditionFailure("The parts are constant.") }
    return base.appending(path: "\(name)/\(path)")
  }

  /// The counters as they are now.
  func stats() async throws -> Stats {
    try await get(url(server.graphQLPort, "stats"))
  }

  /// The counters as soon as one of them is at least `count`.
  func stats(when counter: String, reaches count: Int) async throws -> Stats {
    let url = url(server.graphQLPort, "wait")
    return try await get(
      url.appending(queryItems: [URLQueryItem(name: counter, value: String(count))]))
  }

  /// Renews the token that `guarded` asks for, and tells it.
  func renewToken() async throws -> String {
    let renewed: [String: String] = try await get(url(server.graphQLPort, "token"))
    return renewed["token", default: ""]
  }

  /// Lets those mutations go on that were asked to `hold`.
  func release() async throws {
    let _: Stats = try await get(url(server.graphQLPort, "release"))
  }

  /// Closes the WebSockets of the space.
  func closeSockets(code: Int) async throws {
    let url = url(server.graphQLPort, "close")
    let _: Stats = try await get(
      url.appending(queryItems: [URLQueryItem(name: "code", value: String(code))]))
  }

  /// Ends the connections of the space's WebSockets with a reset.
  func abortSockets() async throws {
    let _: Stats = try await get(url(server.graphQLPort, "abort"))
  }

  /// Makes data and counters what they were in the beginning.
  func reset() async throws {
    let _: Stats = try await get(url(server.graphQLPort, "reset"))
  }

  /// Every kind of broken response, with what a client should make of it.
  func brokenKinds() async throws -> [BrokenKind] {
    let kinds: [BrokenKind] = try await get(url(server.rawPort, "kinds"))
    return kinds.filter { !fatal.contains($0.name) }
  }
}

#if canImport(FoundationNetworking)
  /// What ends the process in FoundationNetworking of Swift 6.3, whoever uses it: there is no
  /// response left once a trailer has come, and none yet where a head breaks off
  /// (swift-corelibs-foundation#5285).
  private let fatal: Set<String> = ["chunk-trailer", "close-in-head-early"]
#else
  private let fatal: Set<String> = []
#endif

struct BrokenKind: Decodable, Sendable, CustomStringConvertible {
  var name: String
  var expected: String

  var description: String { name }
  /// The outcomes that are right.
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
