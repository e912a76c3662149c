import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Cached data that does not fit a type: the server has sent it before it was repaired, or before the app was
/// updated (C16).
@Suite(.timeLimit(.minutes(10)))
struct UnfitHitTests {
  struct Me: Decodable, Sendable {
    struct User: Decodable, Sendable { var id: String, age: Int }
    var me: User
  }

  private let query = Query<Me, NoVariables>("query Me { me { id age } }")
  private let age = Locked<JSONValue>("old")

  private func client(isNormalized: Bool) -> (GraphQLClient, ScriptedExchange) {
    let server = ScriptedExchange.immediate { [age] _ in
      OperationResult(
        data: try? JSON(["me": ["__typename": "User", "id": "1", "age": age.withLock { $0 }]]))
    }
    let cache: any Exchange =
      isNormalized ? NormalizedCacheExchange(store: NormalizedStore()) : .documentCache
    return (GraphQLClient([.dedup, cache, server]), server)
  }

  @Test(
    "A query asks the server again if what is cached does not fit (C16)", arguments: [false, true])
  func queries(isNormalized: Bool) async {
    let (client, server) = client(isNormalized: isNormalized)
    let first = await client.query(query)
    #expect(first.error?.code == .decoding && first.outcome == .miss)
    #expect(server.operations.count == 1)
    // The response does not fit either.
    #expect(await client.query(query).error?.code == .decoding)
    #expect(server.operations.count == 2)
    #expect(await client.query(query, context: .cacheOnly).error?.code == .decoding)
    #expect(client.peek(query)?.error?.code == .decoding)
    #expect(server.operations.count == 2)
    age.withLock { $0 = 7 }
    #expect(await client.query(query).data?.me.age == 7)
    #expect(await client.query(query).outcome == .hit)
    #expect(server.operations.count == 3)
  }

  @Test(
    "A watch asks the server once if what is cached does not fit (C16)", arguments: [false, true],
    [false, true])
  func watches(isNormalized: Bool, isRepaired: Bool) async {
    let (client, server) = client(isNormalized: isNormalized)
    _ = await client.query(query)
    if isRepaired { age.withLock { $0 = 7 } }
    var ages: [Int?] = []
    for await result in client.watch(query) where !result.isStale {
      ages.append(result.data?.me.age)
      guard isRepaired, result.data == nil else { break }
    }
    #expect(ages == (isRepaired ? [nil, 7] : [nil]))
    #expect(server.operations.count == (isRepaired ? 2 : 1))
    let watch = Task {
      var count = 0
      for await result in client.watch(query, context: .cacheOnly) where !result.isStale {
        count += 1
        if result.data != nil || !isRepaired { break }
      }
      return count
    }
    #expect(await watch.value == 1)
    #expect(server.operations.count == (isRepaired ? 2 : 1))
  }
}
