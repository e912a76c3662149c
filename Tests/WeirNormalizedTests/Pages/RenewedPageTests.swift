import TestSupport
import Testing
import Weir
import WeirTesting

@testable import WeirNormalized

/// A page that arrives again as it was, after another one of the list has changed (N7).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct RenewedPageTests {
  private static let small = ConnectionTests.page(["first": 3])
  private static let large = ConnectionTests.page(["first": 5])

  private static func data(of operation: GraphQLOperation) -> JSON {
    let isSmall = operation.identity == small.identity
    return ConnectionTests.data(isSmall ? [1, 2, 3] : [9, 1, 2, 3, 4], next: true)
  }

  private static func store(
    clock: some Clock<Duration> = ContinuousClock(), timeToLive: Duration? = nil
  ) throws -> NormalizedStore {
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Query.todos"] = .connection()
    configuration.fields["Query.todos"]?.timeToLive = timeToLive
    let store = StoreKind.store(configuration, clock: clock)
    for page in [small, large] { try store.write(data(of: page), for: page) }
    return store
  }

  /// A client, and a mutation that shows an optimistic result until the gate is open.
  private static func client(
    _ store: NormalizedStore, _ gate: Gate, showsOptimistic: Bool,
    answer: @escaping @Sendable (GraphQLOperation) -> OperationResult
  ) async -> (GraphQLClient, ScriptedExchange, Task<Void, Never>) {
    let server = ScriptedExchange { operation in
      guard operation.kind == .mutation else { return answer(operation) }
      await gate.pass()
      return .data(#"{"rename":{"__typename":"User","id":"1","name":"real"}}"#)
    }
    let client = GraphQLClient([.dedup, .cache(store), server])
    let rename = GraphQLOperation("mutation { rename { id name } }").with {
      guard showsOptimistic else { return }
      $0.optimisticData = ["rename": ["__typename": "User", "id": "1", "name": "guess"]]
    }
    let mutation = Task { _ = await client.mutate(rename) }
    await server.received(1)
    return (client, server, mutation)
  }

  @Test(
    "It wakes the watches of the list, also while an optimistic result is shown (N4.1, N6.1)",
    arguments: [false, true])
  func watched(showsOptimistic: Bool) async throws {
    let (store, gate) = (try Self.store(), Gate())
    let (_, _, mutation) = await Self.client(store, gate, showsOptimistic: showsOptimistic) { _ in
      .failure("asked")
    }
    var watch = store.watch(Self.large).makeAsyncIterator()
    #expect(await watch.next()?.flatMap(ConnectionTests.summary) == "9 1 2 3 4> c9…c4")
    async let next = watch.next()
    await eventually { store.state.withLock { $0.results.dependencies.count } > 0 }
    try store.write(Self.data(of: Self.small), for: Self.small)
    #expect(ConnectionTests.shown(store, ["first": 5]) == "1 2 3 4> c1…c4")
    #expect(await next?.flatMap(ConnectionTests.summary) == "1 2 3 4> c1…c4")
    gate.open()
    await mutation.value
  }

  @Test(
    "Two watches of pages that are stale on arrival do not refetch each other for ever (N8.1)",
    .not(.file, because: "after possible changes by another process both refetch"),
    arguments: [false, true])
  func noAge(showsOptimistic: Bool) async throws {
    let (clock, gate) = (ManualClock(), Gate())
    let store = try Self.store(clock: clock, timeToLive: .zero)
    let (client, server, mutation) = await Self.client(
      store, gate, showsOptimistic: showsOptimistic
    ) { operation in
      clock.advance(by: .milliseconds(1500))
      return OperationResult(data: Self.data(of: operation))
    }
    let watches = [Self.small, Self.large].map { page in
      Task { for await _ in client.watch(page) {} }
    }
    await server.received(3)
    for _ in 0..<2_000 { await Task.yield() }
    _ = await client.query(Self.small.with { $0.requestPolicy = .networkOnly })
    for _ in 0..<2_000 { await Task.yield() }
    #expect(server.operations.count < 15)
    watches.forEach { $0.cancel() }
    gate.open()
    await mutation.value
  }
}
