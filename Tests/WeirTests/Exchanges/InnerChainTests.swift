import Testing
import Weir
import WeirTesting

/// Exchanges that the client cannot notify, because an exchange of the app holds them.
@Suite("Chains within an exchange", .timeLimit(.minutes(10)))
struct InnerChainTests {
  @Test("A watch of a shared request hides the old user's data at the end of the session (S1, S2)")
  func hidesAtOnce() async {
    await watched("watch of an inner chain") {
      let refresh = RefreshSource()
      let counter = Counter()
      let gate = Gate()
      let server = InlineExchange { _, _ in
        let signal = refresh.signal
        return ResultStream { yield in
          // Only the first request is answered before the end.
          if counter.next() > 1 { await gate.pass() }
          yield(post("old").refreshed(by: signal))
        }
      }
      let dedup = DedupExchange()
      let inner = Forward([dedup, server])
      let client = GraphQLClient([InlineExchange { operation, _ in inner(operation) }])
      let watcher = Watcher(client.watch(postQuery()))
      #expect(await watcher.next(1) == ["old"])
      refresh.fire()
      #expect(await watcher.next(1) == ["old stale"])
      await dedup.shares(1)
      client.switchSession()
      #expect(await watcher.next(1) == ["stale"])
      watcher.cancel()
      gate.open()
    }
  }
}
