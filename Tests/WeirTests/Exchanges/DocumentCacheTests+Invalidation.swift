import Testing
import Weir
import WeirTesting

extension DocumentCacheTests {
  // MARK: - Mutations and events (C3, C4, C6)

  @Test(
    "A failed mutation invalidates nothing; with partial data, only the types in it (C3)",
    arguments: [
      (#"{"a":{"id":"1","__typename":"Post"}}"#, false, true),
      (#"{"a":{"id":"1","__typename":"Post"}}"#, true, true),
      (#"{"a":null}"#, true, false),
      ("null", true, false),
    ])
  func failedMutation(data: String, hasErrors: Bool, invalidates: Bool) async {
    let server = ScriptedExchange { operation in
      if operation.kind == .query { return post("title") }
      let error = OperationError(graphQLErrors: [GraphQLError(message: "no")])
      guard data != "null" else { return OperationResult(error: error) }
      return .data(data, errors: hasErrors ? error.graphQLErrors : [])
    }
    let client = GraphQLClient([.dedup, .documentCache, server])
    _ = await client.query(postQuery())
    _ = await client.mutate(
      GraphQLOperation("mutation { a { id } }").with {
        if data == "null" { $0.additionalTypenames = ["Post"] }
      })
    #expect((client.peek(postQuery()) == nil) == invalidates)
  }

  @Test(
    "Subscription events invalidate by their types only if configured to (C6)",
    arguments: [false, true])
  func events(byType: Bool) async {
    var configuration = DocumentCacheConfiguration()
    configuration.subscriptionsInvalidateByType = byType
    let server = ScriptedExchange { _ in post("title") }
    let client = GraphQLClient([.dedup, .documentCache(configuration), server])
    _ = await client.query(postQuery())
    _ = await client.subscribe(GraphQLOperation("subscription { post { id } }")).all()
    #expect((client.peek(postQuery()) == nil) == byType)
  }

  @Test(
    "An event with an object drops a list that came back empty, if events invalidate by type (C6)",
    arguments: [(true, true), (true, false), (false, true)])
  func eventsAndEmptyLists(byType: Bool, hasObject: Bool) async {
    var configuration = DocumentCacheConfiguration()
    configuration.subscriptionsInvalidateByType = byType
    let (client, _) = client(
      [
        "Todos": #"{"todos":[]}"#, "Tick": #"{"tick":1}"#,
        "Added": #"{"todoAdded":{"id":"1","__typename":"Todo"}}"#,
      ],
      cache: DocumentCacheExchange(configuration))
    _ = await client.query(Self.todos)
    let subscription =
      hasObject
      ? GraphQLOperation("subscription Added { todoAdded { id } }")
      : GraphQLOperation("subscription Tick { tick }")
    _ = await client.subscribe(subscription).all()
    #expect((client.peek(Self.todos) == nil) == (byType && hasObject))
  }

  /// Posts as a mutation adds them one by one, the last ones with an author.
  private static func added(_ count: Int) -> String {
    let posts = (1...count).map {
      let author = $0 < 3 ? "null" : #"{"id":"1","__typename":"User"}"#
      return #"{"id":"\#($0)","__typename":"Post","author":\#(author)}"#
    }
    return #"{"add":[\#(posts.joined(separator: ","))]}"#
  }

  @Test(
    "The results of a streamed mutation invalidate what they add, and the last one everything (C3)",
    arguments: [false, true])
  func streamedMutation(isLost: Bool) async {
    let requests = Locked([String: Int]())
    let arrived = (1...5).map { _ in Gate() }
    let read = (1...5).map { _ in Gate() }
    let server = ScriptedExchange(streaming: { operation in
      guard operation.kind == .mutation else {
        requests.withLock { $0[operation.name ?? "", default: 0] += 1 }
        return .just(
          operation.name == "Post"
            ? post("title") : .data(#"{"u":{"id":"1","__typename":"User"}}"#))
      }
      return ResultStream { yield in
        for (index, gate) in read.enumerated() {
          yield(.data(Self.added(index + 1), hasNext: true))
          await gate.pass()
        }
        yield(isLost ? .failure("Lost.") : .data(Self.added(6)))
      }
    })
    let numbers = Counter()
    let above = InlineExchange { operation, forward in
      forward(operation).map { result in
        if operation.kind == .mutation, result.hasNext { arrived[numbers.next() - 1].open() }
        return result
      }
    }
    let client = GraphQLClient([above, .documentCache, server])
    let users = GraphQLOperation("query User { u { id } }")
    func readAll() async {
      for query in [postQuery(), users] { _ = await client.query(query) }
    }
    await readAll()
    async let result = client.mutate(GraphQLOperation("mutation { add { id author { id } } }"))
    for (arrived, read) in zip(arrived, read) {
      await arrived.pass()
      await readAll()
      read.open()
    }
    #expect(await (result.error != nil) == isLost)
    #expect(requests.withLock { $0 } == ["Post": 2, "User": 2])
    await readAll()
    #expect(requests.withLock { $0 } == ["Post": 3, "User": 3])
  }

  @Test("A mutation drops inactive entries and refetches active ones once (C4)")
  func activeAndInactive() async {
    let cache = DocumentCacheExchange()
    let server = postServer()
    let client = GraphQLClient([DedupExchange(), cache, server])
    _ = await client.query(postQuery("2"))
    let watcher = Watcher(client.watch(postQuery("1")))
    #expect(await watcher.next(1) == ["title 2"])
    #expect(cache.statistics.entryCount == 2)
    _ = await client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title 2 stale", "title 3"])
    #expect(cache.statistics.entryCount == 1 && cache.statistics.keyCount == 1)
  }

  // MARK: - By hand (C9)

  @Test(
    "Every way to invalidate wakes the watchers that it affects (C9)",
    arguments: ["type", "operation", "all"])
  func invalidations(way: String) async {
    let client = GraphQLClient([.dedup, .documentCache, postServer()])
    let watcher = Watcher(client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    client.invalidate(types: "Other")
    client.invalidate(postQuery("2"))
    switch way {
    case "type": client.invalidate(types: "Post", "Other")
    case "operation": client.invalidate(postQuery())
    default: client.clear()
    }
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
  }

  @Test(
    "Every way to invalidate supersedes a response in flight (C9)",
    arguments: ["type", "operation", "all"])
  func invalidationsInFlight(way: String) async {
    let gate = Gate()
    let server = postServer { _ in await gate.pass() }
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([DedupExchange(), cache, server])
    async let results = client.results(of: postQuery()).all()
    await server.received(1)
    switch way {
    case "type": client.invalidate(types: "Post")
    case "operation": client.invalidate(postQuery())
    default: client.clear()
    }
    gate.open()
    #expect(await results == ["title 1 stale", "title 2"])
    #expect(cache.statistics.requestsInFlight == 0)
  }
}
