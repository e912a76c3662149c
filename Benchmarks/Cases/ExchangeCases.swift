import Weir

/// What an exchange that only hands on adds to a hit.
enum ExchangeCases {
  static var all: [BenchmarkCase] {
    [
      overhead("pass-through type") { HandingOn() },
      overhead("pass-through closure") {
        InlineExchange { operation, forward in forward(operation) }
      },
      overhead("changing results") { MapExchange(result: { _, result in result }) },
    ]
  }

  private struct HandingOn: Exchange {
    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      forward(operation)
    }
  }

  private static let count = 10

  /// The time of a hit below ten of them, less the time of a hit without.
  private static func overhead(
    _ name: String, _ make: @escaping () -> any Exchange
  ) -> BenchmarkCase {
    BenchmarkCase(name: "exchange/\(count) \(name)") {
      let answers = try AnswerExchange(posts: 2)
      let above = MeasuredClient(answers, above: (0..<count).map { _ in make() })
      let without = MeasuredClient(answers)
      let operation = GraphQLOperation(
        Queries.post.document, variables: PostVariables(id: "1"))
      try await above.cachePosts([operation])
      try await without.cachePosts([operation])
      return Workload(
        parts: (count, "exchange"), run: hits(of: operation, above.client),
        baseline: hits(of: operation, without.client), countsAllocations: true)
    }
  }

  private static func hits(
    of operation: GraphQLOperation, _ client: GraphQLClient
  ) -> (Int) async throws -> Void {
    { operations in
      for _ in 0..<operations {
        let result = await client.query(operation)
        try expect(result.outcome == .hit, "A hit is none.")
      }
    }
  }
}
