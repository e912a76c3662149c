import TestSupport
import Testing
@testable import Weir
import WeirTesting

/// Memory must not grow with the number of past operations, only with what is kept or in flight.
@Suite("Growth", .timeLimit(.minutes(10)))
struct GrowthTests {
  private static let rounds = Stress.rounds(debug: 2_000, release: 20_000)

  @Test("The table of slots does not grow with evictions and invalidations (C9)")
  func slots() async {
    await watched("slots") {
      let cache = DocumentCacheExchange()
      let client = GraphQLClient([cache, immediatePosts()])
      var largest = 0
      for round in 0..<Self.rounds {
        _ = await client.query(postQuery("\(round % 7)"))
        _ = client.peek(postQuery("other \(round % 3)"))
        client.invalidate(types: "Post")
        largest = max(largest, cache.state.withLock { $0.slots.capacity })
      }
      #expect(largest <= 32)
    }
  }

  @Test("Names of types that a server invents do not pile up (C2)")
  func inventedTypes() async {
    await watched("invented types") {
      let cache = DocumentCacheExchange()
      let number = Locked(0)
      let server = ScriptedExchange.immediate { _ in
        let number = number.withLock { number in
          number += 1
          return number
        }
        return .data(#"{"post":{"__typename":"T\#(number)"}}"#)
      }
      let client = GraphQLClient([cache, server])
      let last = 1_150
      for round in 1...last { _ = await client.query(postQuery("\(round)")) }
      let entries = cache.dump().json.array ?? []
      let most = entries.map { $0["typenames"]?.array?.count ?? 0 }.max() ?? 0
      #expect(most > 100 && most < 1_100)
      // The names in a result count in any case.
      client.invalidate(types: "T\(last)")
      #expect(client.peek(postQuery("\(last)"))?.isStale != false)
    }
  }

  @Test("Stamps older than the oldest request in flight are dropped, even under load (C5)")
  func stamps() async {
    await watched("stamps") {
      let cache = DocumentCacheExchange()
      let server = SteppedServer()
      let client = GraphQLClient([cache, server])
      // One request is always in flight: the next one leaves before the last one is answered.
      var last = server.start(client)
      // Tasks may start in another order than they were created.
      await server.received(1)
      for round in 0..<Self.rounds {
        client.invalidate(postQuery("\(round)"))
        client.invalidate(types: "tag \(round)")
        let next = server.start(client)
        await server.received(round + 2)
        await server.answer(round, of: last)
        last = next
      }
      let (keys, names) = cache.state.withLock { ($0.invalidatedKeys.count, $0.index.count) }
      #expect(keys < 500)
      #expect(names < 500)
      last.cancel()
    }
  }

  @Test("A request that is never answered does not make later ones cost memory (C5)")
  func stuckRequest() async {
    await watched("stuck request") {
      var log = RequestLog()
      let stuck = log.begin()
      for _ in 0..<Self.rounds { log.end(log.begin()) }
      #expect(log.oldest == stuck)
      #expect(log.footprint < 500)
    }
  }
}

func immediatePosts() -> ScriptedExchange {
  .immediate { operation in operation.kind == .query ? post("title") : updated }
}

/// Requests that are answered on the test's command.
final class SteppedServer: Exchange {
  private let gates = Board<[Gate]>([])

  func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
    ResultStream { [gates] yield in
      let gate = Gate()
      gates.update { $0.append(gate) }
      await gate.pass()
      yield(post("title"))
    }
  }

  func start(_ client: GraphQLClient) -> Task<OperationResult, Never> {
    Task { await client.query(postQuery("watched", policy: .networkOnly)) }
  }

  func received(_ count: Int) async { await gates.until { $0.count >= count } }

  func answer(_ index: Int, of request: Task<OperationResult, Never>) async {
    let gates = gates.value
    // There are fewer if the test was cancelled while it waited for the request.
    if index < gates.count { gates[index].open() }
    _ = await request.value
  }
}

extension RequestLog {
  /// The number of instants that the log keeps: all elements of its collections.
  var footprint: Int {
    Mirror(reflecting: self).children.reduce(0) { sum, child in
      sum
        + (Mirror(reflecting: child.value).displayStyle.map {
          $0 == .collection || $0 == .set || $0 == .dictionary
            ? Mirror(reflecting: child.value).children.count : 0
        } ?? 0)
    }
  }
}
