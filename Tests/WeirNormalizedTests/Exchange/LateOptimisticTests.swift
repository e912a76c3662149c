import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A mutation that reaches the cache after its session has ended (C10).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct LateOptimisticTests {
  @Test("The optimistic result of an old session's mutation is not shown to the new user (C10)")
  func oldSession() async {
    let (held, answered) = (Gate(), Gate())
    let (arrived, ended) = (Gate(), Gate())
    let store = StoreKind.store()
    let server = ScriptedExchange { operation in
      guard operation.kind == .mutation else { return .data(OptimisticTests.data) }
      // Also if the execution has been cancelled.
      await Task { await answered.pass() }.value
      return .data(OptimisticTests.renamed)
    }
    let hold = InlineExchange { operation, forward in
      guard operation.kind == .mutation else { return forward(operation) }
      return ResultStream { yield in
        arrived.open()
        await Task { await held.pass() }.value
        await yield.all(forward(operation))
        ended.open()
      }
    }
    let client = GraphQLClient([hold, .cache(store), server])
    async let mutation = client.mutate(
      OptimisticTests.rename.with {
        $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
      })
    await arrived.pass()
    client.switchSession()
    #expect(await mutation.error?.code == .cancelled)
    _ = await client.query(OptimisticTests.todos)
    held.open()
    await server.received(2)
    #expect(OptimisticTests.texts(store) == ["a", "b"])
    #expect(store.statistics.layers == 0)
    answered.open()
    await ended.pass()
    #expect(OptimisticTests.texts(store) == ["a", "b"])
  }
}
