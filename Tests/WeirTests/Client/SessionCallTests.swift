import Foundation
import Testing
import Weir
import WeirTesting

@Suite("Sessions: calls around a switch", .timeLimit(.minutes(10)))
struct SessionCallTests {
  /// Counts the switches, and lets a test wait for them.
  private final class Told: StatefulExchange {
    private let count = Counter()
    private let gates = [Gate(), Gate(), Gate()]

    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      forward(operation)
    }
    func invalidate(_ invalidation: Invalidation) {}
    func switchSession(to session: Session) { gates[count.next() - 1].open() }

    func times(_ count: Int) async { await gates[count - 1].pass() }
  }

  /// Begins a session on a thread of its own; `update` runs there, too.
  private func switchSession(_ client: GraphQLClient, _ update: @escaping @Sendable () -> Void)
    -> Gate
  {
    let isOver = Gate()
    Thread {
      client.switchSession { update() }
      isOver.open()
    }.start()
    return isOver
  }

  @Test("Every switch runs its update, however many threads switch at the same time (S1)")
  func everyUpdate() async {
    let client = GraphQLClient([])
    let updates = Counter()
    let ended = (1...8).map { _ in Gate() }
    for gate in ended {
      Thread {
        for _ in 0..<250 {
          client.switchSession {
            _ = updates.next()
            // So that the others crowd before the next announcement.
            sched_yield()
          }
        }
        gate.open()
      }.start()
    }
    for gate in ended { await gate.pass() }
    #expect(updates.count == 2_000)
  }

  @Test("A query whose source ends with the session does not return its stale result (C10)")
  func staleHit() async {
    let ended = Gate()
    let server = ScriptedExchange(streaming: { operation in
      operation.context.requestPolicy == .cacheFirst
        ? .just(post("old")) : ResultStream { _ in await ended.pass() }
    })
    let client = GraphQLClient([.documentCache, server])
    _ = await client.query(postQuery())
    let query = postQuery(policy: .cacheAndNetwork)
    async let result = client.query(query)
    var results = client.results(of: query).makeAsyncIterator()
    #expect(await results.next()?.summary == "old stale")
    await server.received(3)
    client.switchSession()
    ended.open()
    #expect(await result.error == .cancelled)
    #expect(await result.data == nil)
    #expect(await results.next()?.error == .cancelled)
    #expect(await results.next() == nil)
  }

  @Test("Results that were complete before a switch end without an error (C10)")
  func completeBefore() async {
    let client = GraphQLClient([.documentCache, postServer()])
    var results = client.results(of: postQuery()).makeAsyncIterator()
    #expect(await results.next()?.summary == "title 1")
    client.switchSession()
    #expect(await results.next() == nil)
  }

  @Test("An operation that is called during a switch is not sent (C10, S1)")
  func calledDuringSwitch() async {
    for exchanges in [[], [.documentCache], [.dedup, .documentCache]] as [[any Exchange]] {
      let server = ScriptedExchange.immediate { _ in post("sent") }
      let client = GraphQLClient(exchanges + [server])
      let isInside = Gate()
      let goesOn = DispatchSemaphore(value: 0)
      let isOver = switchSession(client) {
        isInside.open()
        goesOn.wait()
      }
      await isInside.pass()
      #expect(await client.query(postQuery()).error == .cancelled)
      #expect(await client.query(postQuery(policy: .networkOnly)).error == .cancelled)
      #expect(await client.mutate(updatePost).error == .cancelled)
      #expect(await client.results(of: postQuery()).all() == ["error"])
      #expect(await client.subscribe(GraphQLOperation("subscription { a }")).all() == ["error"])
      #expect(server.operations.isEmpty)
      goesOn.signal()
      await isOver.pass()
      #expect(await client.query(postQuery()).summary == "sent")
    }
  }

  /// Begins two sessions whose switches overlap: the update of the first one waits until that of the
  /// second one would be next, then runs `first`.
  private func overlap(
    first: @escaping @Sendable (GraphQLClient) -> Void, second: @escaping @Sendable () -> Void,
    meanwhile: () async -> Void = {}
  ) async {
    let told = Told()
    let client = GraphQLClient([told, .documentCache, postServer()])
    let isInside = Gate()
    let goesOn = DispatchSemaphore(value: 0)
    let firstIsOver = switchSession(client) {
      isInside.open()
      goesOn.wait()
      first(client)
    }
    await isInside.pass()
    let secondIsOver = switchSession(client, second)
    await told.times(2)
    await meanwhile()
    goesOn.signal()
    await firstIsOver.pass()
    await secondIsOver.pass()
  }

  @Test(
    "A switch that is nested in another one does not wait for one that waits for that (C10, S1)")
  func nestedUpdate() async {
    let token = Locked("none")
    await overlap(
      first: { $0.switchSession { token.withLock { $0 = "C" } } },
      second: { token.withLock { $0 = "B" } })
    #expect(token.withLock { $0 } == "C")
  }

  @Test("When two switches overlap, the later one's update runs last (C10, S1)")
  func overlappingUpdates() async {
    let token = Locked("none")
    await overlap(
      first: { _ in token.withLock { $0 = "A" } }, second: { token.withLock { $0 = "B" } },
      meanwhile: {
        // Nothing reports that the second switch waits, so this gives it time to do harm.
        for _ in 0..<1000 { await Task.yield() }
      })
    #expect(token.withLock { $0 } == "B")
  }
}
