import Testing
import Weir
import WeirTesting

@Suite("Watches and sessions", .timeLimit(.minutes(10)))
struct WatchSessionTests {
  @Test("A watch whose session ends while it refetches shows nothing of it any more (C10)")
  func endsDuringRefetch() async {
    let holder = Locked<GraphQLClient?>(nil)
    let executions = Counter()
    let switching = InlineExchange { operation, forward in
      if executions.next() == 2 { holder.withLock { $0 }?.switchSession() }
      return forward(operation)
    }
    let client = GraphQLClient([switching, .dedup, .documentCache, postServer()])
    holder.withLock { $0 = client }
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    client.invalidate(types: "Post")
    #expect(await watcher.next(2) == ["stale", "title 2"])
    holder.withLock { $0 = nil }
  }
}
