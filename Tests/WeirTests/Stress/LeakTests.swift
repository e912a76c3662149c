import TestSupport
import Testing
@testable import Weir
import WeirTesting

@Suite("Nothing is left behind", .timeLimit(.minutes(10)))
struct LeakTests {
  private static let rounds = Stress.rounds(debug: 1_000, release: 10_000)

  /// Counts the operations and results that are alive, by an object that each of them carries.
  private final class Census: Sendable {
    final class Marker: Sendable {
      let census: Census
      init(_ census: Census) {
        self.census = census
        census.living.withLock { $0 += 1 }
      }
      deinit { census.living.withLock { $0 -= 1 } }
    }
    enum Key: OperationContextKey { static var defaultValue: Marker? { nil } }

    let living = Locked(0)
    var count: Int { living.withLock { $0 } }

    func marked(_ operation: GraphQLOperation) -> GraphQLOperation {
      operation.with { $0[Key.self] = Marker(self) }
    }
  }

  /// A chain whose parts can all be checked for leftovers.
  private struct Chain {
    let dedup = DedupExchange()
    let cache = DocumentCacheExchange()
    let census = Census()
    let gate = Gate()
    let client: GraphQLClient

    /// Creates a chain whose responses all differ: a watch does not repeat equal results, so it would
    /// not show one that another watch has refetched already.
    ///
    /// - Parameter isHeld: Whether responses wait at the gate.
    init(isHeld: Bool = false) {
      let number = Locked(0)
      client = GraphQLClient([
        dedup, cache,
        InlineExchange { [gate] operation, _ in
          ResultStream { yield in
            if isHeld { await gate.pass() }
            let title = number.withLock { number in
              number += 1
              return "title \(number)"
            }
            yield(operation.kind == .query ? post(title) : updated)
            if operation.kind == .subscription { await Gate().pass() }
          }
        },
      ])
    }

    func expectNothingLeft() async {
      await eventually { dedup.flightCount == 0 }
      await eventually { cache.statistics.requestsInFlight == 0 }
      await eventually { census.count == 0 }
      client.clear()
      await eventually { cache.statistics.keyCount == 0 }
      let statistics = cache.statistics
      #expect(statistics.entryCount == 0 && statistics.bytes == 0 && statistics.nameCount == 0)
      #expect(client.sessions.endingCount == 0)
    }
  }

  @Test("Nothing is left of watches that are cancelled while waiting or dropped while showing")
  func watches() async {
    await watched("watches") {
      let chain = Chain()
      for round in 0..<Self.rounds {
        let operation = chain.census.marked(postQuery("\(round % 100)"))
        let shows = Gate()
        let task = Task { [client = chain.client] in
          for await _ in client.watch(operation) {
            shows.open()
            if round % 3 == 0 { break }
          }
        }
        if round % 3 != 2 { await shows.pass() }
        task.cancel()
        await task.value
      }
      await chain.expectNothingLeft()
    }
  }

  @Test("Nothing is left of many concurrent watches")
  func manyWatches() async {
    await watched("many watches") {
      let chain = Chain()
      let shown = Board(0)
      let tasks = (0..<Self.rounds).map { number in
        let operation = chain.census.marked(postQuery("\(number % 10)"))
        return Task { [client = chain.client] in
          for await result in client.watch(operation) where !result.isStale {
            shown.update { $0 += 1 }
          }
        }
      }
      await shown.until { $0 >= Self.rounds }
      #expect(chain.cache.statistics.keyCount == 10)
      chain.client.invalidate(types: "Post")
      await shown.until { $0 >= 2 * Self.rounds }
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
      await chain.expectNothingLeft()
    }
  }

  @Test("Nothing is left of operations that are cancelled in flight")
  func cancelledInFlight() async {
    await watched("executions cancelled in flight") {
      let chain = Chain(isHeld: true)
      for round in 0..<Self.rounds {
        let task = Task { [chain] in
          switch round % 4 {
          case 0: _ = await chain.client.query(chain.census.marked(postQuery("\(round)")))
          case 1:
            let mutation = chain.census.marked(updatePost).with { $0.abortsWhenCancelled = true }
            _ = await chain.client.mutate(mutation)
          case 2:
            let subscription = GraphQLOperation("subscription S { post { id title } }")
            for await _ in chain.client.subscribe(chain.census.marked(subscription)) {}
          default:
            let operation = postQuery("\(round)", policy: .networkOnly)
            for await _ in chain.client.watch(chain.census.marked(operation)) {}
          }
        }
        if round % 2 == 0 { await Task.yield() }
        task.cancel()
        await task.value
      }
      await chain.expectNothingLeft()
    }
  }

  @Test("Nothing is left of shared requests whose consumers drop their iterators")
  func droppedInFlight() async {
    await watched("dropped iterators") {
      let chain = Chain(isHeld: true)
      chain.gate.open()
      _ = await chain.client.query(postQuery())
      chain.gate.close()
      for round in 0..<Self.rounds {
        // The request leaves together with the stale hit, and is never answered.
        let operation = postQuery(policy: .cacheAndNetwork)
        let stream =
          round % 2 == 0
          ? chain.client.results(of: chain.census.marked(operation))
          : chain.client.watch(chain.census.marked(operation))
        for await result in stream {
          #expect(result.isStale)
          break
        }
      }
      await chain.expectNothingLeft()
    }
  }

  @Test("Nothing is left of mutations whose caller left, once they are answered")
  func mutations() async {
    await watched("mutations") {
      let chain = Chain(isHeld: true)
      for _ in 0..<Self.rounds {
        let task = Task { [chain] in await chain.client.mutate(chain.census.marked(updatePost)) }
        task.cancel()
        _ = await task.value
      }
      chain.gate.open()
      await chain.expectNothingLeft()
    }
  }

  @Test("Nothing is left of cache misses by peek, and of streams that are never iterated")
  func peeks() async {
    await watched("peeks") {
      let chain = Chain()
      for round in 0..<Self.rounds {
        let operation = chain.census.marked(postQuery("\(round)"))
        #expect(chain.client.peek(operation) == nil)
        _ = chain.client.watch(operation).makeAsyncIterator()
        _ = chain.client.results(of: operation).makeAsyncIterator()
      }
      #expect(chain.cache.state.withLock { $0.slots.count } <= 64)
      await chain.expectNothingLeft()
    }
  }

  @Test("The client, its exchanges and their results are released at the end")
  func objects() async {
    await watched("objects") {
      weak var client: GraphQLClient?
      weak var dedup: DedupExchange?
      weak var cache: DocumentCacheExchange?
      weak var payload: ResultPayload?
      do {
        let chain = Chain()
        (client, dedup, cache) = (chain.client, chain.dedup, chain.cache)
        let shown = Board<[OperationResult]>([])
        let watch = Task { [client = chain.client] in
          for await result in client.watch(postQuery()) { shown.update { $0.append(result) } }
        }
        await shown.until { !$0.isEmpty }
        payload = shown.value.first?.payload
        #expect(payload != nil)
        _ = await chain.client.mutate(updatePost)
        chain.client.switchSession()
        watch.cancel()
        await watch.value
      }
      await eventually { [weak client] in client == nil }
      await eventually { [weak dedup] in dedup == nil }
      await eventually { [weak cache] in cache == nil }
      await eventually { [weak payload] in payload == nil }
    }
  }
}

extension SessionKeeper {
  var endingCount: Int {
    Mirror(reflecting: self).descendant("endings").map {
      ($0 as? Locked<[UInt64: (session: Session, action: @Sendable () -> Void)]>)?
        .withLock { $0.count } ?? -1
    } ?? -1
  }
}
