import Testing
import Weir
import WeirTesting

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
    while clock.sleeperCount != 1 || auth.waitingCount != 2 { await Task.yield() }
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
}
