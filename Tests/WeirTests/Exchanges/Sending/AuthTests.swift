import Foundation
import Testing
import WeirTesting

@testable import Weir

private let unauthorized = OperationResult(
  error: OperationError(code: .httpStatus, message: "No.", httpStatus: 401))

/// A server that accepts one token at a time.
private struct TokenServer {
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

private struct RefreshFailure: Error {}

extension GraphQLOperation {
  fileprivate var token: String? { context.headers["authorization"] }
}

extension OperationResult {
  /// The outcome of an operation, in one word.
  fileprivate var fate: String {
    error.map { "\($0.code)" } ?? title ?? (data == nil ? "nothing" : "data")
  }
}

private func configuration(
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
private func queued(
  _ operation: GraphQLOperation, _ client: GraphQLClient, _ auth: AuthExchange<String>
) async -> Task<OperationResult, Never> {
  let count = auth.waitingCount
  let task = Task { await client.query(operation) }
  while auth.waitingCount == count { await Task.yield() }
  return task
}

@Suite("Authentication", .timeLimit(.minutes(10)))
struct AuthTests {
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

  @Test("After a refresh, requests leave in the order in which the operations queued (A1)")
  func order() async {
    let loaded = Gate()
    let server = TokenServer()
    var slow = configuration(load: {
      await loaded.pass()
      return "new"
    }) { $0 }
    let attached = Counter()
    slow.attach = { token, context in
      context.headers["authorization"] = token
      // The first ones are slow, so that an operation that did not wait would overtake them.
      guard attached.next() < 8 else { return }
      let start = ContinuousClock.now
      while ContinuousClock.now - start < .milliseconds(1) {}
    }
    let auth = AuthExchange(slow)
    let client = GraphQLClient([auth, server.scripted])
    let operations = (1...24).map { postQuery("\($0)") }
    var tasks: [Task<OperationResult, Never>] = []
    for operation in operations { tasks.append(await queued(operation, client, auth)) }
    loaded.open()
    for task in tasks { #expect(await task.value.fate == "fresh") }
    #expect(server.scripted.operations.map(\.variables) == operations.map(\.variables))
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

  @Test("A refresh that times out fails each waiting operation; its late result is still used (A1)")
  func timeout() async {
    let clock = ManualClock()
    let stuck = Gate()
    let server = TokenServer()
    let taken = Gate()
    var slow = configuration { _ in
      // The refresh ignores its cancellation.
      await Task { await stuck.pass() }.value
      return "new"
    }
    slow.attach = { token, context in
      context.headers["authorization"] = token
      if token == "new" { taken.open() }
    }
    let auth = AuthExchange(slow, clock: clock)
    let client = GraphQLClient([auth, server.scripted])
    async let first = client.query(postQuery("1"))
    await server.scripted.received(1)
    // The timer of loading is gone once the operation has been sent.
    await clock.sleepers(1)
    let second = await queued(postQuery("2"), client, auth)
    while clock.sleeperCount != 1 || auth.waitingCount != 2 { await Task.yield() }
    clock.advance(by: slow.timeout)
    #expect(await first.fate == "authentication")
    #expect(await second.value.fate == "authentication")
    // From now on nothing is rejected, so the new token can only come from the late refresh.
    server.accepted.withLock { $0 = "old" }
    stuck.open()
    repeat { _ = await client.query(postQuery("3")) } while server.tokens.last != "new"
  }

  @Test("Cancelling a waiting operation leaves the others and the refresh alone (A1)")
  func cancelledWaiter() async {
    let refreshed = Gate()
    let server = TokenServer()
    let refreshes = Counter()
    let auth = AuthExchange(
      configuration { _ in
        _ = refreshes.next()
        await refreshed.pass()
        return "new"
      })
    let client = GraphQLClient([auth, server.scripted])
    let tasks = [
      await queued(postQuery("1"), client, auth), await queued(postQuery("2"), client, auth),
      await queued(postQuery("3"), client, auth),
    ]
    tasks[0].cancel()
    tasks[1].cancel()
    #expect(await tasks[0].value.fate == "cancelled")
    #expect(await tasks[1].value.fate == "cancelled")
    // Cancelled operations are not kept. The third one may not have been rejected yet.
    while auth.waitingCount != 1 { await Task.yield() }
    refreshed.open()
    #expect(await tasks[2].value.fate == "fresh")
    #expect(refreshes.count == 1)
    #expect(server.tokens.filter { $0 == "new" }.count == 1)
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
    while server.operations.count < 4, limit.waitingCount == 0 { await Task.yield() }
    #expect(server.operations.map(\.token) == ["old", "old", nil, "new"])
    if server.operations.count < 4 { task.cancel() }
    #expect(await task.value.fate == "fresh")
    holder.withLock { $0 = nil }
  }

  @Test(
    "A rejected mutation is sent again only if no field has a value (A1)",
    arguments: [(#"{"a":null,"__typename":"M"}"#, 2), (#"{"a":{"id":"1"},"b":null}"#, 1)])
  func partialMutation(data: String, requests: Int) async {
    let code = GraphQLError(message: "Who?", extensions: ["code": "UNAUTHENTICATED"])
    let server = ScriptedExchange { operation in
      operation.token == "new" ? updated : .data(data, errors: [code])
    }
    let client = GraphQLClient([AuthExchange(configuration { _ in "new" }), server])
    _ = await client.mutate(updatePost)
    #expect(server.operations.count == requests)
  }

  @Test("Clients that share an exchange and follow each other start one session (A1, C10)")
  func sharedSession() async {
    let loaded = Gate(isOpen: true)
    let loads = Counter()
    let auth = AuthExchange(
      configuration(load: {
        _ = loads.next()
        await loaded.pass()
        return "new"
      }) { $0 })
    let snapshots = SnapshotExchange()
    let client = GraphQLClient([snapshots, auth, TokenServer().scripted])
    let background = GraphQLClient([snapshots, auth, TokenServer().scripted])
    _ = await client.query(postQuery("1"))
    client.switchSession()
    #expect(snapshots.snapshot().count == 0)
    _ = await client.query(postQuery("2"))
    loaded.close()
    client.switchSession()
    let waiting = await queued(postQuery("3"), client, auth)
    background.switchSession(to: client.session)
    loaded.open()
    #expect(await waiting.value.fate == "fresh")
    background.switchSession(to: client.session)
    #expect(await background.query(postQuery("4")).fate == "fresh")
    #expect(loads.count == 3)
    #expect(snapshots.snapshot().count == 2)
  }

  @Test(
    "A new session has its own credentials; operations waiting for the old ones are cancelled (A1)"
  )
  func session() async {
    let user = Locked("ann")
    let refreshed = Gate()
    let server = TokenServer()
    server.accepted.withLock { $0 = "bob" }
    let auth = AuthExchange(
      configuration(load: { user.withLock { $0 } }) { _ in
        await refreshed.pass()
        return "ann's next"
      })
    let client = GraphQLClient([auth, server.scripted])
    let waiting = Task { await client.query(postQuery("1")) }
    await server.scripted.received(1)
    while auth.waitingCount == 0 { await Task.yield() }
    user.withLock { $0 = "bob" }
    client.switchSession()
    #expect(await waiting.value.fate == "cancelled")
    refreshed.open()
    #expect(await client.query(postQuery("2")).fate == "fresh")
    #expect(server.tokens == ["ann", "bob"])
  }
}

extension AuthTests {
  @Test("A refresh that times out is cancelled (A1)")
  func cancelledRefresh() async {
    let clock = ManualClock()
    let cancelled = Gate()
    let server = TokenServer()
    let auth = AuthExchange(
      configuration { _ in
        await withTaskCancellationHandler {
          await Gate().pass()
        } onCancel: {
          cancelled.open()
        }
        throw CancellationError()
      }, clock: clock)
    auth.update("old")
    let client = GraphQLClient([auth, server.scripted])
    async let result = client.query(postQuery())
    await clock.sleepers(1)
    clock.advance(by: .seconds(600))
    #expect(await result.fate == "authentication")
    await cancelled.pass()
  }

  @Test("The late result of a refresh that timed out does not end the current refresh (A1)")
  func lateAmidAnother() async {
    let clock = ManualClock()
    let stuck = [Gate(), Gate()]
    let refreshes = Counter()
    let server = TokenServer()
    let auth = AuthExchange(
      configuration { _ in
        let number = refreshes.next()
        // The refresh ignores its cancellation.
        await Task { await stuck[number - 1].pass() }.value
        return number == 1 ? "late" : "new"
      }, clock: clock)
    auth.update("old")
    let client = GraphQLClient([auth, server.scripted])
    async let first = client.query(postQuery("1"))
    await clock.sleepers(1)
    clock.advance(by: .seconds(600))
    #expect(await first.fate == "authentication")
    async let second = client.query(postQuery("2"))
    await clock.sleepers(1)
    stuck[0].open()
    // Nothing reports that the late token was discarded, so this gives it time to do harm.
    for _ in 0..<1000 { await Task.yield() }
    stuck[1].open()
    #expect(await second.fate == "fresh")
    #expect(server.tokens == ["old", "old", "new"])
  }

  @Test("A new operation that arrives while others are released is sent after them (A1)")
  func newcomer() async {
    let loaded = Gate()
    let server = TokenServer()
    let attached = Counter()
    let holder = Locked<GraphQLClient?>(nil)
    let newcomer = Locked<Task<Void, Never>?>(nil)
    var slow = configuration(load: {
      await loaded.pass()
      return "new"
    }) { $0 }
    slow.attach = { token, context in
      context.headers["authorization"] = token
      guard attached.next() == 1, let client = holder.withLock({ $0 }) else { return }
      let task = Task.startingHere { _ = await client.query(postQuery("newcomer")) }
      newcomer.withLock { $0 = task }
    }
    let auth = AuthExchange(slow)
    let client = GraphQLClient([auth, server.scripted])
    holder.withLock { $0 = client }
    let waiting = [
      await queued(postQuery("1"), client, auth), await queued(postQuery("2"), client, auth),
    ]
    loaded.open()
    for task in waiting { #expect(await task.value.fate == "fresh") }
    await newcomer.withLock { $0 }?.value
    #expect(
      server.scripted.operations.map(\.variables)
        == [postQuery("1"), postQuery("2"), postQuery("newcomer")].map(\.variables))
    holder.withLock { $0 = nil }
  }

  @Test("If the next operation in line is leaving, its turn goes to the one after it (A1)")
  @MainActor
  func turnOfOneThatLeaves() async {
    let auth = AuthExchange(
      configuration(load: {
        await Gate().pass()
        return nil
      }) { $0 })
    let client = GraphQLClient([auth, TokenServer().scripted])
    let tasks = (1...2).map { id in
      Task { @MainActor in await client.query(postQuery("\(id)")).fate }
    }
    while auth.waitingCount < 2 { await Task.yield() }
    // The cancelled operation cannot run before the credentials arrive.
    tasks[0].cancel()
    auth.update("new")
    #expect(await tasks[0].value == "cancelled")
    #expect(await tasks[1].value == "fresh")
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

  @Test("An operation of one user is never sent with the next user's credentials (A1, C10)")
  func lateOperation() async {
    let held = Gate()
    let reached = Gate()
    let ended = Gate()
    let slow = InlineExchange { operation, forward in
      ResultStream { yield in
        reached.open()
        await held.pass()
        await yield.all(forward(operation))
        ended.open()
      }
    }
    let server = TokenServer()
    let auth = AuthExchange(configuration(load: { "new" }) { $0 })
    let client = GraphQLClient([slow, auth, server.scripted])
    async let mutation = client.mutate(updatePost)
    await reached.pass()
    client.switchSession()
    #expect(await mutation.fate == "cancelled")
    held.open()
    await ended.pass()
    #expect(server.tokens.isEmpty)
  }
}

// MARK: - Sessions

extension AuthTests {
  @Test("A switch cancels the renewal in flight, whose result is not stored (A1, S1)")
  func renewalAcrossSwitch() async {
    let stored = Locked("ann")
    let cancelled = Gate()
    let ended = Gate()
    let ignored = Gate()
    let server = TokenServer()
    server.accepted.withLock { $0 = "bob" }
    var renewing = configuration(load: { stored.withLock { $0 } }) { old in
      await withTaskCancellationHandler {
        // It does not heed its cancellation: the server has renewed the token already.
        await Task { await ignored.pass() }.value
      } onCancel: {
        cancelled.open()
      }
      defer { ended.open() }
      return "\(old)'s next"
    }
    renewing.store = { renewed, _ in stored.withLock { $0 = renewed } }
    let auth = AuthExchange(renewing)
    let client = GraphQLClient([auth, server.scripted])
    let waiting = Task { await client.query(postQuery("1")) }
    await server.scripted.received(1)
    while auth.waitingCount == 0 { await Task.yield() }
    client.switchSession { stored.withLock { $0 = "bob" } }
    #expect(await waiting.value.fate == "cancelled")
    await cancelled.pass()
    ignored.open()
    await ended.pass()
    // Nothing reports that the late token was discarded, so this gives it time to do harm.
    for _ in 0..<1000 { await Task.yield() }
    #expect(stored.withLock { $0 } == "bob")
    #expect(await client.query(postQuery("2")).fate == "fresh")
    #expect(server.tokens == ["ann", "bob"])
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
    while auth.waitingCount == 0 { await Task.yield() }
    auth.update("new")
    #expect(await waiting.value.fate == "fresh")
    renewed.open()
    await ended.pass()
    for _ in 0..<1000 { await Task.yield() }
    #expect(stored.withLock { $0 } == [])
  }

  @Test(
    "The first operation of a session that auth was not told of loads new credentials (A1, S1)")
  func untoldOfSession() async {
    let token = Locked("old")
    let auth = AuthExchange(configuration(load: { token.withLock { $0 } }) { $0 })
    let server = ScriptedExchange { _ in post("fresh") }
    // The client does not see the exchange behind this one, so it cannot notify it.
    let client = GraphQLClient([InlineExchange { auth.execute($0, forward: $1) }, server])
    _ = await client.query(postQuery("1"))
    client.switchSession { token.withLock { $0 = "new" } }
    _ = await client.query(postQuery("2"))
    #expect(server.operations.map(\.token) == ["old", "new"])
  }
}
