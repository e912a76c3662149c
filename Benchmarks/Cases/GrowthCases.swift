import Weir
import WeirNormalized
import WeirTesting

/// A mutation of a todo after much other work has ended, which must not slow it down: queries that have
/// read the todo, or mutations during one long request.
enum GrowthCases {
  static var all: [BenchmarkCase] {
    [0, 1_000, 10_000, 100_000].map { mutation(after: $0) }
      + [0, 1_000, 10_000].map { mutation(duringRequest: $0) }
  }

  private static let view = Query<OneTodoData, ViewVariables>(
    GraphQLDocument(
      "query View($id: ID!, $view: Int!) { todo(id: $id, view: $view) { id text complete } }"))

  private struct ViewVariables: Encodable, Sendable {
    let id: String
    let view: Int
  }

  private static func mutation(after count: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "growth/mutation after ended queries/\(count)", yardstick: .jsonSerialization(1),
      scaling: Scaling(line: "mutation, nobody watches", axis: "ended queries", size: count),
      isSlow: count > 10_000
    ) {
      let server = TodoUpdates()
      let store = try TodoStore.filled(10_000)
      let client = GraphQLClient([.dedup, .normalizedCache(store), server])
      for number in 0..<count {
        let result = await client.query(view, ViewVariables(id: "0", view: number))
        try expect(result.data?.checksum == 20, "A query has no data.")
      }
      let round = Counter()
      let stopwatch = Stopwatch()
      return Workload(
        run: { operations in
          for _ in 0..<operations { try await mutate(round, client, server, stopwatch) }
        },
        stopwatch: stopwatch,
        check: { try expect(server.queryCount == 0, "A query was sent.") })
    }
  }

  private static func mutation(duringRequest count: Int) -> BenchmarkCase {
    BenchmarkCase(
      name: "growth/mutation during a long request, after mutations/\(count)",
      yardstick: .jsonSerialization(1),
      scaling: Scaling(line: "mutation during a request", axis: "ended mutations", size: count)
    ) {
      let server = TodoUpdates()
      let gate = Gate()
      let (round, sent) = (Counter(), Countdown(1))
      let hold = InlineExchange { operation, forward in
        guard operation.kind == .query else { return forward(operation) }
        return ResultStream { _ in
          sent.arrive()
          await gate.pass()
        }
      }
      let store = try TodoStore.filled(10_000)
      let client = GraphQLClient([.dedup, .normalizedCache(store), hold, server])
      let pending = Task {
        use(await client.query(view, ViewVariables(id: "-1", view: 0)))
      }
      _ = await sent.done()
      let stopwatch = Stopwatch()
      for _ in 0..<count { try await mutate(round, client, server, stopwatch) }
      return Workload(
        run: { operations in
          for _ in 0..<operations { try await mutate(round, client, server, stopwatch) }
        },
        stopwatch: stopwatch,
        tearDown: {
          gate.open()
          await pending.value
        })
    }
  }

  private static func mutate(
    _ round: Counter, _ client: GraphQLClient, _ server: TodoUpdates, _ stopwatch: Stopwatch
  ) async throws {
    let update = UpdateTodoVariables(id: "0", text: "changed \(round.next())", complete: true)
    try server.prepare(update)
    let start = ContinuousClock.now
    let result = await client.mutate(Queries.updateTodo, update)
    let checksum = result.data?.checksum
    stopwatch.add(from: start)
    try expect(checksum == update.checksum, "The mutation has failed.")
  }
}
