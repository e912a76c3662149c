import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Type conditions that are learned from responses, without a schema.
@Suite("Learned type conditions", .timeLimit(.minutes(10)), .overStorages)
struct LearnedConditionTests {
  private static let feed = GraphQLOperation("{ feed { id ... on Closable @defer { isClosed } } }")
  private static let data = #"{"feed":[{"__typename":"Note","id":"1","isClosed":true}]}"#

  private static func isClosed(_ data: JSON?) -> Bool? { data?["feed"]?[0]?["isClosed"]?.bool }

  @Test("Data of a deferred fragment is not taken for missing before it arrives (N3.2, N6.3)")
  func deferred() async {
    let store = StoreKind.store()
    let server = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(.data(#"{"feed":[{"__typename":"Note","id":"1"}]}"#, hasNext: true))
        yield(.data(Self.data))
      }
    })
    let client = GraphQLClient([.cache(store), server])
    #expect(Self.isClosed(await client.query(Self.feed).data) == true)
    #expect(Self.isClosed(store.read(Self.feed)) == true)
  }

  @Test("A part of a mutation's result shows no type condition to be wrong (N3.2, N6.3)")
  func deferredMutation() async {
    let store = StoreKind.store()
    let server = ScriptedExchange(streaming: { operation in
      guard operation.kind == .mutation else { return .just(.data(Self.data)) }
      return ResultStream { yield in
        yield(.data(#"{"add":{"__typename":"Note","id":"1"}}"#, hasNext: true))
        yield(.data(#"{"add":{"__typename":"Note","id":"1","isClosed":true}}"#))
      }
    })
    let client = GraphQLClient([.cache(store), server])
    let add = GraphQLOperation("mutation { add { id ... on Closable @defer { isClosed } } }")
    _ = await client.mutate(add)
    #expect(Self.isClosed(await client.query(Self.feed).data) == true)
  }

  @Test("Fields that an optimistic result leaves out show no condition to be wrong (N3.2, N6.1)")
  func optimistic() async {
    let store = StoreKind.store()
    let server = ScriptedExchange { operation in
      operation.kind == .query ? .data(Self.data) : .failure("The server is down.")
    }
    let client = GraphQLClient([.cache(store), server])
    let add = GraphQLOperation("mutation { add { id ... on Closable { isClosed } } }")
    _ = await client.mutate(
      add.with { $0.optimisticData = ["add": ["__typename": "Note", "id": "1"]] })
    #expect(Self.isClosed(await client.query(Self.feed).data) == true)
  }

  @Test("Declared types take precedence over those that an earlier run has learned (N3.2)")
  func declared() async throws {
    let medium = MemoryRecordStorage()
    let first = NormalizedStore(storage: MemoryRecordStorage(sharing: medium))
    let old = ScriptedExchange.immediate { _ in
      .data(#"{"feed":[{"__typename":"Note","id":"1"}]}"#)
    }
    _ = await GraphQLClient([.cache(first), old]).query(Self.feed)
    try await first.flush()
    var configuration = NormalizedCacheConfiguration()
    configuration.possibleTypes["Closable"] = ["Note"]
    let next = NormalizedStore(configuration, storage: MemoryRecordStorage(sharing: medium))
    #expect(await next.load(Self.feed) == nil)
    let new = ScriptedExchange.immediate { _ in .data(Self.data) }
    let result = await GraphQLClient([.cache(next), new]).query(Self.feed)
    #expect(Self.isClosed(result.data) == true)
  }

  @Test("A response that only shows a condition to be wrong completes the data (N3.2)")
  func wrong() async throws {
    let store = StoreKind.store()
    try store.write(
      ["feed": [["__typename": "Note", "id": "1"]]], for: GraphQLOperation("{ feed { id } }"))
    let rich = GraphQLOperation("{ feed { id ... on Closable { isClosed } } }")
    let server = ScriptedExchange.immediate { _ in
      .data(#"{"feed":[{"__typename":"Note","id":"1"}]}"#)
    }
    let client = GraphQLClient([.cache(store), server])
    #expect(await client.query(rich).outcome == .miss)
    #expect(await client.query(rich).outcome == .hit)
    #expect(client.peek(rich) != nil)
  }
}
