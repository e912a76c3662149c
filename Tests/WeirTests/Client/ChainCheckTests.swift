import Foundation
import Testing
import Weir
import WeirTesting

@Suite("Mistakes in chains and operations", .timeLimit(.minutes(10)))
struct ChainCheckTests {
  private let diagnostics = Locked<[ClientDiagnostic]>([])

  private func client(_ exchanges: [any Exchange]) -> GraphQLClient {
    var configuration = ClientConfiguration()
    configuration.onDiagnostic = { [diagnostics] diagnostic in
      diagnostics.withLock { $0.append(diagnostic) }
    }
    return GraphQLClient(exchanges, configuration: configuration)
  }

  private func messages(_ exchanges: [any Exchange]) -> [String] {
    diagnostics.withLock { $0 = [] }
    _ = client(exchanges)
    return diagnostics.withLock { $0.map(\.message) }
  }

  @Test("A correct chain reports nothing (Q3)")
  func correct() throws {
    let fetch = FetchExchange(try #require(URL(string: "https://example.org")))
    #expect(messages([.dedup, .documentCache, .retry, .concurrencyLimit(2), fetch]) == [])
    #expect(messages([.concurrencyLimit(1, kinds: [.mutation]), .documentCache, fetch]) == [])
    #expect(messages([ComposeExchange([.dedup, .documentCache]), postServer()]) == [])
    #expect(messages([postServer()]) == [])
    var configuration = FetchConfiguration()
    configuration.subscriptionMediaTypes = []
    let plain = FetchExchange(
      try #require(URL(string: "https://example.org")), configuration: configuration)
    let socket = WebSocketTransport { _ in throw CancellationError() }
    #expect(messages([.dedup, plain, .concurrencyLimit(2), .subscription(socket)]) == [])
    #expect(messages([.dedup, plain, fetch]) == [])
    #expect(messages([.sharedSubscriptions, .dedup, .documentCache, fetch]) == [])
    #expect(messages([.subscription(socket, kinds: [.query, .mutation, .subscription])]) == [])
    var persisted = PersistedOperationsConfiguration()
    persisted.manifest = PersistedManifest(hashing: [])
    #expect(messages([.persistedOperations(persisted), .dedup, .documentCache, fetch]) == [])
  }

  @Test("Exchanges that never run, stand twice, or suspend above the cache are reported (Q3)")
  func wrong() throws {
    let fetch = FetchExchange(try #require(URL(string: "https://example.org")))
    let dedup = DedupExchange()
    let cache = DocumentCacheExchange()
    #expect(
      messages([fetch, dedup]) == [
        "DedupExchange stands after FetchExchange and never runs: place it above."
      ])
    #expect(
      messages([fetch, .retry]) == [
        "RetryExchange stands after FetchExchange and never runs: place it above."
      ])
    #expect(
      messages([dedup, cache, .sharedSubscriptions, fetch]) == [
        "SharedSubscriptionsExchange stands below a cache, which takes in an event once for each"
          + " subscriber: place it above dedup and the cache."
      ])
    let socket = WebSocketTransport { _ in throw CancellationError() }
    #expect(
      messages([dedup, fetch, .subscription(socket), fetch]) == [
        "SubscriptionExchange stands after FetchExchange and never runs: place it above.",
        "FetchExchange stands after FetchExchange and never runs: remove one of them.",
      ])
    #expect(
      messages([dedup, cache, DocumentCacheExchange(), fetch]) == [
        "The chain has two caches: remove one of them."
      ])
    #expect(
      messages([dedup, .context { _, _ in }, cache, fetch]) == [
        "ContextExchange suspends above DocumentCacheExchange, so that no hit is immediate and peek"
          + " returns nil: place it below the cache."
      ])
    #expect(
      messages([.persistedOperations(), dedup, cache, fetch]) == [
        "PersistedOperationsExchange suspends above DocumentCacheExchange, so that no hit is immediate"
          + " and peek returns nil: place it below the cache."
      ])
    #expect(
      messages([ComposeExchange([dedup, fetch]), cache]) == [
        "DocumentCacheExchange stands after FetchExchange and never runs: place it above."
      ])
    #expect(
      messages([dedup, .dedup, fetch]) == [
        "The chain has two dedup exchanges: remove one of them."
      ])
    let refresh = RefreshExchange(on: AsyncStream<Void> { _ in })
    #expect(messages([refresh, dedup, cache, fetch]) == [])
    #expect(
      messages([dedup, cache, refresh, fetch]) == [
        "RefreshExchange stands below a cache, whose results do not carry its signal, so that"
          + " nothing is refetched: place it above."
      ])
    #expect(
      messages([cache, dedup, fetch]) == [
        "DedupExchange stands below a cache, so that equal queries all pass the cache before they"
          + " share a request: place it above."
      ])
    #expect(
      messages([dedup, cache, .requestPolicy(maximumAge: .seconds(1)), fetch]) == [
        "RequestPolicyExchange stands below a cache, whose results it does not see, so that nothing"
          + " is refetched: place it above dedup and the cache."
      ])
    #expect(
      messages([dedup, cache]) == [
        "The chain ends with DocumentCacheExchange, which sends no requests: add .fetch."
      ])
    #expect(
      messages([dedup, ComposeExchange([.retry]), cache, fetch]) == [
        "RetryExchange suspends above DocumentCacheExchange, so that no hit is immediate and peek"
          + " returns nil: place it below the cache."
      ])
  }

  @Test("Persisted operations below an exchange that sends the text itself are reported (Q3)")
  func persisted() throws {
    let fetch = FetchExchange(try #require(URL(string: "https://example.org")))
    let socket = WebSocketTransport { _ in throw CancellationError() }
    var configuration = PersistedOperationsConfiguration()
    configuration.manifest = PersistedManifest(hashing: [])
    let message =
      "PersistedOperationsExchange stands below SubscriptionExchange, which sends the text of its"
      + " operations, whatever the configuration says: place it above."
    func check(
      kinds: Set<GraphQLOperation.Kind> = [.subscription], _ expected: [String],
      _ change: (inout PersistedOperationsConfiguration) -> Void = { _ in }
    ) {
      var changed = configuration
      change(&changed)
      let subscription = SubscriptionExchange(socket, kinds: kinds)
      let persisted = PersistedOperationsExchange(changed)
      #expect(messages([.dedup, subscription, ComposeExchange([persisted]), fetch]) == expected)
      #expect(messages([.dedup, persisted, subscription, fetch]) == [])
    }
    check([])
    check([]) { $0.unregistered = .text }
    check([message]) { $0.unregistered = .refused }
    check([message]) { $0.automaticKinds = [.subscription] }
    check(kinds: [.query, .subscription], [message])
    check(kinds: [], []) { $0.unregistered = .refused }
  }

  @Test("An exchange of your own that suspends above the cache is reported by peek, once (Q3)")
  func suspending() async {
    let slow = InlineExchange { operation, forward in
      ResultStream { yield in await yield.all(forward(operation)) }
    }
    let client = client([slow, .documentCache, postServer()])
    #expect(diagnostics.withLock { $0.isEmpty })
    for _ in 1...2 { #expect(client.peek(postQuery()) == nil) }
    #expect(diagnostics.withLock { $0.map(\.code) } == [.chain])
    let fast = self.client([.dedup, .documentCache, postServer()])
    #expect(fast.peek(postQuery()) == nil)
    #expect(diagnostics.withLock { $0.count } == 1)
  }

  @Test("Polling without an interval is reported and refetches nothing (Q3)")
  func polling() async {
    let clock = ManualClock()
    let server = postServer()
    let client = client([
      RefreshExchange(every: .zero, clock: clock), .dedup, .documentCache, server,
    ])
    #expect(diagnostics.withLock { $0.map(\.code) } == [.chain])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    client.invalidate(types: "Post")
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
    #expect(server.operations.count == 2)
    #expect(clock.sleeperCount == 0)
  }

  @Test("An operation that is passed to the wrong method is refused and not sent (Q4)")
  func kinds() async {
    let server = postServer()
    let client = client([server])
    let changes = GraphQLOperation("subscription Changes { post { id } }")
    #expect(
      await client.mutate(postQuery()).error?.message
        == "The query Post was passed to mutate: use query.")
    for stream in [
      client.subscribe(postQuery()), client.subscribe(updatePost), client.watch(updatePost),
      client.watch(changes), client.results(of: updatePost),
    ] {
      var codes: [OperationError.Code?] = []
      for await result in stream { codes.append(result.error?.code) }
      #expect(codes == [.document])
    }
    #expect(server.operations.isEmpty)
  }

  @Test("A document with two operations of one name is a defect (Q4)")
  func repeatedName() async {
    let client = client([postServer()])
    let operation = GraphQLOperation("query A { a } query A { b } query B { c }", name: "B")
    #expect(
      await client.query(operation).error?.message
        == "The document contains several operations named A.")
  }
}
