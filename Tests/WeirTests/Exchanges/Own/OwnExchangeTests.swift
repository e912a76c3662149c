import Testing
import Weir
import WeirTesting

/// The interface that exchanges outside the library build on.
@Suite("Parts for exchanges of your own", .timeLimit(.minutes(10)))
struct OwnExchangeTests {
  @Test("A deferred stream is made by each iteration, and never by peek (A5)")
  func deferred() async {
    let made = Counter()
    let own = InlineExchange { operation, forward in
      .deferred {
        _ = made.next()
        return forward(operation)
      }
    }
    let server = postServer()
    let client = GraphQLClient([own, server])
    #expect(client.peek(postQuery()) == nil)
    #expect(made.count == 0)
    let stream = client.results(of: postQuery())
    #expect(made.count == 0)
    #expect(await stream.all() == ["title 1"])
    #expect(await stream.all() == ["title 2"])
    #expect(made.count == 2)
  }

  @Test("The tags of all executions that share a request pass through a deferred stream (A5)")
  func tags() async {
    let own = InlineExchange { operation, forward in .deferred { forward(operation) } }
    let cache = DocumentCacheExchange()
    let client = await clientThatSharedRequest([own, cache])
    // A deferred stream has no immediate result, so another chain looks into the cache.
    let cached = GraphQLClient([cache])
    #expect(cached.peek(postQuery()) != nil)
    client.invalidate(types: "Feed")
    #expect(cached.peek(postQuery()) == nil)
  }

  @Test("Tags that an exchange adds between dedup and the cache count (C2, D3)")
  func addedTags() async {
    let tagging = MapExchange(operation: { operation in
      operation.with { $0.additionalTypenames.insert("Added") }
    })
    for name in ["Added", "Feed"] {
      let cache = DocumentCacheExchange()
      let client = await clientThatSharedRequest([tagging, cache])
      // Without the exchange: a look-up would add the tag to the result, too.
      let cached = GraphQLClient([cache])
      #expect(cached.peek(postQuery()) != nil)
      client.invalidate(types: name)
      #expect(cached.peek(postQuery()) == nil, "\(name)")
    }
  }

  @Test("What a task of a body yields after the consumer has left is dropped (A5)")
  func yieldAfterConsumer() async {
    let yields = Board(0)
    let stream = ResultStream { yield in
      // Not cancelled with the body.
      await Task.detached {
        for _ in 0..<100 {
          yields.update { $0 += 1 }
          await yield.inTurn(post("title"))
        }
      }.value
    }
    for await _ in stream {
      // The next yields wait for the consumer.
      await yields.until { $0 >= 16 }
      break
    }
    await yields.until { $0 == 100 }
    #expect(yields.value == 100)
  }

  /// A sequence of one result that counts its iterators.
  private struct Counted: AsyncSequence, Sendable {
    typealias Failure = Never
    let iterators = Counter()
    func makeAsyncIterator() -> Iterator { Iterator(number: iterators.next()) }
    struct Iterator: AsyncIteratorProtocol {
      var number: Int?
      mutating func next(isolation: isolated (any Actor)?) async -> OperationResult? {
        number.take().map { post("title \($0)") }
      }
    }
  }

  @Test("A sequence that is read ahead is iterated once (A5)")
  func sequenceReadAhead() async {
    let sequence = Counted()
    let changes = RefreshSource()
    let own = InlineExchange { _, _ in
      let signal = changes.signal
      return ResultStream(sequence).map { $0.refreshed(by: signal) }
    }
    var watch = GraphQLClient([own]).watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 1")
    changes.fire()
    #expect(await watch.next()?.summary == "title 1 stale")
    #expect(await watch.next()?.summary == "title 2")
    let parts = ResultStream.starting(with: [post("first")]) { ResultStream(sequence) }
    #expect(await parts.all() == ["first", "title 3"])
    #expect(sequence.iterators.count == 3)
  }

  /// Streams whose results come from below, in ways that an exchange of your own may choose.
  private static let detours: [(name: String, make: @Sendable (ResultStream) -> ResultStream)] = [
    ("body", { stream in ResultStream { yield in await yield.all(stream) } }),
    ("starting", { stream in .starting(with: []) { stream } }),
    ("deferred", { stream in .deferred { stream } }),
  ]

  @Test(
    "The tags of all executions pass through whatever a deferred stream makes (A5, D3)",
    arguments: detours.indices, [true, false])
  func tagsOnDetours(index: Int, isDebugged: Bool) async {
    let detour = Self.detours[index]
    let own = InlineExchange { operation, forward in
      .deferred { detour.make(forward(operation)) }.map { $0 }
    }
    let cache = DocumentCacheExchange()
    let debug: [any Exchange] = isDebugged ? [.debug("flights") { _ in }] : []
    let client = await clientThatSharedRequest(debug + [own, cache])
    let cached = GraphQLClient([cache])
    #expect(cached.peek(postQuery()) != nil)
    client.invalidate(types: "Feed")
    #expect(cached.peek(postQuery()) == nil, "\(detour.name)")
  }

  @Test("Below a deferred stream, executions that refresh a hit share one request (A5, D1)")
  func refreshesBelowDeferredStream() async {
    let gate = Gate(isOpen: true)
    let server = postServer { _ in await gate.pass() }
    let dedup = DedupExchange()
    let own = InlineExchange { operation, forward in .deferred { forward(operation) } }
    let client = GraphQLClient([dedup, own, .documentCache, server])
    _ = await client.query(postQuery())
    gate.close()
    let refreshing = postQuery(policy: .cacheAndNetwork)
    let first = Watcher(client.results(of: refreshing))
    #expect(await first.next(1) == ["title 1 stale"])
    let second = Watcher(client.results(of: refreshing))
    await dedup.shares(2)
    gate.open()
    #expect(await first.next(2) == ["title 2"])
    #expect(await second.next(3) == ["title 1 stale", "title 2"])
    #expect(server.operations.count == 2)
  }

  @Test("A refetch asks for results from the instant on at which a signal has fired (A5)")
  func notBefore() async {
    let asked = Locked<[LogicalInstant]>([])
    let changes = RefreshSource()
    let own = InlineExchange { operation, forward in
      asked.withLock { $0.append(operation.context.notBefore) }
      let signal = changes.signal
      return forward(operation).map { $0.refreshed(by: signal) }
    }
    let client = GraphQLClient([own, postServer()])
    var watch = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.title == "title 1")
    #expect(changes.firedAt == .distantPast)
    let before = LogicalInstant.next()
    changes.fire()
    #expect(changes.firedAt > before)
    #expect(await watch.next()?.summary == "title 1 stale")
    #expect(await watch.next()?.summary == "title 2")
    #expect(asked.withLock { $0 } == [.distantPast, changes.firedAt])
  }

  @Test("A source calls its owner before each wait, and may fire then (A5)")
  func willWait() async {
    let waits = Counter()
    let source = RefreshSource { source in
      if waits.next() == 1 { source.fire() }
    }
    let own = InlineExchange { operation, forward in
      let signal = source.signal
      return forward(operation).map { $0.refreshed(by: signal) }
    }
    let client = GraphQLClient([own, postServer()])
    #expect(await client.query(postQuery()).title == "title 1")
    var watch = client.watch(postQuery()).makeAsyncIterator()
    #expect(await watch.next()?.summary == "title 2")
    #expect(waits.count == 0)
    #expect(await watch.next()?.summary == "title 2 stale")
    #expect(waits.count == 1)
    #expect(await watch.next()?.summary == "title 3")
    #expect(waits.count == 1)
  }

  @Test("Identities are equal if the operations ask for the same (A5)")
  func identity() {
    let german = postQuery().with { $0.headers["accept-language"] = "de" }
    var table = [postQuery("1").identity: "one", postQuery("2").identity: "two"]
    table[german.identity] = "eins"
    #expect(table.count == 3)
    #expect(table[postQuery("1", policy: .networkOnly).identity] == "one")
    #expect(table[german.with { $0.headers["traceparent"] = "x" }.identity] == "eins")
  }
}
