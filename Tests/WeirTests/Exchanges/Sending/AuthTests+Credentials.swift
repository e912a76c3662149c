import TestSupport
import Testing
@testable import Weir
import WeirTesting

extension AuthTests {
  // MARK: - Loading, expiring and storing credentials

  @Test(
    "Credentials that will expire are refreshed before anything is sent (A1)",
    arguments: [true, false])
  func proactive(atLoading: Bool) async {
    let server = TokenServer()
    var careful = configuration { _ in "new" }
    careful.willExpire = { $0 == "old" }
    let auth = AuthExchange(careful)
    if !atLoading { auth.update("old") }
    let client = GraphQLClient([auth, server.scripted])
    #expect(await client.query(postQuery()).fate == "fresh")
    #expect(server.tokens == ["new"])
  }

  @Test("A query that must not be sent neither loads nor refreshes credentials (A1, P)")
  func cacheOnly() async {
    let (loads, refreshes) = (Counter(), Counter())
    var careful = configuration(load: {
      _ = loads.next()
      return "old"
    }) { _ in
      _ = refreshes.next()
      return "new"
    }
    careful.willExpire = { $0 == "old" }
    let auth = AuthExchange(careful)
    let server = ScriptedExchange.immediate { _ in OperationResult() }
    let client = GraphQLClient([auth, server])
    #expect(await client.query(postQuery(policy: .cacheOnly)).fate == "notCached")
    auth.update("old")
    #expect(await client.query(postQuery(policy: .cacheOnly)).fate == "notCached")
    #expect(loads.count == 0 && refreshes.count == 0)
  }

  @Test("A failure to load credentials fails the waiting operations, and is retried later (A1)")
  func failedLoading() async {
    let loads = Counter()
    let server = TokenServer()
    let auth = AuthExchange(
      configuration(load: {
        if loads.next() == 1 { throw RefreshFailure() }
        return "new"
      }) { $0 })
    let client = GraphQLClient([auth, server.scripted])
    #expect(await client.query(postQuery()).fate == "authentication")
    #expect(await client.query(postQuery()).fate == "fresh")
    #expect(server.tokens == ["new"])
  }

  @Test("Without credentials, operations are sent unchanged, and a rejection is the result (A1)")
  func noCredentials() async {
    let server = TokenServer()
    let auth = AuthExchange(configuration(load: { nil }) { _ in "new" })
    let client = GraphQLClient([auth, server.scripted])
    #expect(await client.query(postQuery()).fate == "httpStatus")
    auth.update("new")
    #expect(await client.query(postQuery()).fate == "fresh")
    #expect(server.tokens == [nil, "new"])
  }

  @Test("Renewed credentials are stored in the place of the old ones, and then used (A1)")
  func storing() async {
    let stored = Locked(["old"])
    var renewing = configuration { _ in "new" }
    let server = TokenServer()
    renewing.store = { renewed, old in
      #expect(server.tokens == ["old"])
      stored.withLock { $0 += ["\(old) → \(renewed)"] }
    }
    let client = GraphQLClient([AuthExchange(renewing), server.scripted])
    #expect(await client.query(postQuery()).fate == "fresh")
    #expect(stored.withLock { $0 } == ["old", "old → new"])
  }

  @Test("Credentials that were replaced during their renewal are not stored over (A1)")
  func replacedAmidRenewal() async {
    let renewed = Gate()
    let ended = Gate()
    let stored = Locked<[String]>([])
    let server = TokenServer()
    var renewing = configuration { _ in
      await renewed.pass()
      defer { ended.open() }
      return "late"
    }
    renewing.store = { token, _ in stored.withLock { $0.append(token) } }
    let auth = AuthExchange(renewing)
    let client = GraphQLClient([auth, server.scripted])
    let waiting = Task { await client.query(postQuery("1")) }
    await server.scripted.received(1)
    await eventually { auth.waitingCount > 0 }
    auth.update("new")
    #expect(await waiting.value.fate == "fresh")
    renewed.open()
    await ended.pass()
    for _ in 0..<1000 { await Task.yield() }
    #expect(stored.withLock { $0 } == [])
  }

  @Test("The cache keeps results with and without credentials apart (A1)")
  func anonymousResults() async {
    let server = ScriptedExchange { post($0.token ?? "nobody") }
    let auth = AuthExchange(configuration { $0 })
    let client = GraphQLClient([.dedup, .documentCache, auth, server])
    let anonymous = postQuery().with { $0.skipsAuthentication = true }
    for _ in 1...2 {
      #expect(await client.query(anonymous).title == "nobody")
      #expect(await client.query(postQuery()).title == "old")
    }
    #expect(server.operations.count == 2)
  }

  @Test("A rejected deferred result keeps no slot while the credentials are renewed (A1)")
  func rejectedDeferredResult() async {
    let rejection = OperationResult.data(
      #"{"post":null}"#, errors: [unauthenticated], hasNext: true)
    let server = InlineExchange { operation, _ in
      if operation.kind == .mutation { return .just(updated) }
      if operation.token == "new" { return .just(post("fresh")) }
      return ResultStream { yield in
        yield(rejection)
        await Gate().pass()
      }
    }
    let holder = Locked<GraphQLClient?>(nil)
    let auth = AuthExchange(
      configuration { _ in
        let client = holder.withLock { $0 }
        let renewal = updatePost.with { $0.skipsAuthentication = true }
        return await client?.mutate(renewal).data == nil ? "bad" : "new"
      })
    let client = GraphQLClient([auth, .concurrencyLimit(1), server])
    holder.withLock { $0 = client }
    #expect(await client.query(postQuery()).fate == "fresh")
    holder.withLock { $0 = nil }
  }

  private var unauthenticated: GraphQLError {
    GraphQLError(message: "No.", extensions: ["code": "UNAUTHENTICATED"])
  }
}
