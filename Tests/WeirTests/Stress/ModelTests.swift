import TestSupport
import Testing
@testable import Weir
import WeirTesting

/// One client and a server whose objects have versions. Executions are random and are answered in
/// random order. No consumer may settle on data that was superseded before its request.
///
/// The seed determines the steps, but not the interleaving of threads.
@Suite("Model: caches and shared requests against versions", .timeLimit(.minutes(10)))
struct ModelTests {
  private typealias Kind = SimulatedServer.Kind

  /// Everything that the model knows besides the client.
  private final class World: Sendable {
    let server: SimulatedServer
    let client: GraphQLClient
    let dedup = DedupExchange()
    let cache = DocumentCacheExchange()
    let seed: UInt64
    /// The versions that completed mutations have returned.
    let floor = Board<[SimulatedServer.Kind: Int]>([:])
    let running = Board(0)
    let violations = Locked<[String]>([])

    init(seed: UInt64) {
      self.seed = seed
      server = SimulatedServer(seed: seed)
      client = GraphQLClient([dedup, cache, server])
    }

    func start(_ work: @escaping @Sendable (World) async -> Void) -> Task<Void, Never> {
      running.update { $0 += 1 }
      return Task { [self] in
        await work(self)
        running.update { $0 -= 1 }
      }
    }

    func query(_ operation: GraphQLOperation) async {
      let floor = floor.value
      let result = await client.query(operation)
      guard result.error == nil, let shown = result.versions(of: operation) else { return }
      for (kind, version) in shown where version < floor[kind, default: 0] {
        violations.withLock {
          $0.append(
            "\(operation.text) \(operation.context.requestPolicy): \(kind) \(version) < \(floor)")
        }
      }
    }

    func mutate(_ kind: SimulatedServer.Kind) async {
      let result = await client.mutate(SimulatedServer.mutation(kind))
      let version = result.data?["bump"]?["version"]?.int.map { Int($0) } ?? 0
      floor.update { $0[kind] = max($0[kind, default: 0], version) }
    }
  }

  /// A watch and its latest result.
  private final class Watch: Sendable {
    let operation: GraphQLOperation
    let shown = Board<OperationResult?>(nil)
    let task: Task<Void, Never>

    init(_ operation: GraphQLOperation, _ client: GraphQLClient) {
      self.operation = operation
      task = Task { [shown] in
        for await result in client.watch(operation) { shown.update { $0 = result } }
      }
    }

    /// Waits until the watch shows these versions and is not stale.
    func shows(_ versions: [SimulatedServer.Kind: Int]) async {
      await shown.until { [operation] result in
        guard let result, !result.isStale, result.error == nil,
          let shown = result.versions(of: operation)
        else { return false }
        return shown.allSatisfy { versions[$0.key, default: 0] == $0.value }
      }
    }
  }

  private static func operation(_ random: inout SeededRandom, policies: [RequestPolicy])
    -> GraphQLOperation
  {
    let policy = policies.randomElement(using: &random) ?? .cacheFirst
    let kind = Kind.allCases.randomElement(using: &random) ?? .post
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return SimulatedServer.list(kind, policy: policy)
    case 1: return SimulatedServer.query([.post, .user], id: 0, policy: policy)
    default:
      return SimulatedServer.query(
        [kind], id: Int.random(in: 0..<2, using: &random), policy: policy)
    }
  }

  @Test(
    "No consumer settles on superseded data, and watches end with the newest (C5, D3, D4, P4)",
    arguments: Stress.seeds(3))
  func model(seed: UInt64) async {
    await watched("the model with seed \(seed)") {
      var random = SeededRandom(seed: seed)
      let world = World(seed: seed)
      var watches: [Watch] = []
      var tasks: [Task<Void, Never>] = []
      for _ in 0..<Stress.rounds(debug: 8, release: 80) {
        await Self.phase(world, &random, &watches, &tasks)
      }
      for watch in watches { watch.task.cancel() }
      for watch in watches { await watch.task.value }
      for task in tasks { await task.value }
      #expect(world.violations.withLock { $0 }.isEmpty, "seed \(seed)")
      await eventually {
        world.dedup.flightCount == 0 && world.cache.statistics.requestsInFlight == 0
      }
      world.client.clear()
      await eventually { world.cache.statistics.keyCount == 0 }
    }
  }

  /// A phase of random steps, followed by calm, in which everything must settle.
  private static func phase(
    _ world: World, _ random: inout SeededRandom, _ watches: inout [Watch],
    _ tasks: inout [Task<Void, Never>]
  ) async {
    world.server.close()
    for _ in 0..<40 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1, 2:
        let operation = operation(
          &random, policies: [.cacheFirst, .cacheFirst, .networkOnly, .cacheAndNetwork])
        tasks.append(world.start { await $0.query(operation) })
      case 3, 4:
        let kind = Kind.allCases.randomElement(using: &random) ?? .post
        tasks.append(world.start { await $0.mutate(kind) })
      case 5 where watches.count < 30:
        let operation = operation(&random, policies: [.cacheFirst, .networkOnly, .cacheAndNetwork])
        watches.append(Watch(operation, world.client))
      case 6 where !watches.isEmpty:
        watches.remove(at: Int.random(in: 0..<watches.count, using: &random)).task.cancel()
      case 7:
        tasks.randomElement(using: &random)?.cancel()
      case 8:
        switch Int.random(in: 0..<4, using: &random) {
        case 0: world.client.clear()
        case 1: world.client.invalidate(types: "Post", "Nothing")
        case 2: world.client.invalidate(SimulatedServer.list(.tag))
        default: world.server.board.update { $0.failsNext = true }
        }
      default:
        world.server.answerOne(&random)
        await Task.yield()
      }
    }
    await settle(world, watches)
  }

  private static func settle(_ world: World, _ watches: [Watch]) async {
    world.server.open()
    await world.running.until { $0 == 0 }
    // A failed refetch is an answer too, so a last mutation of each type makes watches refetch.
    let before = world.server.requestCount
    for kind in Kind.allCases { await world.mutate(kind) }
    let versions = world.server.versions
    for watch in watches { await watch.shows(versions) }
    let keys = Set(watches.map(\.operation.key)).count
    // Each mutation makes each affected key refetch once, and a refetch that it supersedes is
    // repeated. Requests in flight when the mutations began count, too.
    let requests = world.server.requestCount - before - Kind.allCases.count
    #expect(requests <= 4 * (keys + 1), "seed \(world.seed): \(requests) requests for \(keys) keys")
  }

  /// One shared request, random executions that need something newer, and then its response.
  @Test(
    "A shared request is followed by at most one more, whatever happened meanwhile (D4)",
    arguments: Stress.seeds(5))
  func followUps(seed: UInt64) async {
    await watched("follow-ups with seed \(seed)") {
      var random = SeededRandom(seed: seed)
      for _ in 0..<Stress.rounds(debug: 30, release: 300) {
        let world = World(seed: seed)
        let kind = Kind.allCases.randomElement(using: &random) ?? .post
        let operation = SimulatedServer.query([kind], id: 0)
        let watches = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          Watch(operation, world.client)
        }
        var tasks = [world.start { await $0.query(operation) }]
        await world.server.until { !$0.pending.isEmpty }
        for _ in 0..<Int.random(in: 1..<12, using: &random) {
          let policy: RequestPolicy = random.chance(50) ? .cacheFirst : .networkOnly
          let late = operation.with { $0.requestPolicy = policy }
          switch Int.random(in: 0..<4, using: &random) {
          case 0: world.client.invalidate(types: kind.typename)
          case 1: world.client.invalidate(operation)
          default: tasks.append(world.start { await $0.query(late) })
          }
        }
        let shares = tasks.count + watches.count
        await eventually { world.dedup.shareCount >= shares }
        world.server.open()
        for task in tasks { await task.value }
        for watch in watches { await watch.shows([:]) }
        // The shared request, its repetition if it was superseded, and its follow-up. Executions
        // that refuse a hit share one more.
        #expect(world.server.requestCount <= 4, "seed \(seed)")
        #expect(world.server.board.value.mostAtOnce == 1, "seed \(seed)")
        for watch in watches { watch.task.cancel() }
      }
    }
  }
}
