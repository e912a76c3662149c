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
  /// An error that the server returns, beside data or instead of it.
  private let failure = Locked<(error: OperationError, hasData: Bool)?>(nil)

  private func client(isNormalized: Bool) -> (GraphQLClient, ScriptedExchange) {
    let server = ScriptedExchange.immediate { [age, failure] _ in
      let data = try? JSON(["me": ["__typename": "User", "id": "1", "age": age.withLock { $0 }]])
      guard let (error, hasData) = failure.withLock({ $0 }) else {
        return OperationResult(data: data)
      }
      return OperationResult(data: hasData ? data : nil, error: error)
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

  /// The first results of a watch that are not stale.
  private func watched(
    _ client: GraphQLClient, _ context: OperationContext = OperationContext()
  ) async -> TypedResult<Me>? {
    for await result in client.watch(query, context: context) where !result.isStale {
      return result
    }
    return nil
  }

  @Test(
    "A watch asks the server before it reports that what is cached does not fit (C16)",
    arguments: [false, true], [false, true])
  func watches(isNormalized: Bool, isRepaired: Bool) async {
    let (client, server) = client(isNormalized: isNormalized)
    _ = await client.query(query)
    #expect(await watched(client, .cacheOnly)?.error?.code == .decoding)
    #expect(server.operations.count == 1)
    if isRepaired { age.withLock { $0 = 7 } }
    let result = await watched(client)
    #expect(result?.data?.me.age == (isRepaired ? 7 : nil))
    #expect(result?.error?.code == (isRepaired ? nil : .decoding))
    #expect(server.operations.count == 2)
    #expect(await watched(client, .cacheOnly)?.data?.me.age == (isRepaired ? 7 : nil))
  }

  @Test(
    "A watch shows the answer in the place of data that does not fit, stored or not (C16)",
    arguments: [false, true], [false, true])
  func failures(isNormalized: Bool, hasData: Bool) async {
    let (client, server) = client(isNormalized: isNormalized)
    _ = await client.query(query)
    age.withLock { $0 = 7 }
    let error = OperationError(code: hasData ? .graphQL : .transport, message: "Down.")
    failure.withLock { $0 = (error, hasData) }
    let result = await watched(client)
    #expect(result?.error?.message == "Down.")
    #expect(result?.data?.me.age == (hasData ? 7 : nil))
    #expect(server.operations.count == 2)
    failure.withLock { $0 = nil }
    #expect(
      await watched(client, OperationContext().with { $0.storesResult = false })?.data?.me.age == 7)
    #expect(await watched(client)?.data?.me.age == 7)
  }

  @Test("A watch asks once, whatever becomes of it (C16)", arguments: [false, true])
  func once(isNormalized: Bool) async {
    let (client, server) = client(isNormalized: isNormalized)
    _ = await client.query(query)
    var codes: [OperationError.Code?] = []
    for await result in client.watch(query) where !result.isStale {
      codes.append(result.error?.code)
      if codes.count == 2 { break }
      // Another data that does not fit is in the cache, and wakes the watch.
      age.withLock { $0 = "older" }
      _ = await client.query(query.operation(context: .networkOnly))
    }
    #expect(codes == [.decoding, .decoding])
    #expect(server.operations.count == 3)
  }
}
