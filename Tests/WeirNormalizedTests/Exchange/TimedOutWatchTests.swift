import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("After the total timeout of an execution", .timeLimit(.minutes(10)))
struct TimedOutWatchTests {
  /// A server that answers only when the test is over.
  private static func server(behind gate: Gate) -> ScriptedExchange {
    ScriptedExchange { _ in
      await gate.pass()
      return .failure("The test is over.")
    }
  }

  @Test("A watch above a cache with a storage goes on after a timeout (A4)")
  func storage() async {
    let clock = ManualClock()
    let gate = Gate()
    let server = ScriptedExchange { _ in
      await gate.pass()
      return .data(#"{"post":{"__typename":"Post","id":"1","title":"a"}}"#)
    }
    let store = NormalizedStore(storage: MemoryRecordStorage())
    let client = GraphQLClient([.dedup, .normalizedCache(store), server], clock: clock)
    let post = GraphQLOperation("{ post { id title } }")
    let (results, continuation) = AsyncStream.makeStream(of: OperationResult.self)
    let watch = Task {
      for await result in client.watch(post.with { $0.totalTimeout = .seconds(3) }) {
        continuation.yield(result)
      }
      continuation.finish()
    }
    var seen = results.makeAsyncIterator()
    await server.received(1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await seen.next()?.error?.code == .timedOut)
    gate.open()
    #expect(await client.query(post).error == nil)
    #expect(await seen.next()?.data?["post"]?["title"]?.string == "a")
    watch.cancel()
  }

  @Test("A watch goes on after a timeout although an exchange wants the network (A4)")
  func withPolicyOfExchange() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let server = Self.server(behind: gate)
    let store = NormalizedStore()
    let network = MapExchange(operation: { $0.with(.networkOnly) })
    let client = GraphQLClient(
      [network, .dedup, .normalizedCache(store), server], clock: clock)
    let post = GraphQLOperation("{ post { id title } }")
    var watch = client.watch(post.with { $0.totalTimeout = .seconds(3) }).makeAsyncIterator()
    async let timer: Void = {
      await clock.sleepers(1)
      clock.advance(by: .seconds(3))
    }()
    #expect(await watch.next()?.error?.code == .timedOut)
    await timer
    try store.write(["post": ["__typename": "Post", "id": "1", "title": "a"]], for: post)
    #expect(await watch.next()?.data?["post"]?["title"]?.string == "a")
    gate.open()
  }

  @Test("Invalidated data stands beside no timeout of a query that would not show it (A4, N8.1)")
  func invalidated() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let server = Self.server(behind: gate)
    let store = NormalizedStore()
    let client = GraphQLClient([.dedup, .normalizedCache(store), server], clock: clock)
    let post = GraphQLOperation("{ post { id title } }")
    try store.write(["post": ["__typename": "Post", "id": "1", "title": "a"]], for: post)
    client.invalidate(types: "Post")
    async let result = client.query(post.with { $0.totalTimeout = .seconds(3) })
    await server.received(1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))
    #expect(await result.error?.code == .timedOut)
    #expect(await result.data == nil)
    gate.open()
  }
}
