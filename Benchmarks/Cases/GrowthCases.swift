import Weir
import WeirNormalized

/// A mutation of a todo that many queries have read which have ended since. They must not cost
/// anything.
enum GrowthCases {
  static var all: [BenchmarkCase] {
    [0, 1_000, 10_000, 100_000].map { mutation(after: $0) }
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
          for _ in 0..<operations {
            let update = UpdateTodoVariables(
              id: "0", text: "changed \(round.next())", complete: true)
            try server.prepare(update)
            let start = ContinuousClock.now
            let result = await client.mutate(Queries.updateTodo, update)
            let checksum = result.data?.checksum
            stopwatch.add(from: start)
            try expect(checksum == update.checksum, "The mutation has failed.")
          }
        },
        stopwatch: stopwatch,
        check: { try expect(server.queryCount == 0, "A query was sent.") })
    }
  }
}
