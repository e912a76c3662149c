import Foundation
import TestSupport
import Testing
@testable import Weir
import WeirTesting

/// The user's objects (decoded values, context values) may run any code when they are released,
/// even call the client. So Weir must not release them while it holds a lock.
@Suite("Releasing the user's objects", .serialized, .timeLimit(.minutes(10)))
struct ReleaseTests {
  /// A decoded value that runs a callback when it is released.
  final class Fuse: Decodable, Sendable {
    init(from decoder: any Decoder) throws {}
    deinit { Self.onRelease.withLock { $0 }?() }
    static let onRelease = Locked<(@Sendable () -> Void)?>(nil)
  }

  /// Runs `work`, waits until `count` values are released, and returns their number. Their callbacks
  /// call the client.
  private func releases(
    _ count: Int, _ what: String, client: GraphQLClient,
    _ work: @escaping @Sendable () async -> Void
  ) async -> Int {
    let released = Counter()
    Fuse.onRelease.withLock {
      $0 = {
        _ = released.next()
        client.invalidate(types: "Nothing")
        client.invalidate(postQuery("elsewhere"))
      }
    }
    await watched(what) {
      await work()
      // A task that has ended may hold one a little longer.
      await eventually { released.count >= count }
    }
    Fuse.onRelease.withLock { $0 = nil }
    return released.count
  }

  private static func decode(_ result: OperationResult?) {
    _ = result.map(TypedResult<Fuse>.init(decoding:))
  }

  @Test("Shared results, failures and entries are released outside the lock")
  func released() async {
    let more = Gate()
    let incremental = ScriptedExchange(streaming: { _ in
      ResultStream { yield in
        yield(.data(#"{"post":null}"#, hasNext: true))
        await more.pass()
        yield(post("whole"))
      }
    })
    let client = GraphQLClient([.dedup, incremental])
    let ofFlight = await releases(1, "a flight's earlier result", client: client) {
      var iterator = client.results(of: postQuery()).makeAsyncIterator()
      Self.decode(await iterator.next())
      more.open()
      while await iterator.next() != nil {}
    }
    #expect(ofFlight == 1)

    let partial = ScriptedExchange { _ in
      .data(#"{"post":null}"#, errors: [GraphQLError(message: "no")])
    }
    let cached = GraphQLClient([.dedup, .documentCache, partial])
    let ofFailure = await releases(2, "a failure", client: cached) {
      Self.decode(await cached.query(postQuery()))
      Self.decode(await cached.query(postQuery()))
      for id in 0..<8 { _ = await cached.query(postQuery("\(id)")) }
      cached.clear()
    }
    #expect(ofFailure == 2)

    let whole = GraphQLClient([.dedup, .documentCache, postServer()])
    let ofEntry = await releases(3, "an entry", client: whole) {
      Self.decode(await whole.query(postQuery()))
      Self.decode(await whole.query(postQuery(policy: .networkOnly)))
      whole.clear()
      Self.decode(await whole.query(postQuery()))
      whole.switchSession()
    }
    #expect(ofEntry == 3)
  }

  @Test("A result that a newer one replaces in a queue is released outside the lock")
  func replaced() async {
    await watched("a replaced result") {
      let taken = Board(0)
      let server = InlineExchange { _, _ in
        ResultStream { yield in
          for number in 1...40 {
            yield(.data(#"{"post":null}"#, hasNext: number < 40))
            // The next one comes when the other consumer has decoded this one.
            await taken.until { $0 >= number }
          }
        }
      }
      let client = GraphQLClient([.dedup, server])
      var slow = client.results(of: postQuery()).makeAsyncIterator()
      var fast = client.results(of: postQuery()).makeAsyncIterator()
      async let first = slow.next()
      // Ends the queue in which the result was.
      let (begun, ended) = (Counter(), Counter())
      Fuse.onRelease.withLock {
        $0 = {
          _ = begun.next()
          client.switchSession()
          _ = ended.next()
        }
      }
      for _ in 1...40 {
        guard let result = await fast.next() else { break }
        Self.decode(result)
        taken.update { $0 += 1 }
      }
      _ = await first
      taken.update { $0 = 40 }
      await eventually { ended.count > 0 && ended.count == begun.count }
      Fuse.onRelease.withLock { $0 = nil }
    }
  }

  /// A context value that runs a callback when it is released.
  final class Held: Sendable {
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  private enum HeldKey: OperationContextKey {
    static let defaultValue: Held? = nil
  }

  @Test("An event that a trace drops is released outside the lock")
  func droppedEvent() async {
    await watched("a dropped event") {
      let released = Counter()
      let trace = TraceRecorder(maximumCount: 1)
      let client = GraphQLClient([
        .debug("app", trace: trace), InlineExchange { _, _ in .just(post("title")) },
      ])
      _ = await client.query(
        postQuery().with {
          $0[HeldKey.self] = Held {
            _ = trace.json
            _ = released.next()
          }
        })
      #expect(released.count == 0)
      _ = await client.query(postQuery())
      await eventually { released.count > 0 }
      #expect(released.count == 1)
    }
  }

  @Test("A result that must not be stored is not kept")
  func unstored() async {
    await watched("an unstored result") {
      let client = GraphQLClient([.dedup, .documentCache, postServer()])
      let operation = postQuery().with { $0.storesResult = false }
      weak var payload: ResultPayload?
      do {
        let result = await client.query(operation)
        payload = result.payload
        #expect(payload != nil)
      }
      // The cache does not keep it forever: nothing else is requested or watched.
      for id in 0..<4 { _ = await client.query(postQuery("other \(id)")) }
      await eventually { [weak payload] in payload == nil }
      // The cache does not keep it next to an entry either.
      _ = await client.query(postQuery())
      do {
        let result = await client.query(operation.with { $0.requestPolicy = .networkOnly })
        payload = result.payload
        #expect(payload != nil)
      }
      for id in 0..<4 { _ = await client.query(postQuery("others \(id)")) }
      await eventually { [weak payload] in payload == nil }
    }
  }

  @Test("An operation that leaves a batch is released outside the lock")
  func batched() async throws {
    let url = try #require(URL(string: "https://example.org"))
    await watched("an operation that leaves a batch") {
      let released = Counter()
      var batching = BatchConfiguration()
      batching.window = .duration(.seconds(1), clock: ManualClock())
      let batch = BatchFetchExchange(url, batching: batching)
      let holding = MapExchange(operation: { operation in
        operation.with {
          $0[HeldKey.self] = Held { [weak batch] in
            _ = batch?.waitingCount
            _ = released.next()
          }
        }
      })
      let client = GraphQLClient([holding, batch])
      let task = Task { await client.query(postQuery()) }
      await eventually { batch.waitingCount > 0 }
      task.cancel()
      _ = await task.value
      await eventually { released.count > 0 }
    }
  }
}
