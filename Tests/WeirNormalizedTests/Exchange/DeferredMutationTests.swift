import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Mutations whose results arrive in parts.
@Suite("Deferred parts of a mutation", .timeLimit(.minutes(10)), .overStorages)
struct DeferredMutationTests {
  private static let post = GraphQLOperation("{ post { id title likes } }")
  private static let like = GraphQLOperation(
    "mutation { like { id title ... @defer { likes } } }")

  /// Sends the second part when the gate opens.
  private static func server(_ gate: Gate) -> ScriptedExchange {
    ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(.data(#"{"like":{"__typename":"Post","id":"1","title":"b"}}"#, hasNext: true))
        await gate.pass()
        yield(.data(#"{"like":{"__typename":"Post","id":"1","title":"b","likes":7}}"#))
      }
    })
  }

  /// Opens a gate when the cache below has received the first part.
  private static func opening(_ gate: Gate) -> MapExchange {
    MapExchange(result: { _, result in
      if result.hasNext { gate.open() }
      return result
    })
  }

  private static func store(
    _ configuration: NormalizedCacheConfiguration = NormalizedCacheConfiguration()
  ) throws -> NormalizedStore {
    let store = StoreKind.store(configuration)
    try store.write(
      ["post": ["__typename": "Post", "id": "1", "title": "a", "likes": 1]], for: post)
    return store
  }

  @Test("The optimistic result stays until the last part has arrived (N6.1, N6.3)")
  func optimistic() async throws {
    let store = try Self.store()
    let (firstPart, lastPart) = (Gate(), Gate())
    let client = GraphQLClient([
      Self.opening(firstPart), .cache(store), Self.server(lastPart),
    ])
    async let result = client.mutate(
      Self.like.with {
        $0.optimisticData = [
          "like": ["__typename": "Post", "id": "1", "title": "b", "likes": 2]
        ]
      })
    await firstPart.pass()
    #expect(store.read(Self.post)?["post"]?["likes"]?.int == 2)
    lastPart.open()
    _ = await result
    #expect(store.read(Self.post)?["post"]?["likes"]?.int == 7)
  }

  @Test("The update of a policy runs once for all parts of a result (N5.3, N6.3)")
  func update() async throws {
    let cart = GraphQLOperation("{ cart { id count } }")
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["like"] = MutationPolicy { _, transaction in
      try transaction.update(cart) { data in
        guard let count = data["cart"]?["count"]?.int else { return }
        data["cart"]?["count"] = .int(count + 1)
      }
    }
    let store = try Self.store(configuration)
    try store.write(["cart": ["__typename": "Cart", "id": "1", "count": 1]], for: cart)
    let client = GraphQLClient([.cache(store), Self.server(Gate(isOpen: true))])
    _ = await client.mutate(Self.like)
    #expect(store.read(cart)?["cart"]?["count"]?.int == 2)
  }

  @Test("An optimistic closure does not count on from a part of its own result (N6.1, N6.3)")
  func closure() async throws {
    let likes = try GraphQLFragment("fragment Likes on Post { likes }")
    var configuration = NormalizedCacheConfiguration()
    var policy = MutationPolicy()
    policy.optimistic = { _, store in
      let count = store.read(likes, of: Entity("Post", id: "1"))?["likes"]?.int ?? 0
      return ["__typename": "Post", "id": "1", "title": "b", "likes": .int(count + 1)]
    }
    configuration.mutations["like"] = policy
    let store = try Self.store(configuration)
    let (firstPart, lastPart) = (Gate(), Gate())
    let client = GraphQLClient([
      Self.opening(firstPart), .cache(store),
      ScriptedExchange(streaming: { _ in
        ResultStream { yield in
          yield(.data(#"{"like":{"__typename":"Post","id":"1","likes":7}}"#, hasNext: true))
          await lastPart.pass()
          yield(.data(#"{"like":{"__typename":"Post","id":"1","title":"c","likes":7}}"#))
        }
      }),
    ])
    async let result = client.mutate(
      GraphQLOperation("mutation { like { id likes ... @defer { title } } }"))
    await firstPart.pass()
    let shown = store.read(Self.post)?["post"]
    #expect(shown?["likes"]?.int == 7 && shown?["title"]?.string == "b")
    lastPart.open()
    _ = await result
    #expect(store.read(Self.post)?["post"]?["title"]?.string == "c")
  }

  @Test("An event of a subscription runs the update of a policy, although more may follow (N6.1)")
  func events() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["liked"] = MutationPolicy { _, transaction in
      try transaction.update(Self.post) { $0["post"]?["title"] = "liked" }
    }
    let store = try Self.store(configuration)
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        for likes in 2...3 {
          yield(
            .data(#"{"liked":{"__typename":"Post","id":"1","likes":\#(likes)}}"#, hasNext: true))
        }
      }
    })
    let client = GraphQLClient([.cache(store), server])
    for await _ in client.subscribe(GraphQLOperation("subscription { liked { id likes } }")) {}
    #expect(store.read(Self.post)?["post"]?["title"]?.string == "liked")
  }

  private struct Events: SubscriptionTransport {
    let events: SubscriptionEvents
    func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents { events }
  }

  /// How often a policy runs for two events that loops share.
  private func policyRuns(loops count: Int) async throws -> Int {
    let runs = Locked(0)
    var configuration = NormalizedCacheConfiguration()
    configuration.mutations["liked"] = MutationPolicy { _, _ in runs.withLock { $0 += 1 } }
    let store = try Self.store(configuration)
    let (events, server) = AsyncStream.makeStream(of: JSON.self)
    let client = GraphQLClient([
      .sharedSubscriptions, .dedup, .cache(store),
      .subscription(Events(events: SubscriptionEvents(events))),
    ])
    let (joined, join) = AsyncStream.makeStream(of: Void.self)
    let liked = GraphQLOperation("subscription { liked { id likes } }").with { context in
      context.onConnectionChange { _ in join.yield() }
    }
    let loops = (0..<count).map { _ in
      Task { await client.subscribe(liked).reduce(0) { count, _ in count + 1 } }
    }
    for await _ in joined.prefix(count) {}
    for likes in 2...3 {
      server.yield(
        try JSON(
          parsing: #"{"data":{"liked":{"__typename":"Post","id":"1","likes":\#(likes)}}}"#))
    }
    server.finish()
    for loop in loops { #expect(await loop.value == 2) }
    return runs.withLock { $0 }
  }

  @Test("Loops that share a subscription run the policies of its events as one does (D7, N6.1)")
  func sharedEvents() async throws {
    #expect(try await policyRuns(loops: 3) == policyRuns(loops: 1))
  }

  @Test("A field that a policy both writes and refreshes is requested again (N5.4)")
  func refreshAfterUpdate() async throws {
    var configuration = NormalizedCacheConfiguration()
    var policy = MutationPolicy { _, transaction in
      try transaction.update(Self.post) { $0["post"]?["likes"] = 9 }
    }
    policy.refreshes = ["Query.post"]
    configuration.mutations["like"] = policy
    let store = try Self.store(configuration)
    let server = ScriptedExchange { _ in
      .data(#"{"like":{"__typename":"Post","id":"1","title":"b","likes":7}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    _ = await client.mutate(Self.like)
    #expect(client.peek(Self.post)?.isStale == true)
  }

  @Test("Lists become stale with the last part of a result, once (N5.4, N6.3)")
  func lists() async {
    let list = GraphQLOperation("{ posts { id } }")
    let gate = Gate()
    let mutation = Self.server(gate)
    let server = InlineExchange { operation, forward in
      operation.kind == .mutation
        ? mutation.execute(operation, forward: forward)
        : .just(.data(#"{"posts":[{"__typename":"Post","id":"2"}]}"#))
    }
    let firstPart = Gate()
    let client = GraphQLClient([Self.opening(firstPart), .cache(StoreKind.store()), server])
    _ = await client.query(list)
    async let result = client.mutate(Self.like)
    await firstPart.pass()
    #expect(await client.query(list).outcome == .hit)
    gate.open()
    #expect(await result.error == nil)
    #expect(await client.query(list).outcome == .miss)
    #expect(await client.query(list).outcome == .hit)
  }
}
