import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Entities through the whole chain.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct NormalizedExchangeTests {
  static let list = GraphQLOperation("{ todos { id text author { id name } } }")
  static let listData = #"""
    {"todos":[
      {"__typename":"Todo","id":"1","text":"a","author":{"__typename":"Author","id":"7","name":"Ann"}},
      {"__typename":"Todo","id":"2","text":"b","author":{"__typename":"Author","id":"7","name":"Ann"}}
    ]}
    """#

  static func server() -> ScriptedExchange {
    ScriptedExchange.immediate { operation in
      if operation.kind == .mutation {
        return .data(#"{"rename":{"__typename":"Author","id":"7","name":"Beth"}}"#)
      }
      if operation.text.contains("first:") {
        return .data(#"{"firstTodo":{"__typename":"Todo","id":"1","text":"a"}}"#)
      }
      return .data(listData)
    }
  }

  @Test("An entity that one operation updates is updated in other operations' results (N1)")
  func sharedEntities() async {
    let server = Self.server()
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    let first = await client.query(Self.list)
    #expect(first.outcome == .miss)
    #expect(first.data?["todos"]?.count == 2)
    let renamed = await client.mutate(
      GraphQLOperation(#"mutation { rename(id: 7, name: "Beth") { id name } }"#))
    #expect(renamed.error == nil)
    let second = await client.query(Self.list)
    #expect(second.outcome == .hit)
    #expect(second.data?["todos"]?[1]?["author"]?["name"]?.string == "Beth")
    #expect(server.operations.count == 2)
  }

  @Test("A cold query executes the chain below dedup once (D1)")
  func coldQuery() async {
    let executions = Locked(0)
    let counting = InlineExchange { operation, forward in
      executions.withLock { $0 += 1 }
      return forward(operation)
    }
    let client = GraphQLClient([.dedup, counting, .cache(StoreKind.store()), Self.server()])
    #expect(await client.query(Self.list).outcome == .miss)
    #expect(executions.withLock { $0 } == 1)
    #expect(await client.query(Self.list).outcome == .hit)
    #expect(executions.withLock { $0 } == 2)
  }

  @Test("An unchanged result is returned again without reading the clock (N3.5)")
  func unchangedHit() async {
    let clock = CountingClock()
    let server = Self.server()
    let store = StoreKind.store(clock: clock)
    let client = GraphQLClient([.dedup, .cache(store), server])
    let first = await client.query(Self.list)
    _ = await client.query(Self.list)
    let looks = clock.looks
    for _ in 0..<3 {
      let again = await client.query(Self.list)
      #expect(again.outcome == .hit && again.data == first.data && !again.isStale)
    }
    if StoreKind.current != .file { #expect(clock.looks == looks) }
    // An execution with a maximum age is checked, and so is one after any change.
    let aged = await client.query(Self.list.with { $0.maximumAge = .zero })
    #expect(clock.looks > looks && aged.data != nil)
    client.invalidate(Self.list)
    let requests = server.operations.count
    #expect(await client.query(Self.list).outcome == .miss)
    #expect(server.operations.count == requests + 1)
    client.switchSession()
    #expect(client.peek(Self.list) == nil)
  }

  @Test("A watch shows what a mutation changes, without a refetch (N4)")
  func watch() async {
    let server = Self.server()
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    var results = client.watch(Self.list).makeAsyncIterator()
    let first = await results.next()
    #expect(first?.data?["todos"]?[0]?["author"]?["name"]?.string == "Ann")
    async let mutation = client.mutate(
      GraphQLOperation(#"mutation { rename(id: 7, name: "Beth") { id name } }"#))
    let second = await results.next()
    #expect(second?.data?["todos"]?[0]?["author"]?["name"]?.string == "Beth")
    #expect(second?.isStale == false)
    #expect(await mutation.data != nil)
    #expect(server.operations.count == 2)
  }

  @Test("An invalidated type is refetched, and shown as stale meanwhile (N4.2)")
  func invalidation() async {
    let server = Self.server()
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), server])
    var results = client.watch(Self.list).makeAsyncIterator()
    _ = await results.next()
    client.invalidate(types: "Author")
    let stale = await results.next()
    #expect(stale?.isStale == true)
    let fresh = await results.next()
    #expect(fresh?.isStale == false)
    #expect(fresh?.data == stale?.data)
    #expect(server.operations.count == 2)
  }

  @Test("A cacheOnly query misses if a field is missing, and hits when it has arrived (N3.1, Q2)")
  func cacheOnly() async {
    let client = GraphQLClient([.dedup, .cache(StoreKind.store()), Self.server()])
    let operation = Self.list.with { $0.requestPolicy = .cacheOnly }
    var results = client.watch(operation).makeAsyncIterator()
    let miss = await results.next()
    #expect(miss?.data == nil)
    #expect(miss?.error?.code == .notCached)
    async let other = client.query(Self.list)
    let hit = await results.next()
    #expect(hit?.data?["todos"]?.count == 2)
    #expect(await other.data != nil)
  }
}

/// Counts how often it is read.
private final class CountingClock: Clock {
  private let count = Locked(0)

  var looks: Int { count.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  var now: ContinuousClock.Instant {
    count.withLock { $0 += 1 }
    return .now
  }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await Task.sleep(until: deadline, tolerance: tolerance, clock: .continuous)
  }
}
