import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Watches that have received an error, and what makes them try again.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct FailedWatchTests {
  private static let post = GraphQLOperation("{ post { id title } }")
  private static let data: JSONValue = [
    "post": ["__typename": "Post", "id": "1", "title": "written"]
  ]

  /// A server that fails when it gets certain requests, by number from 1. The titles count the requests.
  private static func server(failing numbers: Set<Int>, unstored: Int? = nil) -> ScriptedExchange {
    let count = Locked(0)
    return ScriptedExchange.immediate { operation in
      guard operation.kind == .query else { return .data(#"{"counter":1}"#) }
      let number = count.withLock { count in
        count += 1
        return count
      }
      if numbers.contains(number) { return .failure("Down.") }
      var result = OperationResult.data(
        #"{"post":{"__typename":"Post","id":"1","title":"\#(number)"}}"#)
      if number == unstored { result.retention = .zero }
      return result
    }
  }

  private func summary(_ result: OperationResult?) -> String {
    let title = result?.data?["post"]?["title"]?.string
    return [title, result?.error.map { _ in "error" }, result?.isStale == true ? "stale" : nil]
      .compactMap { $0 }.joined(separator: " ")
  }

  @Test(
    "The success of another execution ends the error that a watch shows, also with equal data (N4.1)",
    arguments: [RequestPolicy.cacheAndNetwork, .networkOnly, .networkFirst])
  func success(policy: RequestPolicy) async throws {
    let fails = Locked(false)
    let server = ScriptedExchange.immediate { _ in
      fails.withLock(\.self)
        ? .failure("Down.") : .data(#"{"post":{"__typename":"Post","id":"1","title":"same"}}"#)
    }
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    _ = await client.query(Self.post)
    fails.withLock { $0 = true }
    var watch = client.watch(Self.post.with { $0.requestPolicy = policy }).makeAsyncIterator()
    var shown = await watch.next()
    while shown?.error == nil { shown = await watch.next() }
    async let next = watch.next()
    fails.withLock { $0 = false }
    _ = await client.query(Self.post.with { $0.requestPolicy = .networkOnly })
    #expect(await summary(next) == "same")
  }

  @Test(
    "A watch depends on all that it shows, also behind a field that has failed (N4.1, N4.2)",
    arguments: [
      #"{"me":null,"todos":[{"__typename":"Todo","id":"1","text":"old"}]}"#,
      #"{"todos":[null,{"__typename":"Todo","id":"1","text":"old"}],"me":{"id":"2"}}"#,
    ])
  func behindAFailure(data: String) async throws {
    let path: [GraphQLError.PathElement] =
      data.hasPrefix(#"{"me":null"#) ? [.key("me")] : [.key("todos"), .index(0)]
    let server = ScriptedExchange.immediate { operation in
      guard operation.kind == .query else {
        return .data(#"{"rename":{"__typename":"Todo","id":"1","text":"new"}}"#)
      }
      var result = OperationResult.data(data)
      result.error = OperationError(graphQLErrors: [GraphQLError(message: "No.", path: path)])
      return result
    }
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    let query = GraphQLOperation(
      data.hasPrefix(#"{"me"#)
        ? "{ me { id } todos { id text } }" : "{ todos { id text } me { id } }")
    var watch = client.watch(query).makeAsyncIterator()
    #expect(await watch.next()?.error != nil)
    async let next = watch.next()
    _ = await client.mutate(GraphQLOperation("mutation { rename(id: 1) { id text } }"))
    #expect(await next != nil)
    await server.received(3)
    #expect(server.operations.count { $0.kind == .query } == 2)
  }

  enum Cause: CaseIterable { case operation, types, missedEvents }

  @Test(
    "An invalidation makes a watch whose first request has failed try again (N4.1, W3)",
    arguments: Cause.allCases)
  func invalidated(by cause: Cause) async throws {
    let server = Self.server(failing: [1])
    let client = GraphQLClient([.dedup, .cache(StoreKind.store(clock: ManualClock())), server])
    var events = client.subscribe(GraphQLOperation("subscription { counter }"))
      .makeAsyncIterator()
    _ = await events.next()
    var watch = client.watch(Self.post).makeAsyncIterator()
    #expect(summary(await watch.next()) == "error")
    switch cause {
    case .operation: client.invalidate(Self.post)
    case .types: client.invalidate(types: "Post")
    case .missedEvents:
      let subscription = server.operations.first { $0.kind == .subscription }
      let reconnected = try #require(subscription?.context.missedEvents)
      reconnected()
    }
    #expect(summary(await watch.next()) == "2")
  }

  @Test("An invalidation before a watch waits is not answered by an earlier failure (N4.1, W3)")
  func invalidatedBeforeWait() async throws {
    let server = Self.server(failing: [1])
    let store = StoreKind.store()
    let client = GraphQLClient([.dedup, .cache(store), server])
    try store.write(Self.data, for: Self.post)
    client.invalidate(types: "Post")
    var watch = client.watch(Self.post.with { $0.requestPolicy = .networkFirst })
      .makeAsyncIterator()
    #expect(summary(await watch.next()) == "written error")
    // Another operation with the same field of the root.
    client.invalidate(GraphQLOperation("{ post { id } }"))
    #expect(summary(await watch.next()) == "written error stale")
    #expect(summary(await watch.next()) == "2")
  }

  enum Source: CaseIterable { case write, query, event }

  @Test(
    "A watch whose first request fails shows data that has come meanwhile, without a request (N4.2, W2)",
    arguments: Source.allCases)
  func cameMeanwhile(from source: Source) async throws {
    let store = StoreKind.store()
    let held = Gate()
    let server = ScriptedExchange { operation in
      let todo = #"{"__typename":"Post","id":"1","title":"written"}"#
      if operation.kind == .subscription { return .data(#"{"changed":\#(todo)}"#) }
      guard operation.name == "Held" else { return .data(#"{"post":\#(todo)}"#) }
      await held.pass()
      return .failure("Down.")
    }
    let client = GraphQLClient([.dedup, .cache(store), server])
    let query = GraphQLOperation("query Held { post { id title } }")
    var watch = client.watch(query).makeAsyncIterator()
    async let first = watch.next()
    await server.received(1)
    switch source {
    case .write: try store.write(Self.data, for: Self.post)
    case .query: _ = await client.query(Self.post)
    case .event:
      try store.write(
        ["post": ["__typename": "Post", "id": "1"]], for: GraphQLOperation("{ post { id } }"))
      for await _ in client.subscribe(GraphQLOperation("subscription { changed { id title } }")) {}
    }
    held.open()
    #expect(summary(await first) == "error")
    #expect(summary(await watch.next()) == "written")
    async let next = watch.next()
    try store.write(
      ["post": ["__typename": "Post", "id": "1", "title": "again"]], for: Self.post)
    #expect(summary(await next) == "again")
    #expect(server.operations.count { $0.name == "Held" } == 1)
  }

  @Test("An older response does not make watches repeat a newer request that has failed (N4.1, W3)")
  func olderResponse() async {
    let (count, slow) = (Locked(0), Gate())
    let server = ScriptedExchange { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 2 { await slow.pass() }
      return number == 3
        ? .failure("Down.") : .data(#"{"post":{"__typename":"Post","id":"1","title":"old"}}"#)
    }
    let (refreshed, refresh) = AsyncStream.makeStream(of: Void.self)
    let client = GraphQLClient([.refresh(on: refreshed), .cache(StoreKind.store()), server])
    var first = client.watch(Self.post).makeAsyncIterator()
    var second = client.watch(Self.post).makeAsyncIterator()
    #expect(summary(await first.next()) == "old")
    #expect(summary(await second.next()) == "old")
    async let older = client.query(Self.post.with(.networkOnly))
    await server.received(2)
    refresh.yield()
    while await first.next()?.error == nil {}
    slow.open()
    _ = await older
    var last = await second.next()
    while last?.isStale == true { last = await second.next() }
    #expect(summary(last) == "old error")
    #expect(server.operations.count == 3)
  }

  @Test("A failure before a success that is not stored answers no watch (N4.1, W3)")
  func unstoredSuccess() async {
    let server = Self.server(failing: [2], unstored: 3)
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    var watch = client.watch(Self.post).makeAsyncIterator()
    var slow = client.watch(Self.post).makeAsyncIterator()
    #expect(summary(await watch.next()) == "1")
    #expect(summary(await slow.next()) == "1")
    client.invalidate(Self.post)
    #expect(summary(await watch.next()) == "1 stale")
    #expect(summary(await watch.next()) == "1 error")
    let newest = await client.query(Self.post.with(.networkOnly))
    #expect(summary(newest) == "3")
    #expect(summary(await slow.next()) == "1 stale")
    #expect(summary(await slow.next()) == "4")
  }

  @Test("If an exchange sets cacheOnly, a query for which nothing is cached has an error (P)")
  func cacheOnlyOfExchange() async {
    let only = MapExchange(operation: { $0.with(.cacheOnly) })
    let client = GraphQLClient([
      only, .dedup, .cache(StoreKind.store()), Self.server(failing: []),
    ])
    #expect(await client.query(Self.post).error?.code == .notCached)
  }
}
