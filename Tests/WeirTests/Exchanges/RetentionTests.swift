import Testing
import Weir
import WeirTesting

/// An exchange below the document cache says how long a result may be kept.
@Suite(.timeLimit(.minutes(10)))
struct RetentionTests {
  struct Setup {
    let clock = ManualClock()
    let cache: DocumentCacheExchange
    let server = postServer()
    let client: GraphQLClient

    /// The limit applies to the post with the id 1.
    init(_ retention: Duration?, timeToLive: Duration? = nil, broken: Locked<Bool> = Locked(false))
    {
      var configuration = DocumentCacheConfiguration()
      configuration.timeToLive = timeToLive
      cache = DocumentCacheExchange(configuration, clock: clock)
      let one = postQuery("1").variables
      let limit = MapExchange(result: { operation, result in
        var result = broken.withLock { $0 } ? .failure("down") : result
        if operation.variables == one { result.retention = retention }
        return result
      })
      client = GraphQLClient([.dedup, cache, limit, server])
    }

    func title(_ id: String = "1", policy: RequestPolicy = .cacheFirst) async -> String? {
      await client.query(postQuery(id, policy: policy)).title
    }
  }

  @Test("A result that an exchange forbids to keep is requested each time, others are not (C12)")
  func nothing() async {
    let setup = Setup(.zero)
    #expect(await setup.title() == "title 1")
    #expect(setup.client.peek(postQuery()) == nil)
    #expect(await setup.title() == "title 2")
    #expect(await setup.title("2") == "title 3")
    #expect(await setup.title("2") == "title 3")
  }

  @Test("A result is served as long as an exchange allows, and no longer (C12)")
  func limited() async {
    let setup = Setup(.seconds(10))
    #expect(await setup.title() == "title 1")
    #expect(await setup.title("2") == "title 2")
    setup.clock.advance(by: .seconds(9))
    #expect(await setup.title() == "title 1")
    setup.clock.advance(by: .seconds(1))
    #expect(setup.client.peek(postQuery()) == nil)
    #expect(await setup.title() == "title 3")
    #expect(await setup.title("2") == "title 2")
  }

  @Test(
    "The shorter of the exchange's and the cache's own limits counts (C12)",
    arguments: [(10, 5), (5, 10)])
  func shortest(retention: Int, timeToLive: Int) async {
    let setup = Setup(.seconds(retention), timeToLive: .seconds(timeToLive))
    #expect(await setup.title() == "title 1")
    setup.clock.advance(by: .seconds(4))
    #expect(await setup.title() == "title 1")
    setup.clock.advance(by: .seconds(1))
    #expect(await setup.title() == "title 2")
  }

  @Test("Beside an error, too, a result is not shown for longer (C12)")
  func lastResort() async {
    let broken = Locked(false)
    let setup = Setup(.seconds(10), broken: broken)
    #expect(await setup.title() == "title 1")
    broken.withLock { $0 = true }
    #expect(await setup.title(policy: .networkFirst) == "title 1")
    setup.clock.advance(by: .seconds(10))
    #expect(await setup.title(policy: .networkFirst) == nil)
  }

  @Test("A watch of a result that is not kept follows mutations (C12)")
  func watch() async {
    let setup = Setup(.zero)
    let watcher = Watcher(setup.client.watch(postQuery()))
    #expect(await watcher.next(1) == ["title 1"])
    _ = await setup.client.mutate(updatePost)
    #expect(await watcher.next(2) == ["title 1 stale", "title 2"])
  }

  @Test("A snapshot keeps the limit (C12)")
  func snapshot() async throws {
    let setup = Setup(.seconds(10))
    #expect(await setup.title() == "title 1")
    let bytes = try JSON.encode(setup.cache.snapshot())
    let saved = try JSON(parsing: bytes).decode(DocumentCacheSnapshot.self)
    let clock = ManualClock()
    let cache = DocumentCacheExchange(clock: clock)
    #expect(cache.restore(saved) == 1)
    let client = GraphQLClient([cache, postServer()])
    #expect(client.peek(postQuery())?.title == "title 1")
    clock.advance(by: .seconds(10))
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("A limit stays with a result whose data or error an exchange changes (C12)")
  func changes() {
    var result = OperationResult.data(#"{"a":1}"#)
    #expect(result.retention == nil)
    result.retention = .seconds(3)
    result.error = .cancelled
    result.data = nil
    #expect(result.retention == .seconds(3))
    #expect(result.error == .cancelled)
  }
}
