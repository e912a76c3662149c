import Foundation
import TestSupport
import Testing
import Weir
import WeirNormalized
import WeirTesting

@Suite("Sessions: many watches, many switches", .timeLimit(.minutes(10)))
struct SessionStormTests {
  @Test(
    "No request, result or entry of a session belongs to another user (S1, A1)",
    arguments: SessionStorm.Cache.allCases)
  fileprivate func storm(_ cache: SessionStorm.Cache) async {
    for seed in Stress.seeds(1) {
      let storm = SessionStorm(cache, seed: seed)
      await storm.run(last: Stress.scaled(30))
      let world = storm.world.withLock { $0 }
      #expect(world.requests > 0)
      #expect(world.brokenWatches == 0, "watches, seed \(seed)")
      #expect(world.foreignTokens == 0, "requests, seed \(seed)")
      #expect(world.foreignResults == 0, "results, seed \(seed)")
      #expect(world.foreignRenewals == 0, "stored tokens, seed \(seed)")
      storm.expectNothingForeign(user: Stress.scaled(30))
    }
  }
}

/// Many watches over a cache, while one user after the other logs in, and tokens are rejected and
/// renewed.
private struct SessionStorm: Sendable {
  struct Token: Equatable, Sendable {
    var user: Int
    var version = 0

    var text: String { "\(user).\(version)" }
  }

  /// What the app stores, and what the server and the watches have seen.
  struct World {
    var random: SeededRandom
    /// The token that the app stores.
    var token = Token(user: 0)
    var users: [Session: Int] = [:]
    /// The user whose switch has returned.
    var switched = 0
    var requests = 0
    /// The sessions and queries that the server has rejected.
    var rejected: Set<String> = []
    var foreignTokens = 0
    var foreignResults = 0
    var foreignRenewals = 0
    /// Watches that have ended, or have shown an error that is the switch's own.
    var brokenWatches = 0
  }

  enum Cache: String, CaseIterable, Sendable { case document, normalized }

  let world: Locked<World>
  private let client: GraphQLClient
  private let documents = DocumentCacheExchange()
  private static let watchCount = 200
  private static let queryCount = 40

  init(_ cache: Cache, seed: UInt64) {
    let world = Locked(World(random: SeededRandom(seed: seed)))
    self.world = world
    var auth = AuthConfiguration<Token>(
      load: {
        await Self.dawdle(world)
        return world.withLock { $0.token }
      },
      attach: { $1.headers["authorization"] = $0.text },
      refresh: { old in
        await Self.dawdle(world)
        return Token(user: old.user, version: old.version + 1)
      },
      store: { renewed, old in
        world.withLock { world in
          if world.token == old { world.token = renewed }
        }
      })
    auth.timeout = .seconds(600)
    let server = ScriptedExchange { operation in
      await Self.dawdle(world)
      return Self.answer(operation, world)
    }
    let exchange: any Exchange = cache == .document ? documents : NormalizedCacheExchange()
    client = GraphQLClient([.dedup, exchange, AuthExchange(auth), server])
    world.withLock { $0.users[client.session] = 0 }
  }

  /// Lets other tasks run for a while.
  private static func dawdle(_ world: Locked<World>) async {
    for _ in 0..<world.withLock({ Int.random(in: 0..<4, using: &$0.random) }) {
      await Task.yield()
    }
  }

  private static func answer(
    _ operation: GraphQLOperation, _ world: Locked<World>
  ) -> OperationResult {
    let id = String(decoding: operation.variables, as: UTF8.self).filter(\.isNumber)
    let parts = operation.context.headers["authorization"]?.split(separator: ".") ?? []
    let user = parts.first.flatMap { Int($0) } ?? -1
    let isRejected = world.withLock { world in
      world.requests += 1
      if world.users[operation.context.session] != user { world.foreignTokens += 1 }
      guard Int.random(in: 0..<50, using: &world.random) == 0 else { return false }
      // A second rejection would be the query's result, for which its watches wait in vain.
      return world.rejected.insert("\(operation.context.session) \(id)").inserted
    }
    if isRejected {
      return OperationResult(error: OperationError(code: .httpStatus, message: "", httpStatus: 401))
    }
    return .data(#"{"item":{"__typename":"Item","id":"\#(id)","owner":\#(user)}}"#)
  }

  private static func query(_ number: Int) -> GraphQLOperation {
    GraphQLOperation(
      "query($id: ID!) { item(id: $id) { id owner } }",
      variables: ["id": .string("\(number % queryCount)")])
  }

  private static func owner(_ result: OperationResult?) -> Int? {
    result?.data?["item"]?["owner"]?.int.map { Int($0) }
  }

  /// Follows one query until the data of the last user is there.
  private func watch(_ number: Int, until last: Int) async {
    var results = client.watch(Self.query(number)).makeAsyncIterator()
    while true {
      let switched = world.withLock { $0.switched }
      let result = await results.next()
      guard let result, result.error?.code != .cancelled else {
        return world.withLock { $0.brokenWatches += 1 }
      }
      guard let owner = Self.owner(result) else { continue }
      if owner < switched { world.withLock { $0.foreignResults += 1 } }
      if owner == last, !result.isStale { return }
    }
  }

  private func switchSession(to user: Int) {
    let session = Session(beganAt: .next())
    world.withLock { $0.users[session] = user }
    client.switchSession(to: session) { world.withLock { $0.token = Token(user: user) } }
    world.withLock { world in
      world.switched = user
      if world.token.user != user { world.foreignRenewals += 1 }
    }
  }

  func run(last: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<Self.watchCount {
        group.addTask { await watch(number, until: last) }
      }
      for user in 1...last {
        for _ in 0..<world.withLock({ Int.random(in: 0..<60, using: &$0.random) }) {
          await Task.yield()
        }
        switchSession(to: user)
      }
    }
  }

  /// Checks what the cache and the app keep after the last switch.
  func expectNothingForeign(user: Int) {
    for number in 0..<Self.queryCount {
      #expect(Self.owner(client.peek(Self.query(number))) == user)
    }
    for entry in documents.snapshot().entries { #expect(entry.data.contains(#""owner":\#(user)"#)) }
    #expect(world.withLock { $0.token.user } == user)
  }
}
