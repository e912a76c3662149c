import TestSupport
import Testing
@testable import Weir
import WeirTesting

/// Eight tasks do everything concurrently; afterwards all state must be consistent.
@Suite("Churn", .timeLimit(.minutes(10)))
struct ChurnTests {
  private struct Watch {
    let operation: GraphQLOperation
    let shown: Board<OperationResult?>
    let task: Task<Void, Never>
  }

  @Test(
    "After many concurrent changes, each watch shows data requested after the last one (C5, C10)",
    arguments: Stress.seeds(2))
  func churn(seed: UInt64) async {
    await watched("churn with seed \(seed)") {
      let (dedup, cache) = (DedupExchange(), DocumentCacheExchange())
      let server = SimulatedServer(seed: seed)
      server.open()
      let client = GraphQLClient([dedup, cache, server])
      let watches = (0..<24).map { number in
        let kind = SimulatedServer.Kind.allCases[number % 3]
        return Self.watch(
          number % 4 == 0
            ? SimulatedServer.list(kind) : SimulatedServer.query([kind], id: number % 5),
          client)
      }
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask { await Self.turmoil(client, seed: seed &+ UInt64(task)) }
        }
      }
      for kind in SimulatedServer.Kind.allCases {
        #expect(await client.mutate(SimulatedServer.mutation(kind)).data != nil, "seed \(seed)")
      }
      let versions = server.versions
      for watch in watches {
        await watch.shown.until { result in
          guard let result, !result.isStale, result.error == nil else { return false }
          return result.versions(of: watch.operation)?
            .allSatisfy { versions[$0.key, default: 0] == $0.value } ?? false
        }
      }
      await Self.expectConsistent(dedup, cache, client, versions, seed: seed)
      for watch in watches { watch.task.cancel() }
      for watch in watches { await watch.task.value }
      client.clear()
      await eventually { cache.statistics.keyCount == 0 && cache.statistics.nameCount == 0 }
    }
  }

  private static func watch(_ operation: GraphQLOperation, _ client: GraphQLClient) -> Watch {
    let shown = Board<OperationResult?>(nil)
    let task = Task {
      for await result in client.watch(operation) { shown.update { $0 = result } }
      if !Task.isCancelled { Issue.record("the watch has ended") }
    }
    return Watch(operation: operation, shown: shown, task: task)
  }

  private static func turmoil(_ client: GraphQLClient, seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    for _ in 0..<Stress.rounds(debug: 150, release: 5_000) {
      let kind = SimulatedServer.Kind.allCases.randomElement(using: &random) ?? .post
      let policy = RequestPolicy.allCases.randomElement(using: &random) ?? .cacheFirst
      let operation = SimulatedServer.query(
        [kind], id: Int.random(in: 0..<5, using: &random), policy: policy)
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<14: _ = await client.query(operation)
      case 14..<18:
        let task = Task { await client.query(operation) }
        if random.chance(50) { await Task.yield() }
        task.cancel()
        _ = await task.value
      case 18..<24: _ = await client.mutate(SimulatedServer.mutation(kind))
      case 24..<28:
        let count = Int.random(in: 1..<3, using: &random)
        let task = Task {
          var left = count
          for await _ in client.watch(operation) {
            left -= 1
            if left == 0 { break }
          }
        }
        await Task.yield()
        if policy == .cacheOnly || random.chance(70) { task.cancel() }
        client.invalidate(types: kind.typename)
        task.cancel()
        await task.value
      case 28..<31: client.invalidate(types: kind.typename)
      case 31..<34: client.invalidate(operation)
      case 34: client.clear()
      case 35: client.switchSession()
      case 36: for await _ in client.results(of: operation) { break }
      default: _ = client.peek(operation)
      }
    }
  }

  private static func expectConsistent(
    _ dedup: DedupExchange, _ cache: DocumentCacheExchange, _ client: GraphQLClient,
    _ versions: [SimulatedServer.Kind: Int], seed: UInt64
  ) async {
    await eventually { dedup.flightCount == 0 && cache.statistics.requestsInFlight == 0 }
    let statistics = cache.statistics
    let entries = cache.entries
    #expect(entries.count == statistics.entryCount, "seed \(seed)")
    #expect(entries.reduce(0) { $0 + $1.bytes } == statistics.bytes, "seed \(seed)")
    #expect(Set(entries.map(\.key)).count == entries.count, "seed \(seed)")
    for kind in SimulatedServer.Kind.allCases {
      for id in 0..<5 {
        let operation = SimulatedServer.query([kind], id: id)
        let cached = client.peek(operation)?.versions(of: operation)?[kind]
        #expect(cached == nil || cached == versions[kind, default: 0], "seed \(seed)")
      }
    }
  }
}
