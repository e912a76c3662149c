import Foundation
import Testing
import Weir
import WeirNormalized
import WeirTesting

/// Data that may be used for a shorter time than before, but is otherwise the same (N8.1).
@Suite(.timeLimit(.minutes(10)), .overStorages)
struct ShortenedAgeTests {
  /// What a server says of the time for which its next response may be used.
  enum Limit: CaseIterable {
    case retention, cacheControl, noCache

    var retention: Duration? { self == .retention ? .seconds(10) : nil }
    var maximumAge: Duration? {
      switch self {
      case .retention: nil
      case .cacheControl: .seconds(10)
      case .noCache: .zero
      }
    }
  }

  private let clock = ManualClock()
  private let store: NormalizedStore
  private let server: ScriptedExchange
  private let client: GraphQLClient
  private let limit = Locked<Limit?>(nil)

  init() {
    var configuration = NormalizedCacheConfiguration()
    configuration.heedsCacheControl = true
    store = StoreKind.store(configuration, clock: clock)
    server = ScriptedExchange.immediate { [limit] operation in
      var timing = ResultTiming(receivedAt: Date(timeIntervalSince1970: 0), duration: .zero)
      timing.maximumAge = limit.withLock(\.self)?.maximumAge
      return OperationResult(data: ConnectionTests.json(AgeTests.data), timing: timing)
    }
    let retention = MapExchange(result: { [limit] _, result in
      var result = result
      result.retention = limit.withLock(\.self)?.retention
      return result
    })
    client = GraphQLClient([.cache(store), retention, server])
  }

  private func refetch(_ limit: Limit) async {
    self.limit.withLock { $0 = limit }
    _ = await client.query(AgeTests.query.with { $0.requestPolicy = .networkOnly })
  }

  @Test(
    "A shorter time to live counts even if the data is the same (N8.1)", arguments: Limit.allCases)
  func query(_ limit: Limit) async {
    _ = await client.query(AgeTests.query)
    _ = await client.query(AgeTests.query)
    await refetch(limit)
    if limit != .noCache { #expect(client.peek(AgeTests.query)?.isStale == false) }
    clock.advance(by: .seconds(10))
    #expect(client.peek(AgeTests.query)?.isStale != false)
    _ = await client.query(AgeTests.query)
    #expect(server.operations.count == 3)
  }

  @Test(
    "A watch refetches when a time to live is over that came with the same data (N8.1)",
    arguments: [Limit.retention, .cacheControl])
  func watch(_ limit: Limit) async {
    var watch = client.watch(AgeTests.query).makeAsyncIterator()
    #expect(await watch.next()?.isStale == false)
    async let stale = watch.next()
    await refetch(limit)
    await clock.sleepers(1)
    clock.advance(by: .seconds(10))
    #expect(await stale?.isStale == true)
    #expect(await watch.next()?.isStale == false)
    #expect(server.operations.count == 3)
  }

  @Test(
    "A shorter time to live of a mutation's result counts even if the data is the same (N8.1)")
  func mutation() async {
    let rename = GraphQLOperation("mutation { todos { id text } }")
    _ = await client.query(AgeTests.query)
    _ = await client.query(AgeTests.query)
    limit.withLock { $0 = .retention }
    _ = await client.mutate(rename)
    clock.advance(by: .seconds(10))
    #expect(client.peek(AgeTests.query)?.isStale != false)
    _ = await client.query(AgeTests.query)
    #expect(server.operations.count == 3)
  }
  @Test("The headers of a mutation's response do not say how long its data may be used (N8.1)")
  func headersOfMutation() async {
    _ = await client.query(AgeTests.query)
    limit.withLock { $0 = .noCache }
    _ = await client.mutate(GraphQLOperation("mutation { todos { id text } }"))
    #expect(client.peek(AgeTests.query)?.isStale == false)
    #expect(await client.query(AgeTests.query).outcome == .hit)
    #expect(server.operations.count == 2)
  }
}
