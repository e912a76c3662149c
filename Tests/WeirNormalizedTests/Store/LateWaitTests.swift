import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// A watch that starts its wait late.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct LateWaitTests {
  @Test("A watch that is superseded before it waits runs once more and then waits (N4.1)")
  func overtakenBeforeWaiting() async throws {
    let store = try StoreTests.store()
    let executions = Locked(0)
    let client = GraphQLClient([
      InlineExchange { operation, forward in
        executions.withLock { $0 += 1 }
        return forward(operation)
      }, .cache(store), ScriptedExchange { _ in .failure("no") },
    ])
    var watch = client.watch(StoreTests.todos).makeAsyncIterator()
    #expect(await watch.next()?.data?["todos"]?.count == 2)
    let card = try GraphQLFragment("fragment Card on Todo { text }")
    func rename(to text: String) throws {
      try store.update { transaction in
        try transaction.update(card, of: Entity("Todo", id: "1")) { $0["text"] = .string(text) }
      }
    }
    try rename(to: "x")
    #expect(await watch.next()?.data?["todos"]?[0]?["text"]?.string == "x")
    async let third = watch.next()
    for _ in 0..<50 { await Task.yield() }
    try rename(to: "y")
    #expect(await third?.data?["todos"]?[0]?["text"]?.string == "y")
    #expect(executions.withLock { $0 } <= 4)
  }

  @Test(
    "A watch that waits late sees what others have read in the meantime (N4.1)",
    arguments: ["changed", "removed", "taken back"])
  func readMeanwhile(_ change: String) async throws {
    let store = try StoreTests.store()
    let server = ScriptedExchange { _ in
      .data(#"{"todos":[{"__typename":"Todo","id":"1","text":"fetched"}]}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    var watch = client.watch(StoreTests.todos).makeAsyncIterator()
    var stored = store.watch(StoreTests.todos).makeAsyncIterator()
    #expect(await watch.next()?.data?["todos"]?.count == 2)
    #expect(await stored.next()??["todos"]?.count == 2)
    switch change {
    case "changed":
      try store.write(["todos": []], for: StoreTests.todos)
      #expect(store.read(StoreTests.todos)?["todos"]?.count == 0)
      #expect(await watch.next()?.data?["todos"]?.count == 0)
      #expect(await stored.next()??["todos"]?.count == 0)
    case "removed":
      try store.update { $0.remove(.entity(Entity("Todo", id: "2"))) }
      #expect(store.read(StoreTests.todos) == nil)
      #expect(await stored.next() == .some(nil))
      #expect(await watch.next()?.isStale == true)
      #expect(await watch.next()?.data?["todos"]?.count == 1)
    default:
      let layer = try #require(
        store.addLayer { try $0.write(["todos": []], for: StoreTests.todos) })
      #expect(client.peek(StoreTests.todos)?.data?["todos"]?.count == 0)
      #expect(await watch.next()?.data?["todos"]?.count == 0)
      store.removeLayer(layer)
      #expect(client.peek(StoreTests.todos)?.data?["todos"]?.count == 2)
      #expect(await watch.next()?.data?["todos"]?.count == 2)
    }
  }

  @Test(
    "A watch that waits late learns that its data has become stale (N8.1)",
    arguments: [false, true])
  func staleMeanwhile(isRead: Bool) async throws {
    let fixture = AgeTests.Fixture { $0.timeToLive["Todo"] = .seconds(10) }
    var watch = fixture.client.watch(AgeTests.query).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    for change in ["time", "hand"] {
      let count = fixture.server.operations.count
      if change == "time" {
        fixture.clock.advance(by: .seconds(11))
      } else {
        fixture.client.invalidate(types: "Todo")
      }
      if isRead { #expect(fixture.store.read(AgeTests.query) != nil) }
      var result = await watch.next()
      // Until fresh data arrives, a stale result is shown.
      if result?.isStale == true { result = await watch.next() }
      #expect(result?.isStale == false)
      #expect(fixture.server.operations.count == count + 1)
    }
  }

  @Test("A watch of data that expires immediately does not refetch endlessly (N8.1)")
  func staleAtOnce() async throws {
    let fixture = AgeTests.Fixture(maximumAge: .zero) { $0.heedsCacheControl = true }
    var watch = fixture.client.watch(AgeTests.query).makeAsyncIterator()
    #expect(await watch.next()?.data != nil)
    async let next = watch.next()
    for _ in 0..<100 { await Task.yield() }
    #expect(fixture.server.operations.count <= 2)
    try fixture.store.write(ConnectionTests.json(#"{"todos":[]}"#), for: AgeTests.query)
    #expect(await next?.data?["todos"]?.count == 0)
  }

  @Test(
    "A change in the middle of a read is shown by the next read (N4.1)",
    .not(.file, because: "it tests the reuse of data in memory"))
  func changedWhileRead() async throws {
    let interruption = Locked<(@Sendable () -> Void)?>(nil)
    var configuration = NormalizedCacheConfiguration()
    configuration.fields["Todo.shout", default: FieldPolicy()].computed = ComputedField(
      from: ["text"]
    ) { todo in
      // When the second one is read, the first one has been read already.
      let isSecond = todo["text"]?.string?.hasPrefix("b") == true
      let interrupt = interruption.withLock { interruption in
        defer { if isSecond { interruption = nil } }
        return isSecond ? interruption : nil
      }
      interrupt?()
      return .string(todo["text"]?.string?.uppercased() ?? "")
    }
    let store = try StoreTests.store(configuration)
    let one = GraphQLOperation("{ todo { id text } }")
    @Sendable func rename(_ id: String, to text: String) throws {
      try store.write(
        ["todo": ["__typename": "Todo", "id": .string(id), "text": .string(text)]],
        for: one)
    }
    func texts(_ data: JSON?) -> [String?]? { data?["todos"]?.elements.map { $0["shout"]?.string } }

    let operation = GraphQLOperation("{ todos { id text shout } }")
    interruption.withLock { $0 = { try? rename("1", to: "a2") } }
    #expect(texts(store.read(operation)) == ["A", "B"])
    #expect(texts(store.read(operation)) == ["A2", "B"])

    let client = GraphQLClient([.cache(store), ScriptedExchange { _ in .failure("no") }])
    var watch = client.watch(operation).makeAsyncIterator()
    #expect(texts(await watch.next()?.data) == ["A2", "B"])
    async let woken = watch.next()
    for _ in 0..<50 { await Task.yield() }
    interruption.withLock { $0 = { try? rename("1", to: "a3") } }
    try rename("2", to: "b2")
    // Over a file the data may be read once more before it is shown.
    var shown = texts(await woken?.data)
    if shown == ["A2", "B2"] { shown = texts(await watch.next()?.data) }
    #expect(shown == ["A3", "B2"])
  }
}
