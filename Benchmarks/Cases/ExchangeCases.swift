import Weir

/// The time that an exchange adds to a hit if it only forwards.
enum ExchangeCases {
  static var all: [BenchmarkCase] {
    [
      overhead("pass-through type") { PassingThrough() },
      overhead("pass-through closure") {
        InlineExchange { operation, forward in forward(operation) }
      },
      overhead("changing results") { MapExchange(result: { _, result in result }) },
    ]
  }

  private struct PassingThrough: Exchange {
    func execute(_ operation: GraphQLOperation, forward: Forward) -> ResultStream {
      forward(operation)
    }
  }

  private static let count = 10

  /// The time of a hit below ten such exchanges, minus the time of a hit without them.
  private static func overhead(
    _ name: String, _ make: @escaping () -> any Exchange
  ) -> BenchmarkCase {
    BenchmarkCase(name: "exchange/\(count) \(name)") {
      let answers = AnswerExchange(posts: 2)
      let above = MeasuredClient(answers, above: (0..<count).map { _ in make() })
      let without = MeasuredClient(answers)
      let operation = postOperation(1)
      try await above.cache([operation])
      try await without.cache([operation])
      return Workload(
        parts: (count, "exchange"), run: hits(of: operation, above.client),
        baseline: hits(of: operation, without.client), isCounted: true)
    }
  }

  private static func hits(
    of operation: GraphQLOperation, _ client: GraphQLClient
  ) -> (Int) async throws -> Void {
    { operations in
      for _ in 0..<operations {
        let result = await client.query(operation)
        try expect(result.outcome == .hit, "The query was not a hit.")
      }
    }
  }
}
