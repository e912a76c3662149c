import TestSupport
import Testing
@testable import Weir
import WeirTesting

@Suite("Shared requests: results that a joiner must not get", .timeLimit(.minutes(10)))
struct SharingTests {
  /// Stands between dedup and the cache, so that shared requests wait before they look into it.
  private static func waiting(at gate: Gate, arrivals: Board<Int>) -> InlineExchange {
    InlineExchange { operation, forward in
      guard operation.kind == .query else { return forward(operation) }
      return ResultStream { yield in
        arrivals.update { $0 += 1 }
        await gate.pass()
        await yield.all(forward(operation))
      }
    }
  }

  /// A cached post, and a shared request for it that has started but not reached the cache yet.
  private struct Stage {
    let gate = Gate(isOpen: true)
    let arrivals = Board(0)
    let server = postServer()
    let client: GraphQLClient
    let dedup = DedupExchange()

    init() {
      client = GraphQLClient([
        dedup, SharingTests.waiting(at: gate, arrivals: arrivals), .documentCache, server,
      ])
    }

    func cached() async {
      _ = await client.query(postQuery())
      gate.close()
    }

    /// Starts an execution and waits until it has joined.
    func start(_ operation: GraphQLOperation, shares: Int) async -> Task<OperationResult, Never> {
      let task = Task { await client.query(operation) }
      await eventually { dedup.shareCount == shares }
      return task
    }
  }

  @Test("A joiner does not accept a hit that is older than it requires (D1)")
  func hitOlderThanNeeded() async {
    await watched("older hit") {
      let stage = Stage()
      await stage.cached()
      var newer = postQuery()
      newer.context.notBefore = .next()
      let first = await stage.start(postQuery(), shares: 1)
      let joiner = await stage.start(newer, shares: 2)
      stage.gate.open()
      #expect(await first.value.summary == "title 1")
      #expect(await joiner.value.summary == "title 2")
    }
  }

  @Test("A joiner's tags also apply when a hit answers the shared request (D3)")
  func tagsOfJoiners() async {
    await watched("tags") {
      let stage = Stage()
      await stage.cached()
      let first = await stage.start(postQuery(), shares: 1)
      let joiner = await stage.start(
        postQuery().with { $0.additionalTypenames = ["favourites"] }, shares: 2)
      stage.gate.open()
      _ = await (first.value, joiner.value)
      stage.client.invalidate(types: "favourites")
      #expect(await stage.client.query(postQuery()).summary == "title 2")
    }
  }

  @Test("A shared request without a result answers all its consumers, once (D4)")
  func emptyFlight() async {
    await watched("empty flight") {
      let gate = Gate()
      let silent = ScriptedExchange(streaming: { _ in ResultStream { _ in await gate.pass() } })
      let dedup = DedupExchange()
      let client = GraphQLClient([dedup, .documentCache, silent])
      let tasks = (0..<20).map { _ in Task { await client.query(postQuery()) } }
      await eventually { dedup.shareCount == 20 }
      gate.open()
      for task in tasks { #expect(await task.value.error?.code == .noResult) }
      #expect(silent.operations.count == 1)
    }
  }

  @Test("A joiner that got a stale result still gets the network's response, not a hit (D3)")
  func staleThenHit() async {
    await watched("stale then hit") {
      let gate = Gate()
      let requests = Counter()
      let scripted = ScriptedExchange(streaming: { _ in
        let number = requests.next()
        return ResultStream { yield in
          await gate.pass()
          guard number == 1 else { return yield(post("title \(number)")) }
          var overtaken = post("old")
          overtaken.isStale = true
          yield(overtaken)
          var hit = post("cached")
          hit.outcome = .hit
          yield(hit)
        }
      })
      let dedup = DedupExchange()
      let client = GraphQLClient([dedup, scripted])
      let first = Task { await client.query(postQuery()) }
      await eventually { dedup.shareCount == 1 }
      let joiner = Task { await client.query(postQuery(policy: .networkOnly)) }
      await eventually { dedup.shareCount == 2 }
      gate.open()
      #expect(await first.value.summary == "cached")
      #expect(await joiner.value.summary == "title 2")
    }
  }

  @Test("A cancelled execution sends no second request after a superseded response (H9)")
  func noSecondRequest() async {
    await watched("second request") {
      let gate = Gate()
      let server = postServer { operation in if operation.kind == .query { await gate.pass() } }
      let client = GraphQLClient([.documentCache, server])
      let task = Task {
        var iterator = client.results(of: postQuery()).makeAsyncIterator()
        #expect(await iterator.next()?.summary == "title 1 stale")
        withUnsafeCurrentTask { $0?.cancel() }
        #expect(await iterator.next() == nil)
      }
      await server.received(1)
      _ = await client.mutate(updatePost)
      gate.open()
      await task.value
      #expect(server.operations.count { $0.kind == .query } == 1)
    }
  }
}

extension DedupExchange {
  var shareCount: Int { flights.withLock { $0.shareCount } }
}
