import TestSupport
import Testing
@testable import Weir
import WeirTesting

extension AuthTests {
  // MARK: - Sessions

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
    await eventually { auth.waitingCount > 0 }
    user.withLock { $0 = "bob" }
    client.switchSession()
    #expect(await waiting.value.fate == "cancelled")
    refreshed.open()
    #expect(await client.query(postQuery("2")).fate == "fresh")
    #expect(server.tokens == ["ann", "bob"])
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
    await eventually { auth.waitingCount > 0 }
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

  @Test("A renewed token that comes after a switch of the session is not used (A1, S5)")
  func lateUpdate() async {
    let user = Locked("ann")
    let server = TokenServer()
    server.accepted.withLock { $0 = "bob" }
    let auth = AuthExchange(configuration(load: { user.withLock { $0 } }) { $0 })
    let client = GraphQLClient([auth, server.scripted])
    let session = client.session
    client.switchSession { user.withLock { $0 = "bob" } }
    auth.update("ann's next", in: session)
    #expect(await client.query(postQuery("1")).fate == "fresh")
    auth.update("bob's next", in: client.session)
    server.accepted.withLock { $0 = "bob's next" }
    #expect(await client.query(postQuery("2")).fate == "fresh")
    #expect(server.tokens == ["bob", "bob's next"])
  }
}
