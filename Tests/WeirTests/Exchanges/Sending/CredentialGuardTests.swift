import Foundation
import Testing
import WeirTesting

@testable import Weir

@Suite("Credentials that are added below dedup and the caches", .timeLimit(.minutes(10)))
struct CredentialGuardTests {
  static let url = URL(fileURLWithPath: "/graphql")

  enum User {
    @TaskLocal static var name: String?
  }

  /// A transport that answers with the token that it receives.
  static let transport = ScriptedTransport { request in
    let user = request.headers["authorization"] ?? "nobody"
    let body = #"{"data":{"post":{"__typename":"Post","id":"1","title":"\#(user)"}}}"#
    return HTTPResponse(
      status: 200, headers: ["content-type": "application/json"], body: HTTPBody(Array(body.utf8)))
  }

  static func attachedBelow() -> ContextExchange {
    .context { context, _ in context.headers["Authorization"] = User.name }
  }

  /// Executes a query with the token of a user.
  static func query(
    _ client: GraphQLClient, as user: String?, _ operation: GraphQLOperation = postQuery()
  ) async -> OperationResult {
    await User.$name.withValue(user) { await client.query(operation) }
  }

  static func client(
    severalUsers: Bool, _ exchanges: [any Exchange] = [attachedBelow()],
    cache: any Exchange = DocumentCacheExchange(), told: Told = Told()
  ) -> GraphQLClient {
    var configuration = ClientConfiguration()
    configuration.servesSeveralUsers = severalUsers
    configuration.onDiagnostic = { told.add($0) }
    var fetch = FetchConfiguration()
    fetch.transport = transport
    return GraphQLClient(
      [.dedup, cache] + exchanges + [.fetch(url, fetch)], configuration: configuration)
  }

  @Test("A second credential below the cache is refused where several users are declared (K8)")
  func refused() async {
    let client = Self.client(severalUsers: true)
    #expect(await Self.query(client, as: "alice").title == "alice")
    #expect(await Self.query(client, as: "alice", postQuery("2")).title == "alice")
    for user in ["bob", nil] {
      let result = await Self.query(client, as: user, postQuery("3"))
      #expect(result.error?.code == .credentials && result.data == nil)
      #expect(result.error?.message.contains("authorization") == true)
      #expect(result.error?.message.contains("bob") == false)
    }
    #expect(client.peek(postQuery("3")) == nil)
    #expect(await Self.query(client, as: "alice", postQuery("3")).title == "alice")
    client.switchSession()
    #expect(await Self.query(client, as: "bob").title == "bob")
  }

  @Test("Users whose tokens are in their contexts are served side by side (K8)")
  func inContext() async {
    let told = Told()
    let client = Self.client(severalUsers: true, [], told: told)
    for user in ["alice", "bob", "alice"] {
      let operation = postQuery().with { $0.headers["authorization"] = user }
      #expect(await client.query(operation).title == user)
    }
    #expect(await client.query(postQuery("4")).title == "nobody")
    #expect(told.diagnostics.isEmpty)
  }

  @Test("In a client of one user, a credential that changes is told once with its name (K8)")
  func told() async {
    let told = Told()
    let client = Self.client(severalUsers: false, told: told)
    for (index, user) in ["old", nil, "new", "newer"].enumerated() {
      #expect(await Self.query(client, as: user, postQuery("\(index)")).title == user ?? "nobody")
    }
    #expect(told.diagnostics.map(\.code) == [.credentials])
    #expect(told.diagnostics[0].message.contains("The header authorization"))
  }

  @Test("A token that an auth exchange renews is not told (K8)")
  func renewed() async {
    let told = Told()
    let auth = AuthExchange(
      AuthConfiguration<String>(
        load: { "old" }, attach: { $1.headers["authorization"] = $0 }, refresh: { _ in "new" }))
    let client = Self.client(severalUsers: false, [auth], told: told)
    #expect(await client.query(postQuery("1")).title == "old")
    auth.update("new")
    #expect(await client.query(postQuery("2")).title == "new")
    #expect(told.diagnostics.isEmpty)
  }

  /// An auth exchange for a server's own token, whose refreshed tokens are numbered.
  static func ownToken(
    attach: @escaping @Sendable (String, inout OperationContext) -> Void = {
      $1.headers["authorization"] = $0
    }
  ) -> AuthExchange<String> {
    let configuration = AuthConfiguration<String>(
      load: { "token 1" }, attach: attach,
      refresh: { "token \((Int($0.suffix(1)) ?? 0) + 1)" })
    return AuthExchange(configuration)
  }

  @Test("A server's own token may be renewed where several users are declared (K8)")
  func renewedOwnToken() async {
    let rejected = Locked(Set<String>())
    var fetch = FetchConfiguration()
    fetch.transport = ScriptedTransport { request in
      let token = request.headers["authorization"] ?? "nobody"
      if rejected.withLock({ $0.contains(token) }) {
        return HTTPResponse(status: 401, headers: [:], body: HTTPBody([]))
      }
      return try await Self.transport.send(request)
    }
    var configuration = ClientConfiguration()
    configuration.servesSeveralUsers = true
    let client = GraphQLClient(
      [.dedup, .documentCache, Self.ownToken(), .fetch(Self.url, fetch)],
      configuration: configuration)
    for number in 1...3 {
      for tenant in ["1", "2"] {
        let operation = postQuery("\(number)").with { $0.headers["x-tenant"] = tenant }
        let result = await client.query(operation)
        #expect(result.title == "token \(number)", "\(String(describing: result.error))")
      }
      rejected.withLock { _ = $0.insert("token \(number)") }
    }
  }

  @Test("A token that is attached in another way than by a header may be renewed (K8)")
  func renewedWithoutHeader() async {
    enum ServiceToken: OperationContextKey { static let defaultValue = "" }
    let isExpired = Locked(false)
    var settings = AuthConfiguration<String>(
      load: { "token 1" }, attach: { $1[ServiceToken.self] = $0 }, refresh: { _ in "token 2" })
    settings.willExpire = { $0 == "token 1" && isExpired.withLock { $0 } }
    let header = ContextExchange.context { context, _ in
      context.headers["authorization"] = context[ServiceToken.self]
    }
    let client = Self.client(severalUsers: true, [AuthExchange(settings), header])
    #expect(await client.query(postQuery("1")).title == "token 1")
    isExpired.withLock { $0 = true }
    #expect(await client.query(postQuery("2")).title == "token 2")
  }

  @Test("A server's own token and a user's in the same header are told apart (K8)")
  func userInsteadOfServer() async {
    let below = ContextExchange.context { context, _ in
      if let user = User.name { context.headers["authorization"] = user }
    }
    for users in [[nil, "alice"], ["alice", nil], ["alice", "bob"]] {
      let client = Self.client(severalUsers: true, [Self.ownToken(), below])
      #expect(await Self.query(client, as: users[0]).title == users[0] ?? "token 1")
      // Also when it is tried again.
      for _ in 0..<2 {
        let second = await Self.query(client, as: users[1], postQuery("2"))
        #expect(second.error?.code == .credentials)
      }
    }
  }

  @Test("A renewed credential may have several fields (K8)")
  func severalFields() async {
    let isExpired = Locked(false)
    var settings = AuthConfiguration<String>(
      load: { "1" },
      attach: { token, context in
        context.headers.add("cookie", "a=\(token)")
        context.headers.add("cookie", "b=\(token)")
      }, refresh: { _ in "2" })
    settings.willExpire = { $0 == "1" && isExpired.withLock { $0 } }
    let client = Self.client(severalUsers: true, [AuthExchange(settings)])
    #expect(await client.query(postQuery("1")).title == "nobody")
    isExpired.withLock { $0 = true }
    #expect(await client.query(postQuery("2")).title == "nobody")
  }

  @Test("A renewal does not excuse a header that an exchange below has overwritten (K8)")
  func overwritten() async {
    let isExpired = Locked(false)
    var settings = AuthConfiguration<String>(
      load: { "token 1" }, attach: { $1.headers["authorization"] = $0 },
      refresh: { _ in "token 2" })
    settings.willExpire = { $0 == "token 1" && isExpired.withLock { $0 } }
    let client = Self.client(severalUsers: true, [AuthExchange(settings), Self.attachedBelow()])
    #expect(await Self.query(client, as: "alice").title == "alice")
    isExpired.withLock { $0 = true }
    #expect(await Self.query(client, as: "bob", postQuery("2")).error?.code == .credentials)
  }

  @Test("A renewal lets no other header pass, and no first or last credential (K8)")
  func secondUserAfterRenewal() async {
    let isExpired = Locked(false)
    var settings = AuthConfiguration<String>(
      load: { nil }, attach: { $1.headers["x-api-key"] = $0 }, refresh: { _ in "key 2" })
    settings.willExpire = { $0 == "key 1" && isExpired.withLock { $0 } }
    let auth = AuthExchange(settings)
    let client = Self.client(severalUsers: true, [auth, Self.attachedBelow()])
    auth.update("key 1")
    #expect(await Self.query(client, as: "alice").title == "alice")
    isExpired.withLock { $0 = true }
    #expect(await Self.query(client, as: "bob", postQuery("2")).error?.code == .credentials)
    #expect(await Self.query(client, as: "alice", postQuery("3")).title == "alice")
    auth.update(nil)
    #expect(await Self.query(client, as: "alice", postQuery("4")).error?.code == .credentials)
    auth.update("key 3")
    #expect(await Self.query(client, as: "alice", postQuery("5")).error?.code == .credentials)
  }

  @Test(
    "Users are told apart below an auth exchange, too, as long as it renews nothing itself (K8)",
    arguments: [true, false])
  func secondUserByAuth(isSetByApp: Bool) async {
    let auth = Self.ownToken { token, context in
      context.headers["authorization"] = isSetByApp ? token : User.name
    }
    let client = Self.client(severalUsers: true, [auth])
    auth.update("alice")
    #expect(await Self.query(client, as: "alice").title == "alice")
    auth.update("bob")
    let result = await Self.query(client, as: "bob", postQuery("2"))
    #expect(result.error?.code == .credentials && result.data == nil)
  }

  @Test("A batch is refused like a request of its own (K8)")
  func batch() async {
    var configuration = ClientConfiguration()
    configuration.servesSeveralUsers = true
    var fetch = FetchConfiguration()
    fetch.transport = Self.transport
    fetch.headers = { _ in User.name.map { ["authorization": $0] } ?? [:] }
    let client = GraphQLClient(
      [.dedup, .documentCache, .batchFetch(Self.url, fetch)], configuration: configuration)
    #expect(await Self.query(client, as: "alice").title == "alice")
    #expect(await Self.query(client, as: "bob", postQuery("2")).error?.code == .credentials)
    #expect(await Self.query(client, as: "alice", postQuery("2")).title == "alice")
  }

  @Test("Nothing is compared without dedup or a cache, because nothing is shared (K8)")
  func alone() async {
    var configuration = ClientConfiguration()
    configuration.servesSeveralUsers = true
    var fetch = FetchConfiguration()
    fetch.transport = Self.transport
    let client = GraphQLClient(
      [Self.attachedBelow(), .fetch(Self.url, fetch)], configuration: configuration)
    for user in ["alice", "bob"] { #expect(await Self.query(client, as: user).title == user) }
  }
}

final class Told: Sendable {
  private let all = Locked<[ClientDiagnostic]>([])

  func add(_ diagnostic: ClientDiagnostic) { all.withLock { $0.append(diagnostic) } }

  var diagnostics: [ClientDiagnostic] { all.withLock { $0 } }
}
