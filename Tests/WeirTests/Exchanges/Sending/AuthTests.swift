import TestSupport
import Testing
import WeirTesting

@testable import Weir

private let unauthorized = OperationResult(
  error: OperationError(code: .httpStatus, message: "No.", httpStatus: 401))

@Suite("Authentication", .timeLimit(.minutes(10)))
struct AuthTests {
  /// A server that accepts one token at a time.
  struct TokenServer {
    let accepted = Locked("new")
    let scripted: ScriptedExchange

    /// - Parameter delay: Runs before an operation with another token is rejected.
    init(rejectingAfter delay: @escaping @Sendable (GraphQLOperation) async -> Void = { _ in }) {
      let accepted = accepted
      scripted = ScriptedExchange { operation in
        guard operation.token == accepted.withLock({ $0 }) else {
          await delay(operation)
          return unauthorized
        }
        return operation.kind == .mutation ? updated : post("fresh")
      }
    }

    var tokens: [String?] { scripted.operations.map(\.token) }
  }

  struct RefreshFailure: Error {}

  func configuration(
    load: @escaping @Sendable () async throws -> String? = { "old" },
    refresh: @escaping @Sendable (String) async throws -> String
  ) -> AuthConfiguration<String> {
    var configuration = AuthConfiguration(
      load: load, attach: { $1.headers["authorization"] = $0 }, refresh: refresh)
    // Longer than any wait on a busy machine.
    configuration.timeout = .seconds(600)
    return configuration
  }

  /// Starts an operation, and returns when it waits for credentials.
  func queued(
    _ operation: GraphQLOperation, _ client: GraphQLClient, _ auth: AuthExchange<String>
  ) async -> Task<OperationResult, Never> {
    let count = auth.waitingCount
    let task = Task { await client.query(operation) }
    await eventually { auth.waitingCount != count }
    return task
  }

  @Test(
    "Twenty rejections cause one refresh, and each operation is sent once more (A1)")
  func oneRefresh() async {
    let allSent = Gate()
    let server = TokenServer { _ in await allSent.pass() }
    let refreshes = Counter()
    let auth = AuthExchange(
      configuration { _ in
        _ = refreshes.next()
        return "new"
      })
    let client = GraphQLClient([auth, server.scripted])
    let operations = (1...18).map { postQuery("\($0)") } + [updatePost, updatePost]
    let fates = await withTaskGroup(of: String.self) { group in
      for operation in operations { group.addTask { await client.query(operation).fate } }
      await server.scripted.received(20)
      allSent.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(refreshes.count == 1)
    #expect(
      fates.sorted() == Array(repeating: "data", count: 2) + Array(repeating: "fresh", count: 18))
    let after = server.scripted.operations.filter { $0.token == "new" }
    #expect(server.scripted.operations.count == 40 && after.count == 20)
    #expect(after.filter { $0.kind == .mutation }.count == 2)
    #expect(Set(after.map(\.key)).count == 19)
  }

  @Test(
    "A failed refresh fails the operations that wait or were in flight; the next tries again (A1)"
  )
  func failedRefresh() async {
    let allSent = Gate()
    let late = Gate()
    let server = TokenServer { operation in
      await (operation.key == postQuery("late").key ? late : allSent).pass()
    }
    let refreshes = Counter()
    let auth = AuthExchange(
      configuration { _ in
        if refreshes.next() == 1 { throw RefreshFailure() }
        return "new"
      })
    let client = GraphQLClient([auth, server.scripted])
    async let lateResult = client.query(postQuery("late"))
    let fates = await withTaskGroup(of: OperationResult.self) { group in
      for id in 1...5 { group.addTask { await client.query(postQuery("\(id)")) } }
      await server.scripted.received(6)
      allSent.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(fates.map(\.fate) == Array(repeating: "authentication", count: 5))
    #expect(fates.allSatisfy { $0.error?.httpStatus == 401 })
    #expect(fates.allSatisfy { $0.error?.underlying is RefreshFailure })
    late.open()
    #expect(await lateResult.fate == "authentication")
    #expect(refreshes.count == 1)
    #expect(await client.query(postQuery("later")).fate == "fresh")
    #expect(refreshes.count == 2)
  }

  @Test("A second rejection is the result: no operation causes two refreshes (A1)")
  func secondRejection() async {
    let server = TokenServer()
    let refreshes = Counter()
    let auth = AuthExchange(configuration { _ in "bad \(refreshes.next())" })
    let client = GraphQLClient([auth, server.scripted])
    #expect(await client.query(postQuery()).fate == "httpStatus")
    #expect(server.tokens == ["old", "bad 1"])
  }

  @Test("An operation that failed with an old token is sent again without a refresh (A1)")
  func oldToken() async {
    let late = Gate()
    let server = TokenServer { operation in
      if operation.key == postQuery("late").key { await late.pass() }
    }
    let refreshes = Counter()
    let auth = AuthExchange(
      configuration { _ in
        _ = refreshes.next()
        return "new"
      })
    let client = GraphQLClient([auth, server.scripted])
    async let lateResult = client.query(postQuery("late"))
    await server.scripted.received(1)
    #expect(await client.query(postQuery("early")).fate == "fresh")
    late.open()
    #expect(await lateResult.fate == "fresh")
    #expect(refreshes.count == 1)
    #expect(server.tokens == ["old", "old", "new", "new"])
  }

  @Test("An operation that meets new credentials each time is sent three times at most (A1)")
  func overtakenEachTime() async {
    let holder = Locked<AuthExchange<String>?>(nil)
    let refreshes = Counter()
    let server = ScriptedExchange { _ in
      holder.withLock { $0 }?.update("another")
      return unauthorized
    }
    let auth = AuthExchange(configuration { _ in "\(refreshes.next())" })
    holder.withLock { $0 = auth }
    #expect(await GraphQLClient([auth, server]).query(postQuery()).fate == "httpStatus")
    #expect(server.operations.count == 3)
    #expect(refreshes.count == 0)
    holder.withLock { $0 = nil }
  }

  @Test("The refresh may run an operation through the same client (A1)")
  func refreshThroughClient() async {
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { return updated }
      return operation.token == "new" ? post("fresh") : unauthorized
    }
    let holder = Locked<GraphQLClient?>(nil)
    let auth = AuthExchange(
      configuration { _ in
        let renewal = updatePost.with { $0.skipsAuthentication = true }
        let client = holder.withLock { $0 }
        return await client?.mutate(renewal).data == nil ? "bad" : "new"
      })
    let client = GraphQLClient([auth, server])
    holder.withLock { $0 = client }
    #expect(await client.query(postQuery()).fate == "fresh")
    #expect(server.operations.map(\.token) == ["old", nil, "new"])
    holder.withLock { $0 = nil }
  }

  @Test("The refresh gets a slot even if rejected operations had taken them all (A1)")
  func refreshBelowLimit() async {
    let accepted = Locked("old")
    let server = ScriptedExchange { operation in
      if operation.kind == .mutation { return updated }
      return operation.token == accepted.withLock { $0 } ? post("fresh") : unauthorized
    }
    let holder = Locked<GraphQLClient?>(nil)
    let auth = AuthExchange(
      configuration { _ in
        let client = holder.withLock { $0 }
        _ = await client?.mutate(updatePost.with { $0.skipsAuthentication = true })
        return "new"
      })
    let limit = ConcurrencyLimitExchange(1)
    let client = GraphQLClient([auth, .retry, limit, server])
    holder.withLock { $0 = client }
    #expect(await client.query(postQuery("1")).fate == "fresh")
    accepted.withLock { $0 = "new" }
    let task = Task { await client.query(postQuery("2")) }
    await server.received(2)
    await eventually { server.operations.count >= 4 || limit.waitingCount > 0 }
    #expect(server.operations.map(\.token) == ["old", "old", nil, "new"])
    if server.operations.count < 4 { task.cancel() }
    #expect(await task.value.fate == "fresh")
    holder.withLock { $0 = nil }
  }
}

extension GraphQLOperation {
  var token: String? { context.headers["authorization"] }
}

extension OperationResult {
  /// The outcome of an operation, in one word.
  var fate: String {
    error.map { "\($0.code)" } ?? title ?? (data == nil ? "nothing" : "data")
  }
}
