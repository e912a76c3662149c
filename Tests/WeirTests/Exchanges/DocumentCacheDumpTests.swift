import TestSupport
import Testing
import Weir
import WeirTesting

/// The content of a document cache for people (C13).
@Suite(.timeLimit(.minutes(10)))
struct DocumentCacheDumpTests {
  private static let named = GraphQLOperation(
    "query Post($id: ID!) { post(id: $id) { id } }", variables: ["id": "1"])
  private static let unnamed = GraphQLOperation("{ post { id title } }")
  private static let data = #"{"post":{"__typename":"Post","id":"1","title":"a"}}"#

  @Test("A dump names operations, types, bytes, ages, watches and stale results (C13)")
  func content() async {
    let clock = ManualClock()
    var configuration = DocumentCacheConfiguration()
    configuration.timeToLive = .seconds(3)
    let cache = DocumentCacheExchange(configuration, clock: clock)
    let server = ScriptedExchange.immediate { _ in .data(Self.data) }
    let client = GraphQLClient([cache, server])
    #expect(cache.dump().description == "")

    _ = await client.query(Self.named)
    clock.advance(by: .seconds(2))
    let watch = Task {
      for await _ in client.watch(Self.unnamed) where Task.isCancelled { return }
    }
    await eventually { cache.dump().json[1]?["watchers"] == .int(1) }
    clock.advance(by: .seconds(1))

    let dump = cache.dump()
    let first = dump.json[0]
    #expect(first?["name"] == "Post" && first?["variables"] == ["id": "1"])
    #expect(first?["typenames"] == ["Post"])
    #expect(first?["age"] == 3000 && first?["isStale"] == true && first?["isWatched"] == false)
    #expect(first?["bytes"]?.int ?? 0 > 50)
    let second = dump.json[1]
    #expect(second?["name"] == .null && second?["age"] == 1000 && second?["isStale"] == false)
    #expect(second?["isWatched"] == true && second?["watchers"] == 1)
    let lines = dump.description.split(separator: "\n")
    #expect(lines.first?.hasPrefix(#"Post {"id":"1"} "#) == true, "\(dump)")
    #expect(lines.first?.hasSuffix(" bytes, 3000 ms old, [Post] isStale") == true, "\(dump)")
    #expect(lines.last?.hasSuffix(" bytes, 1000 ms old, [Post] isWatched") == true, "\(dump)")
    watch.cancel()
    await watch.value
  }

  @Test("After a switch of the session, nothing of the last user is in the dump (C10, C13)")
  func switched() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([cache, ScriptedExchange.immediate { _ in .data(Self.data) }])
    _ = await client.query(Self.named)
    client.switchSession()
    #expect(cache.dump().json == [])
  }

  @Test("Operations without a name have none, whether or not they declare variables (C13)")
  func noName() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([
      cache, ScriptedExchange.immediate { _ in .data(Self.data) },
    ])
    _ = await client.query(GraphQLOperation("query ($a: ID) { post(id: $a) { id } }"))
    #expect(cache.dump().json[0]?["name"] == .null)
    #expect(cache.dump().description.hasPrefix("unnamed {} "))
  }

  @Test("A watched operation without a result is in the dump as stale (C13)")
  func noResult() async {
    let cache = DocumentCacheExchange()
    let client = GraphQLClient([
      cache, ScriptedExchange.immediate { _ in .failure("offline") },
    ])
    var watch = client.watch(Self.named).makeAsyncIterator()
    #expect(await watch.next()?.error != nil)
    let result = cache.dump().json[0]
    #expect(result?["age"] == .null && result?["isStale"] == true && result?["bytes"] == 0)
    #expect(cache.dump().description.hasPrefix(#"Post {"id":"1"} no result"#))
  }
}
