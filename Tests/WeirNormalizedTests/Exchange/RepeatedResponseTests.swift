import Foundation
import Testing
import Weir
@testable import WeirNormalized
import WeirTesting

/// A response with exactly the data that the store has is neither parsed nor written (N2.5).
@Suite("Responses that repeat what a store has", .overStorages, .timeLimit(.minutes(10)))
struct RepeatedResponseTests {
  /// A server with one post.
  private final class Server: HTTPTransport {
    private let post = Locked(#"{"id":"1","title":"one","__typename":"Post"}"#)

    func change(title: String) {
      post.withLock { $0 = #"{"id":"1","title":"\#(title)","__typename":"Post"}"# }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let isMutation = String(decoding: request.body, as: UTF8.self).contains("mutation")
      let field = isMutation ? "updatePost" : "post"
      let body = #"{"data":{"\#(field)":\#(post.withLock { $0 })}}"#
      return HTTPResponse(
        status: 200, headers: ["content-type": "application/json"], body: HTTPBody(Array(body.utf8))
      )
    }
  }

  private static let post = GraphQLOperation("{ post { id title } }")
  private static let update = GraphQLOperation("mutation { updatePost { id title } }")
  private let server = Server()
  private let clock = ManualClock()

  private func fetch(_ store: NormalizedStore) async throws -> OperationResult {
    let url = try #require(URL(string: "https://example.org/graphql"))
    let client = GraphQLClient([.dedup, .normalizedCache(store), .fetch(url, transport: server)])
    return await client.query(Self.post.with { $0.requestPolicy = .networkOnly })
  }

  /// Whether a response is written, by the version of the store's records.
  private func writes(
    _ store: NormalizedStore, _ body: () async throws -> Void
  ) async throws -> Bool {
    let before = store.state.withLock(\.lastVersion)
    try await body()
    return store.state.withLock(\.lastVersion) != before
  }

  private func title(_ result: OperationResult) -> String? {
    result.data?["post"]?["title"]?.string
  }

  @Test("A repeated response is not written, and shows the same document (N2.5)")
  func repeated() async throws {
    let store = StoreKind.store(clock: clock)
    let first = try await fetch(store)
    let isWritten = try await writes(store) {
      let second = try await fetch(store)
      #expect(second.data?.document === first.data?.document)
      #expect(second.outcome == .miss && !second.isStale)
    }
    #expect(!isWritten)
    server.change(title: "two")
    let two = try await fetch(store)
    #expect(title(two) == "two")
  }

  /// Decoded data that counts how often it was decoded.
  private struct Titles: Decodable, Sendable {
    static let count = Locked(0)

    init(from decoder: any Decoder) throws {
      Self.count.withLock { $0 += 1 }
    }
  }

  @Test("Data that was decoded once is not decoded again for a repeated response (N2.5)")
  func decoded() async throws {
    let store = StoreKind.store(clock: clock)
    var counts: [Int] = []
    for _ in 0..<3 {
      let before = Titles.count.withLock(\.self)
      let result = try await fetch(store)
      #expect(TypedResult<Titles>(decoding: result).data != nil)
      counts.append(Titles.count.withLock(\.self) - before)
    }
    #expect(counts == [1, 0, 0])
  }

  @Test("The age counts from the first response, and a repeated one renews it (N2.5, N8.1)")
  func age() async throws {
    let store = StoreKind.store(clock: clock)
    let client = GraphQLClient([.normalizedCache(store), ScriptedExchange { _ in .data("{}") }])
    let young = Self.post.with {
      $0.requestPolicy = .cacheOnly
      $0.maximumAge = .seconds(60)
    }
    for _ in 0..<2 {
      _ = try await fetch(store)
      clock.advance(by: .seconds(50))
      #expect(title(await client.query(young)) == "one")
    }
    clock.advance(by: .seconds(20))
    #expect(await client.query(young).data == nil)
  }

  @Test("A response that repeats what was overwritten or invalidated is written (N2.5)")
  func changed() async throws {
    let store = StoreKind.store(clock: clock)
    _ = try await fetch(store)
    try store.write(
      ["post": ["id": "1", "title": "mine", "__typename": "Post"]] as JSONValue, for: Self.post)
    let one = try await fetch(store)
    #expect(title(one) == "one")
    store.invalidate(.types(["Post"]))
    let isWritten = try await writes(store) {
      let fresh = try await fetch(store)
      #expect(!fresh.isStale)
    }
    #expect(isWritten)
  }

  @Test("A response that repeats an optimistic result is written below it (N2.5)")
  func optimistic() async throws {
    let store = StoreKind.store(clock: clock)
    _ = try await fetch(store)
    let gate = Gate()
    let slow = ScriptedExchange { _ in
      await gate.pass()
      return .failure("The server is down.")
    }
    let client = GraphQLClient([.normalizedCache(store), slow])
    let update = Self.update.with {
      $0.optimisticData = ["updatePost": ["id": "1", "title": "two", "__typename": "Post"]]
    }
    async let failed = client.mutate(update)
    await slow.received(1)
    server.change(title: "two")
    let two = try await fetch(store)
    #expect(title(two) == "two")
    gate.open()
    #expect(await failed.data == nil)
    let left = store.read(Self.post)
    #expect(left?["post"]?["title"]?.string == "two")
  }

  @Test("An open subscription makes a store neither note nor write what is repeated (N2.5)")
  func subscription() async throws {
    let store = StoreKind.store(clock: clock)
    let gate = Gate()
    let events = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(.data(#"{"counter":1}"#))
        await gate.pass()
      }
    })
    let client = GraphQLClient([.normalizedCache(store), events])
    let open = GraphQLOperation("subscription { counter }")
    var subscription = client.subscribe(open).makeAsyncIterator()
    _ = await subscription.next()
    _ = try await fetch(store)
    for number in 0..<10 {
      try store.write(
        ["post": ["id": "1", "title": .string("\(number)"), "__typename": "Post"]] as JSONValue,
        for: Self.post)
    }
    #expect(store.state.withLock { $0.history.journal.isEmpty })
    _ = try await fetch(store)
    let isWritten = try await writes(store) { _ = try await fetch(store) }
    #expect(!isWritten)
    gate.open()
    #expect(await subscription.next() == nil)
  }
}
