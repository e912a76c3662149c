import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// A watch of the client shows changes while it waits for the response to its own request (W2, N6.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct InterimChangeTests {
  enum Cause: CaseIterable, Sendable { case cacheAndNetwork, invalidation, incompleteness }

  private let store = StoreKind.store()
  private let server: ScriptedExchange
  private let client: GraphQLClient
  /// The first answer to the query needs none.
  private let query = Gate()
  private let mutation = Gate()
  private let answer = Locked(OperationResult.data(OptimisticTests.renamed))
  private let refetched = Locked(OperationResult.data(Self.third))

  private static let third = OptimisticTests.data.replacing("\"b\"", with: "\"c\"")
  private static let optimistic = OptimisticTests.rename.with {
    $0.optimisticData = ["rename": ["__typename": "Todo", "id": "1", "text": "guess"]]
  }

  init() {
    let queries = Locked(0)
    server = ScriptedExchange { [query, mutation, answer, refetched] operation in
      guard operation.kind == .query else {
        await mutation.pass()
        return answer.withLock(\.self)
      }
      let isFirst = queries.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { return .data(OptimisticTests.data) }
      await query.pass()
      return refetched.withLock(\.self)
    }
    client = GraphQLClient([.dedup, .cache(store), server])
  }

  /// A watch that shows what is cached, and waits for the response to its request.
  private func waitingWatch(_ cause: Cause) async throws -> ResultStream.AsyncIterator {
    var operation = OptimisticTests.todos
    _ = await client.query(operation)
    if cause == .cacheAndNetwork { operation.context.requestPolicy = .cacheAndNetwork }
    var watch = client.watch(operation).makeAsyncIterator()
    var shown = await watch.next()
    switch cause {
    case .cacheAndNetwork: break
    case .invalidation:
      client.invalidate(operation)
      shown = await watch.next()
    case .incompleteness:
      try store.update {
        $0.remove(.field("text", of: Entity("Todo", id: "2")))
      }
      shown = await watch.next()
    }
    #expect(shown.map(Self.texts) == ["a", "b"] && shown?.isStale == true)
    // With a storage, the request leaves later.
    await server.received(2)
    return watch
  }

  private func write(_ id: String, _ text: String) throws {
    try store.write(
      ["todo": ["__typename": "Todo", "id": .string(id), "text": .string(text)]],
      for: GraphQLOperation("{ todo { id text } }"))
  }

  private static func texts(_ result: OperationResult) -> [String] {
    result.data?["todos"]?.elements.compactMap { $0["text"]?.string } ?? []
  }

  private func expect(
    _ texts: [String], isStale: Bool, _ watch: inout ResultStream.AsyncIterator,
    _ location: SourceLocation = #_sourceLocation
  ) async {
    let shown = await watch.next()
    #expect(shown.map(Self.texts) == texts, sourceLocation: location)
    #expect(shown?.isStale == isStale, sourceLocation: location)
  }

  @Test(
    "An optimistic result and the real one are shown before the response (N6.1)",
    arguments: [Cause.cacheAndNetwork, .invalidation])
  func optimistic(_ cause: Cause) async throws {
    var watch = try await waitingWatch(cause)
    async let result = client.mutate(Self.optimistic)
    await expect(["guess", "b"], isStale: true, &watch)
    mutation.open()
    await expect(["real", "b"], isStale: true, &watch)
    #expect(await result.error == nil)
    query.open()
    // The mutation is newer than the response.
    await expect(["real", "c"], isStale: false, &watch)
    #expect(server.operations.count == 3)
  }

  @Test("A failed mutation's optimistic result is gone before the response (N6.1)")
  func failure() async throws {
    var watch = try await waitingWatch(.cacheAndNetwork)
    answer.withLock { $0 = .failure("No.") }
    async let result = client.mutate(Self.optimistic)
    await expect(["guess", "b"], isStale: true, &watch)
    mutation.open()
    await expect(["a", "b"], isStale: true, &watch)
    #expect(await result.error != nil)
    query.open()
    await expect(["a", "c"], isStale: false, &watch)
  }

  @Test(
    "Each write is shown before the response, and beside the error if it fails (W2)",
    arguments: [Cause.cacheAndNetwork, .invalidation])
  func writes(_ cause: Cause) async throws {
    var watch = try await waitingWatch(cause)
    for text in ["x", "y"] {
      try write("1", text)
      await expect([text, "b"], isStale: true, &watch)
    }
    refetched.withLock { $0 = .failure("No.") }
    query.open()
    let shown = await watch.next()
    #expect(shown.map(Self.texts) == ["y", "b"] && shown?.error != nil)
  }

  @Test("While data is incomplete, the complete data from before stays (W2)")
  func incomplete() async throws {
    var watch = try await waitingWatch(.incompleteness)
    try write("1", "x")
    try write("2", "z")
    await expect(["x", "z"], isStale: true, &watch)
    query.open()
    await expect(["x", "z"], isStale: false, &watch)
  }

  @Test("A response is shown once, as fresh data, also by a watch that shares the request (W2)")
  func response() async throws {
    query.open()
    _ = await client.query(OptimisticTests.todos)
    for number in 0..<200 {
      refetched.withLock {
        $0 = .data(OptimisticTests.data.replacing("\"b\"", with: "\"\(number)\""))
      }
      let before = number == 0 ? "b" : "\(number - 1)"
      let operation = OptimisticTests.todos.with { $0.requestPolicy = .cacheAndNetwork }
      var first = client.watch(operation).makeAsyncIterator()
      var second = client.watch(operation).makeAsyncIterator()
      await expect(["a", before], isStale: true, &first)
      await expect(["a", "\(number)"], isStale: false, &first)
      // The second one may see the response in the store at once, as a hit that it asks the server for.
      while let shown = await second.next(), shown.isStale {
        #expect([["a", before], ["a", "\(number)"]].contains(Self.texts(shown)))
      }
    }
  }

  @Test("Data that expires during a request that fails is requested again (W1)")
  func expired() async throws {
    let (clock, held) = (ManualClock(), Gate())
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive = ["Todo": .seconds(5)]
    let store = StoreKind.store(configuration, clock: clock)
    let server = ScriptedExchange { _ in
      await held.pass()
      return .failure("No.")
    }
    try store.write(try JSON(parsing: OptimisticTests.data), for: OptimisticTests.todos)
    let client = GraphQLClient([.dedup, .cache(store), server])
    let operation = OptimisticTests.todos.with { $0.requestPolicy = .cacheAndNetwork }
    let task = Task {
      for await result in client.watch(operation) where result.error != nil { _ = result }
    }
    await clock.sleepers(1)
    clock.advance(by: .seconds(6))
    held.open()
    await server.received(2)
    task.cancel()
    await task.value
  }

  @Test("A watch whose chain delivers nothing but a stale hit asks again once (W4)")
  func nothing() async throws {
    let empty = ScriptedExchange(streaming: { _ in .just([]) })
    var configuration = NormalizedCacheConfiguration()
    configuration.timeToLive = ["Todo": .seconds(10)]
    configuration.staleWhileRevalidate = .seconds(60)
    let clock = ManualClock()
    let store = StoreKind.store(configuration, clock: clock)
    try store.write(try JSON(parsing: OptimisticTests.data), for: OptimisticTests.todos)
    clock.advance(by: .seconds(11))
    let client = GraphQLClient([.dedup, .cache(store), empty])
    var watch = client.watch(OptimisticTests.todos).makeAsyncIterator()
    #expect(await watch.next()?.isStale == true)
    // It ends, as nothing can refresh what it shows.
    #expect(await watch.next() == nil)
    #expect(empty.operations.count == 2)
  }

  @Test("A watch that waits for its response ends with its task, and with its session (C10)")
  func ends() async throws {
    let watch = try await waitingWatch(.cacheAndNetwork)
    let (isWaiting, hasEnded) = (Gate(), Gate())
    // Proof: only the task uses the iterator from here on.
    nonisolated(unsafe) var iterator = watch
    let task = Task {
      isWaiting.open()
      let next = await iterator.next()
      hasEnded.open()
      return next
    }
    await isWaiting.pass()
    task.cancel()
    await hasEnded.pass()
    #expect(await task.value == nil)
    query.open()
    var other = try await waitingWatch(.cacheAndNetwork)
    client.switchSession()
    let shown = await other.next()
    #expect(shown?.data == nil || shown?.isStale == false)
  }
}
