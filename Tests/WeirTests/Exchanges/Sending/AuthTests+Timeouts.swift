import TestSupport
import Testing
import WeirTesting

@testable import Weir

extension AuthTests {
  // MARK: - Refreshes that time out

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
    await eventually { clock.sleeperCount == 1 && auth.waitingCount == 2 }
    clock.advance(by: slow.timeout)
    #expect(await first.fate == "authentication")
    #expect(await second.value.fate == "authentication")
    // From now on nothing is rejected, so the new token can only come from the late refresh.
    server.accepted.withLock { $0 = "old" }
    stuck.open()
    repeat { _ = await client.query(postQuery("3")) } while server.tokens.last != "new"
  }

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

  /// Refreshes that ignore their cancellation: the first two end when the test says so.
  private struct StuckRefreshes: Sendable {
    private let count = Counter()
    let begun = [Gate(), Gate()]
    let ended = [Gate(), Gate()]

    /// Returns the number of the refresh when it may end.
    func next() async -> Int {
      let number = count.next()
      guard number <= 2 else { return number }
      begun[number - 1].open()
      await Task { await ended[number - 1].pass() }.value
      return number
    }
  }

  /// Lets a refresh of the token "old" time out, and begins another one by a second operation. Then
  /// the first refresh ends, and after it the second.
  ///
  /// - Returns: The fate of the second operation.
  private func timeOut(
    _ auth: AuthExchange<String>, _ clock: ManualClock, _ stuck: StuckRefreshes,
    _ client: GraphQLClient
  ) async -> String {
    auth.update("old")
    async let first = client.query(postQuery("1"))
    // The refresh and its timer are tasks of their own. Without its number, the refresh could swap it with
    // the next one.
    await stuck.begun[0].pass()
    await clock.sleepers(1)
    clock.advance(by: .seconds(600))
    #expect(await first.fate == "authentication")
    async let second = client.query(postQuery("2"))
    await stuck.begun[1].pass()
    await clock.sleepers(1)
    stuck.ended[0].open()
    // Nothing reports that the late token was received, so this gives it time to do harm.
    for _ in 0..<1000 { await Task.yield() }
    stuck.ended[1].open()
    return await second.fate
  }

  @Test("The late result of a refresh that timed out does not end the current refresh (A1)")
  func lateAmidAnother() async {
    let clock = ManualClock()
    let stuck = StuckRefreshes()
    let server = TokenServer()
    let auth = AuthExchange(
      configuration { _ in await stuck.next() == 1 ? "late" : "new" }, clock: clock)
    let client = GraphQLClient([auth, server.scripted])
    #expect(await timeOut(auth, clock, stuck, client) == "fresh")
    #expect(server.tokens == ["old", "old", "new"])
  }

  @Test("The late result of a refresh is stored and used if the current refresh fails (A1)")
  func lateAmidFailure() async {
    let clock = ManualClock()
    let stuck = StuckRefreshes()
    let stored = Locked([String]())
    let server = TokenServer()
    var renewing = configuration { _ in
      if await stuck.next() > 1 { throw RefreshFailure() }
      return "new"
    }
    renewing.store = { renewed, old in stored.withLock { $0.append("\(old) → \(renewed)") } }
    let auth = AuthExchange(renewing, clock: clock)
    let client = GraphQLClient([auth, server.scripted])
    _ = await timeOut(auth, clock, stuck, client)
    // At the latest now, the late token comes.
    while server.tokens.last != "new" { _ = await client.query(postQuery("3")) }
    #expect(stored.withLock { $0 } == ["old → new"])
  }

  @Test("The first result of two refreshes that timed out is stored and used (A1)")
  func twoTimeouts() async {
    let clock = ManualClock()
    let stuck = StuckRefreshes()
    let stored = Locked([String]())
    let server = TokenServer()
    var renewing = configuration { _ in await stuck.next() == 1 ? "new" : "other" }
    renewing.store = { renewed, old in stored.withLock { $0.append("\(old) → \(renewed)") } }
    let auth = AuthExchange(renewing, clock: clock)
    auth.update("old")
    let client = GraphQLClient([auth, server.scripted])
    for begun in stuck.begun {
      async let result = client.query(postQuery())
      await begun.pass()
      await clock.sleepers(1)
      clock.advance(by: .seconds(600))
      #expect(await result.fate == "authentication")
    }
    stuck.ended[0].open()
    await eventually { stored.withLock { !$0.isEmpty } }
    stuck.ended[1].open()
    // It waits while the late token is stored.
    #expect(await client.query(postQuery()).fate == "fresh")
    #expect(server.tokens == ["old", "old", "new"])
    #expect(stored.withLock { $0 } == ["old → new"])
  }

  @Test(
    "A load that timed out is used if it ends while the next one runs (A1)",
    arguments: [false, true])
  func lateLoad(expires: Bool) async {
    let clock = ManualClock()
    // The first load ends when the test says so, with or without a refresh; the second one ends with the test.
    let begun = [Gate(), Gate()]
    let ended = [Gate(), Gate()]
    defer { ended[1].open() }
    let loads = Counter()
    let stored = Locked([String]())
    let server = TokenServer()
    var slow = configuration {
      let number = loads.next()
      begun[number - 1].open()
      await Task { await ended[number - 1].pass() }.value
      return expires ? "old" : "new"
    } refresh: { _ in
      "new"
    }
    slow.willExpire = { $0 == "old" }
    slow.store = { renewed, old in stored.withLock { $0.append("\(old) → \(renewed)") } }
    let auth = AuthExchange(slow, clock: clock)
    let client = GraphQLClient([auth, server.scripted])
    async let first = client.query(postQuery("1"))
    await begun[0].pass()
    await clock.sleepers(1)
    clock.advance(by: .seconds(600))
    #expect(await first.fate == "authentication")
    async let second = client.query(postQuery("2"))
    await begun[1].pass()
    ended[0].open()
    #expect(await second.fate == "fresh")
    #expect(server.tokens == ["new"])
    #expect(stored.withLock { $0 } == (expires ? ["old → new"] : []))
  }

  @Test("Operations that wait while a refresh fails are sent with a late result (A1)")
  func lateResultForWaiters() async throws {
    let session = Session(number: 0)
    var state = AuthState<String>()
    _ = state.update("old", in: nil)
    /// Sends an operation that is rejected, and returns the refresh that this begins.
    func refresh() throws -> (waiter: AuthState<String>.Waiter, work: UInt64) {
      guard case .admit(.success(let pass)) = state.arrive(of: session).0 else { throw NotSent() }
      let (decision, actions) = state.reject(pass, of: session)
      guard case .wait(let waiter) = decision, case .begin(let work) = actions.first else {
        throw NotSent()
      }
      return (waiter, work.id)
    }
    let first = try refresh()
    _ = state.finish(first.work, .failure(RefreshFailure()), isTimeout: true)
    let second = try refresh()
    let isUsedNow = state.receive(.init(credentials: "late", old: "old"), from: first.work)
    #expect(!isUsedNow)
    let actions = state.finish(second.work, .failure(RefreshFailure()))
    guard case .begin(let storing) = actions.first, case .store(let renewed) = storing.step else {
      throw NotSent()
    }
    #expect(renewed.credentials == "late" && renewed.old == "old")
    guard
      case .answer(let waiter, .success(let pass)) = state.finish(storing.id, .success("late"))
        .first
    else { throw NotSent() }
    #expect(waiter === second.waiter)
    #expect(pass.credentials == "late")
  }

  private struct NotSent: Error {}
}
