import TestSupport
import Testing
@testable import Weir
import WeirTesting

/// Executions that start and are then dropped, after no result or one, or cancelled, on the main
/// actor and in tasks. Prototypes crashed here.
@Suite("Cold executions, early drops and cancellations", .timeLimit(.minutes(10)))
struct ColdExecutionTests {
  private static let rounds = Stress.rounds(debug: 2_000, release: 100_000)

  /// A chain that contains every kind of stream.
  private static func client() -> (GraphQLClient, DedupExchange, DocumentCacheExchange) {
    let (dedup, cache) = (DedupExchange(), DocumentCacheExchange())
    let number = Counter()
    let chain: [any Exchange] = [
      MapExchange(result: { _, result in result }), dedup, cache,
      InlineExchange { operation, forward in
        switch number.next() % 4 {
        case 0: forward(operation)
        case 1: ResultStream { yield in await yield.all(forward(operation)) }
        case 2: .deferred { forward(operation).map { $0 } }
        default:
          .starting(with: [post("early").asStale]) { forward(operation) }
        }
      },
      ScriptedExchange(streaming: { operation in
        let answer = operation.kind == .query ? post("title") : updated
        switch number.next() % 3 {
        case 0: return .just(answer)
        case 1: return ResultStream { yield in yield(answer) }
        default:
          return ResultStream { yield in
            await Task.yield()
            yield(answer)
          }
        }
      }),
    ]
    return (GraphQLClient(chain), dedup, cache)
  }

  /// Runs one round in the caller's isolation.
  private static func round(_ number: Int, _ client: GraphQLClient) async {
    let policy = RequestPolicy.allCases[number % RequestPolicy.allCases.count]
    let operation = postQuery("\(number % 17)", policy: policy)
    switch number % 9 {
    case 0: _ = await client.query(operation)
    case 1: for await _ in client.results(of: operation) { break }
    case 2: for await _ in client.watch(operation) { break }
    case 3: _ = client.results(of: operation).makeAsyncIterator()
    case 4: _ = client.watch(operation).makeAsyncIterator()
    case 5:
      let task = Task { await client.query(operation) }
      task.cancel()
      _ = await task.value
    case 6:
      let task = Task { for await _ in client.watch(operation) {} }
      if number % 2 == 0 { await Task.yield() }
      task.cancel()
      await task.value
    case 7:
      async let result = client.query(operation)
      client.invalidate(types: "Post")
      _ = await result
    default:
      let task = Task { await client.mutate(updatePost) }
      if number % 4 == 0 { task.cancel() }
      _ = await task.value
    }
  }

  private static func expectNothingLeft(_ dedup: DedupExchange, _ cache: DocumentCacheExchange)
    async
  {
    await eventually { dedup.flightCount == 0 }
    await eventually { cache.state.withLock { $0.requests.count } == 0 }
  }

  @Test("Executions on the main actor leave nothing behind")
  @MainActor func mainActor() async {
    let (client, dedup, cache) = Self.client()
    await watched("executions from the main actor") { @MainActor in
      for number in 0..<Self.rounds { await Self.round(number, client) }
      await Self.expectNothingLeft(dedup, cache)
    }
  }

  @Test("Executions in eight tasks leave nothing behind")
  func tasks() async {
    let (client, dedup, cache) = Self.client()
    await watched("executions from tasks") {
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            for number in 0..<(Self.rounds / 8) { await Self.round(number * 8 + task, client) }
          }
        }
      }
      await Self.expectNothingLeft(dedup, cache)
    }
  }

  @Test("A cache hit never leaves the main actor")
  @MainActor func hitsStay() async {
    let client = GraphQLClient([.dedup, .documentCache, immediatePosts()])
    _ = await client.query(postQuery())
    // Another job of the main actor can run in between only if the hit suspends.
    let other = Board(0)
    for _ in 0..<100 {
      Task { @MainActor in other.update { $0 += 1 } }
      let before = other.value
      _ = await client.query(postQuery())
      for await _ in client.results(of: postQuery()) {}
      for await _ in client.watch(postQuery()) { break }
      #expect(other.value == before)
      await Task.yield()
    }
  }
}

extension OperationResult {
  var asStale: OperationResult {
    var copy = self
    copy.isStale = true
    return copy
  }
}
