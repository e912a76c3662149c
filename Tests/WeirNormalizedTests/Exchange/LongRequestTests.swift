import Testing
import Weir
@testable import WeirNormalized
@testable import WeirRecords
import WeirTesting

/// What a store remembers while a request is in flight for hours, and of names that a server has made up.
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct LongRequestTests {
  @Test("What was invalidated while one request is in flight is noted once (N8.3)")
  func invalidations() async throws {
    let (gate, store) = (Gate(), StoreKind.store())
    let server = ScriptedExchange { operation in
      if operation.text.contains("c") { return .data(#"{"c":1}"#) }
      await gate.pass()
      return .data(operation.text.contains("b") ? #"{"b":1}"# : #"{"a":1}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    async let first = client.query(GraphQLOperation("{ a }"))
    await server.received(1)
    func noted() -> Int { store.state.withLock { $0.history.invalidations.named.count } }
    let short = GraphQLOperation("{ c }").with { $0.requestPolicy = .networkOnly }
    for _ in 0..<200 {
      try store.update { $0.invalidate(.entity(Entity("Todo", id: "1"))) }
      #expect(await client.query(short).data?["c"]?.int == 1)
      #expect(noted() <= 32)
    }
    async let second = client.query(GraphQLOperation("{ b }"))
    await server.received(202)
    for _ in 0..<200 { try store.update { $0.invalidate(.entity(Entity("Todo", id: "1"))) } }
    #expect(noted() <= 32)
    gate.open()
    _ = await (first, second)
    #expect(noted() == 0)
  }

  @Test("A response is compared with the invalidations after its own request (N5.2)")
  func order() async throws {
    let (first, second) = (Gate(), Gate())
    let store = StoreKind.store()
    let server = ScriptedExchange { operation in
      let isFirst = operation.name == "First"
      await (isFirst ? first : second).pass()
      return .data(#"{"\#(isFirst ? "a" : "b")":{"__typename":"Todo","id":"1","text":"t"}}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    async let a = client.query(GraphQLOperation("query First { a { id text } }"))
    await server.received(1)
    for _ in 0..<2 { try store.update { $0.invalidate(.entity(Entity("Todo", id: "1"))) } }
    async let b = client.query(GraphQLOperation("query Second { b { id text } }"))
    await server.received(2)
    second.open()
    #expect(await b.isStale == false)
    #expect(server.operations.count == 2)
    try store.update { $0.invalidate(.entity(Entity("Todo", id: "1"))) }
    first.open()
    _ = await a
    // Its response was out of date.
    #expect(server.operations.count == 3)
  }

  @Test("Names of types beyond the limit, and of an old session, are not kept (N8.5)")
  func keySpaces() async throws {
    var configuration = NormalizedCacheConfiguration()
    configuration.groupOfType = { _ in nil }
    configuration.maximumTypes = 50
    let store = NormalizedStore(configuration)
    let count = Locked(0)
    let server = ScriptedExchange.immediate { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return .data(#"{"node":{"__typename":"T\#(number)","id":"1"}}"#)
    }
    let client = GraphQLClient([.normalizedCache(store), server], configuration: .silent)
    let node = GraphQLOperation("{ node { id } }").with { $0.requestPolicy = .networkOnly }
    for _ in 0..<200 { _ = await client.query(node) }
    func known() -> Int { store.catalog.keySpaces.withLock(\.count) }
    #expect(known() <= 50)
    for _ in 0..<2 { client.switchSession() }
    #expect(known() < 10)
  }
}
