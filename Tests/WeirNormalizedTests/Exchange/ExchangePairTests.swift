import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A normalized cache with each exchange that may stand above or below it; see the article Chains.
@Suite("A normalized cache and one more exchange", .timeLimit(.minutes(10)))
struct ExchangePairTests {
  private static let todo = GraphQLOperation("{ todo { id text } }")
  private static let rename = GraphQLOperation("mutation { rename { id text } }")

  private struct NoTransport: SubscriptionTransport {
    func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
      throw CancellationError()
    }
  }

  private static let anywhere: [String: @Sendable () -> any Exchange] = [
    "debug": { .debug("test") { _ in } },
    "map": { MapExchange(operation: { $0 }, result: { _, result in result }) },
    "onError": { .onError { _, _ in } },
    "local": { .local([:]) },
  ]
  private static let above: [String: @Sendable () -> any Exchange] = [
    "snapshot": { SnapshotExchange() },
    "requestPolicy": { .requestPolicy(maximumAge: .seconds(3_600)) },
    "refresh": { .refresh(on: AsyncStream<Void> { _ in }) },
    "sharedSubscriptions": { .sharedSubscriptions },
    "dedup": { .dedup },
    "compose": { ComposeExchange([.dedup, ComposeExchange([])]) },
  ]
  private static let below: [String: @Sendable () -> any Exchange] = [
    "context": { .context { context, _ in context.headers["x"] = "1" } },
    "auth": {
      AuthExchange(
        AuthConfiguration(
          load: { "token" }, attach: { $1.headers["authorization"] = $0 }, refresh: { $0 }))
    },
    "retry": { .retry },
    "concurrencyLimit": { .concurrencyLimit(1) },
    "subscription": { .subscription(NoTransport()) },
    "persistedOperations": { .persistedOperations() },
  ]

  @Test(
    "It answers, stores, and wakes watches as it does alone (N4.1)",
    arguments: [above, anywhere].flatMap(\.keys).sorted().map { ($0, true) }
      + [below, anywhere].flatMap(\.keys).sorted().map { ($0, false) })
  func pair(name: String, isAbove: Bool) async throws {
    let server = ScriptedExchange { operation in
      .data(
        operation.kind == .query
          ? #"{"todo":{"__typename":"Todo","id":"1","text":"a"}}"#
          : #"{"rename":{"__typename":"Todo","id":"1","text":"b"}}"#)
    }
    let make = (isAbove ? Self.above : Self.below)[name] ?? Self.anywhere[name]
    let other = try #require(make?())
    let cache = NormalizedCacheExchange()
    let client = GraphQLClient(isAbove ? [other, cache, server] : [cache, other, server])
    for _ in 0..<3 {
      #expect(await client.query(Self.todo).data?["todo"]?["text"]?.string == "a")
    }
    #expect(client.peek(Self.todo)?.outcome == .hit)
    #expect(server.operations.count == 1)
    var watch = client.watch(Self.todo).makeAsyncIterator()
    #expect(await watch.next()?.data?["todo"]?["text"]?.string == "a")
    #expect(await client.mutate(Self.rename).error == nil)
    var newer = await watch.next()
    while let next = newer, next.isStale { newer = await watch.next() }
    #expect(newer?.data?["todo"]?["text"]?.string == "b")
    #expect(server.operations.count == 2)
    client.switchSession()
    #expect(client.peek(Self.todo) == nil)
  }

  @Test("An old hit that has to be read from a storage is refetched, too (A3)")
  func oldStoredHit() async throws {
    let storage = MemoryRecordStorage()
    let first = NormalizedStore(storage: storage)
    let json = #"{"todo":{"__typename":"Todo","id":"1","text":"a"}}"#
    try first.write(JSON(parsing: json).value, for: Self.todo)
    try await first.flush()
    let server = ScriptedExchange { _ in
      .data(#"{"todo":{"__typename":"Todo","id":"1","text":"b"}}"#)
    }
    let client = GraphQLClient([
      .requestPolicy(maximumAge: .seconds(300)), .dedup,
      .normalizedCache(NormalizedStore(storage: storage)), server,
    ])
    var found: [String] = []
    for await result in client.results(of: Self.todo) {
      found.append((result.data?["todo"]?["text"]?.string ?? "") + (result.isStale ? " stale" : ""))
    }
    #expect(found == ["a stale", "b"])
    #expect(server.operations.count == 1)
  }

  @Test("A refetch that fails is not sent again because of the age of the data beside it (A3, P4)")
  func failedRefetch() async throws {
    let fails = Locked(false)
    let server = ScriptedExchange { _ in
      fails.withLock(\.self)
        ? .failure("down") : .data(#"{"todo":{"__typename":"Todo","id":"1","text":"a"}}"#)
    }
    let client = GraphQLClient([
      .requestPolicy(maximumAge: .seconds(300)), .dedup, .normalizedCache(NormalizedStore()),
      server,
    ])
    var watch = client.watch(Self.todo).makeAsyncIterator()
    #expect(await watch.next()?.error == nil)
    fails.withLock { $0 = true }
    client.invalidate(types: "Todo")
    #expect(await watch.next()?.isStale == true)
    let failed = await watch.next()
    #expect(failed?.error != nil && failed?.data?["todo"]?["text"]?.string == "a")
    #expect(server.operations.count == 2)
  }

  @Test("Executions that limit the age share one request after a look into a storage (D1)")
  @MainActor
  func sharedLook() async throws {
    let medium = MemoryRecordStorage()
    func store() -> NormalizedStore {
      NormalizedStore(storage: MemoryRecordStorage(sharing: medium))
    }
    let post = GraphQLOperation("{ post { id } }").with {
      $0.requestPolicy = .cacheAndNetwork
      $0.maximumAge = .seconds(600)
    }
    let first = store()
    try first.write(["post": ["__typename": "Post", "id": "1"]], for: post)
    try await first.flush()
    for _ in 0..<20 {
      let gate = Gate()
      let server = ScriptedExchange { _ in
        await gate.pass()
        return .data(#"{"post":{"__typename":"Post","id":"2"}}"#)
      }
      let client = GraphQLClient([.dedup, .normalizedCache(store()), server])
      var begun = 0
      let tasks = (0..<4).map { _ in
        Task {
          begun += 1
          return await client.query(post).data?["post"]?["id"]?.string
        }
      }
      await eventually { begun == tasks.count }
      gate.open()
      for task in tasks { #expect(await task.value == "2") }
      #expect(server.operations.count == 1)
    }
  }
}
