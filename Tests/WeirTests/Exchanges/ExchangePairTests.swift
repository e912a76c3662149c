import Foundation
import Testing
import Weir
import WeirTesting

/// Every two exchanges that may stand in one chain, in the order of the article Chains.
@Suite("Pairs of exchanges", .timeLimit(.minutes(10)))
struct ExchangePairTests {
  /// The shipped exchanges from the top of a chain to its end.
  enum Name: String, CaseIterable {
    case snapshot, debug, requestPolicy, refresh, map, onError, local, sharedSubscriptions, dedup,
      documentCache, compose, context, auth, retry, concurrencyLimit, subscription,
      persistedOperations
  }

  struct Pair: Sendable, CustomTestStringConvertible {
    let upper: Name
    let lower: Name
    var testDescription: String { "\(upper) above \(lower)" }
    var names: [Name] { [upper, lower] }
  }

  static let pairs = Name.allCases.indices.flatMap { upper in
    Name.allCases.dropFirst(upper + 1).map { Pair(upper: Name.allCases[upper], lower: $0) }
  }

  private struct NoTransport: SubscriptionTransport {
    func subscribe(to operation: GraphQLOperation) async throws -> SubscriptionEvents {
      throw CancellationError()
    }
  }

  private static func exchange(_ name: Name) -> any Exchange {
    switch name {
    case .snapshot: return SnapshotExchange()
    case .debug: return .debug("test") { _ in }
    case .requestPolicy: return .requestPolicy(maximumAge: .seconds(3_600))
    case .refresh: return .refresh(on: AsyncStream<Void> { _ in })
    case .map: return MapExchange(operation: { $0 }, result: { _, result in result })
    case .onError: return .onError { _, _ in }
    case .local: return .local([:])
    case .sharedSubscriptions: return .sharedSubscriptions
    case .dedup: return .dedup
    case .documentCache: return .documentCache
    case .compose: return ComposeExchange([ComposeExchange([])])
    case .context: return .context { context, _ in context.headers["x"] = "1" }
    case .auth:
      return AuthExchange(
        AuthConfiguration(
          load: { "token" }, attach: { $1.headers["authorization"] = $0 }, refresh: { $0 }))
    case .retry: return .retry
    case .concurrencyLimit: return .concurrencyLimit(1)
    case .subscription: return .subscription(NoTransport())
    case .persistedOperations: return .persistedOperations()
    }
  }

  @Test(
    "Two exchanges in one chain answer, share, cache, and refresh as each alone", arguments: pairs)
  func pair(_ pair: Pair) async {
    let server = postServer()
    let client = GraphQLClient(pair.names.map(Self.exchange) + [server])
    let isCaching = pair.names.contains(.documentCache)
    #expect(client.peek(postQuery()) == nil)
    #expect(await client.query(postQuery()).title == "title 1")
    #expect(client.peek(postQuery())?.title == (isCaching ? "title 1" : nil))
    #expect(await client.query(postQuery()).title == (isCaching ? "title 1" : "title 2"))
    async let first = client.query(postQuery("2"))
    async let second = client.query(postQuery("2"))
    let titles = await [first.title, second.title]
    #expect(titles.allSatisfy { $0 != nil })
    if pair.names.contains(.dedup), isCaching { #expect(titles[0] == titles[1]) }
    var watch = client.watch(postQuery("3")).makeAsyncIterator()
    let shown = await watch.next()?.title
    #expect(shown != nil)
    #expect(await client.mutate(updatePost).error == nil)
    if isCaching {
      var newer = await watch.next()
      while let next = newer, next.isStale { newer = await watch.next() }
      #expect(newer?.title != nil && newer?.title != shown)
    }
    client.switchSession()
    #expect(client.peek(postQuery()) == nil)
  }

  @Test("Errors, and data beside them, pass through two exchanges in one chain", arguments: pairs)
  func errors(_ pair: Pair) async {
    let client = GraphQLClient(
      pair.names.map(Self.exchange) + [
        ScriptedExchange.immediate { _ in
          .data(#"{"post":null}"#, errors: [GraphQLError(message: "no", path: [.key("post")])])
        }
      ])
    for result in [await client.query(postQuery()), await client.mutate(updatePost)] {
      #expect(result.data?["post"]?.isNull == true)
      #expect(result.error?.graphQLErrors.map(\.message) == ["no"])
    }
  }

  @Test("Each exchange works above fetch and above a fetch in batches", arguments: Name.allCases)
  func terminals(_ name: Name) async throws {
    let url = try #require(URL(string: "https://example.org/graphql"))
    let transport = ScriptedTransport(
      #"{"data":{"post":{"id":"1","title":"a","__typename":"Post"}}}"#)
    var configuration = FetchConfiguration()
    configuration.transport = transport
    let ends: [any Exchange] = [
      .fetch(url, configuration),
      .batchFetch(url, configuration),
    ]
    for end in ends {
      let client = GraphQLClient([Self.exchange(name), end])
      #expect(await client.query(postQuery()).title == "a")
      #expect(await client.mutate(updatePost).error == nil)
    }
    #expect(transport.requests.count == 4)
  }
  @Test(
    "peek finds a hit below an exchange, or a diagnostic says that this one suspends (Q3)",
    arguments: Name.allCases.filter { $0 != .documentCache })
  func peek(_ name: Name) async {
    let diagnostics = Locked<[ClientDiagnostic]>([])
    var configuration = ClientConfiguration()
    configuration.onDiagnostic = { diagnostic in diagnostics.withLock { $0.append(diagnostic) } }
    let exchange = Self.exchange(name)
    let client = GraphQLClient(
      [exchange, .documentCache, postServer()], configuration: configuration)
    #expect(await client.query(postQuery()).title == "title 1")
    // A limit suspends only if all slots are taken.
    let suspends = client.peek(postQuery()) == nil || name == .concurrencyLimit
    let messages = diagnostics.withLock { $0.map(\.message) }
    let name = "\(type(of: exchange)) suspends above DocumentCacheExchange"
    #expect(messages.contains { $0.hasPrefix(name) } == suspends, "\(messages)")
  }
}
